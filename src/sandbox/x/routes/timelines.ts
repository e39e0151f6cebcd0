import { timelineOf } from '../../social/user-record.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { WorldPerson } from '../../world/world.ts';
import { mentionsOf } from '../query/match.ts';
import type { XRoute } from '../request.ts';
import { postsPage } from '../wire/answer.ts';
import { excluded, kept } from './excluding.ts';
import { bounded, BOUNDED, ownId, PAGED, personShown, POST_KINDS } from './parameters.ts';

/** How far back X goes, in posts. */
const DEPTH = 3200;
const DEPTH_WITHOUT_REPLIES = 800;
const DEPTH_OF_MENTIONS = 800;
const scopes = ['tweet.read', 'users.read'];
const seen = { method: 'GET', fields: POST_KINDS, expands: 'tweet', readsPosts: true } as const;

/** Whether a post calls somebody by the name, as answers do of themselves to whom they answer. */
function isToward({ text, authorId }: StoredPost, person: WorldPerson): boolean {
  return authorId !== person.id && mentionsOf(text).has(person.handle);
}

/** What accounts write, and what comes to them. */
export const timelinesRoutes: readonly XRoute[] = [
  {
    ...seen,
    path: '/users/:id/tweets',
    access: { scopes, app: true },
    limits: { app: 10_000, user: 900 },
    parameters: [...PAGED, ...BOUNDED, 'exclude'],
    answer(request) {
      const without = excluded(request);
      const deep = timelineOf(personShown(request), request.moment).slice(0, without.has('replies') ? DEPTH_WITHOUT_REPLIES : DEPTH);
      return postsPage(bounded(kept(deep, without), request), request, { size: { least: 5, most: 100, usual: 10 }, ends: true });
    },
  },
  {
    ...seen,
    path: '/users/:id/mentions',
    access: { scopes, app: true },
    limits: { app: 450, user: 300 },
    parameters: [...PAGED, ...BOUNDED],
    answer(request) {
      const person = personShown(request);
      const mentions = request.moment.feed.all().filter((post) => isToward(post, person));
      return postsPage(bounded(mentions.slice(0, DEPTH_OF_MENTIONS), request), request, {
        size: { least: 5, most: 100, usual: 10 },
        ends: true,
      });
    },
  },
  {
    ...seen,
    path: '/users/:id/timelines/reverse_chronological',
    access: { scopes },
    limits: { user: 180 },
    parameters: [...PAGED, ...BOUNDED, 'exclude'],
    answer(request) {
      const viewer = ownId(request);
      const { feed, relations } = request.moment;
      const { mutes } = request;
      const posts = feed
        .timeline()
        .filter(({ authorId }) => authorId === viewer.id || (relations.follows(viewer.id, authorId) && !mutes.has(viewer.id, authorId)));
      return postsPage(bounded(kept(posts, excluded(request)), request), request, {
        size: { least: 1, most: 100, usual: 100 },
        ends: true,
      });
    },
  },
];
