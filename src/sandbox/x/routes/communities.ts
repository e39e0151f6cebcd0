import { fold } from '../../social/hashtags.ts';
import { findCommunity } from '../ids/list-ids.ts';
import { invalidParameter, missing } from '../problem.ts';
import type { XRoute } from '../request.ts';
import { pageIn } from '../wire/answer.ts';
import { toXCommunity } from '../wire/list.ts';
import { viewOf } from '../wire/view.ts';
import { idIn } from './parameters.ts';

const scopes = ['tweet.read', 'users.read', 'list.read'];

/** People around one thing. */
export const communitiesRoutes: readonly XRoute[] = [
  {
    method: 'GET',
    path: '/communities/search',
    access: { scopes: ['tweet.read', 'users.read'] },
    limits: { app: 300, user: 300 },
    fields: ['community'],
    parameters: ['query', 'max_results', 'next_token', 'pagination_token'],
    answer(request) {
      const query = request.query.get('query') ?? '';
      if (query === '') throw invalidParameter('query', query, 'can not be empty');
      const wanted = fold(query);
      const found = request.moment.communities.all.filter(({ name, description }) => fold(`${name} ${description}`).includes(wanted));
      const { items, meta } = pageIn(found, { request, idOf: ({ id }) => id, size: { least: 10, most: 100, usual: 10 }, counts: false });
      const view = viewOf(request);
      return { ...(items.length > 0 ? { data: items.map((item) => toXCommunity(item, view)) } : {}), meta };
    },
  },
  {
    method: 'GET',
    path: '/communities/:id',
    access: { scopes, app: true },
    limits: { app: 300, user: 300 },
    fields: ['community'],
    answer(request) {
      const id = idIn(request, 'id');
      const community = findCommunity(id, request.moment.communities);
      if (!community) return { errors: [missing({ type: 'community', parameter: 'id', value: id })] };
      return { data: toXCommunity(community, viewOf(request)) };
    },
  },
];
