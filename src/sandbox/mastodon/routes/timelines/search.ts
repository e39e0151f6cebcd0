import type { JsonObject } from '#src/operation/json.ts';
import { toAccount } from '../../entities/account.ts';
import { toStatus } from '../../entities/status.ts';
import { toTag } from '../../entities/tag.ts';
import { MastodonRefusal } from '../../refusal.ts';
import { STATUSES } from '../../requests/paging.ts';
import { json, type Visit } from '../../visit.ts';
import { anybody, type Routes } from '../api.ts';
import { peopleAbout, postAt, postsAbout, tagsAbout } from './searching.ts';
import type { StoredPost } from '../../../social/posts.ts';

/** `GET /api/v2/search`: people, hashtags, and texts where the server can search them. */
export function searchRoutes(routes: Routes): void {
  routes.get(
    '/v2/search',
    anybody('read:search', (found) => {
      const query = found.fields.text('q')?.trim();
      if (query === undefined || query === '') {
        throw new MastodonRefusal(400, { error: 'param is missing or the value is empty or invalid: q' });
      }
      if (!found.viewer) refuseUnsigned(found);
      const type = found.fields.text('type');
      const wants = (kind: string): boolean => type === undefined || type === '' || type === kind;
      const address = URL.canParse(query) ? postAt(query, found) : undefined;
      return json(found, {
        accounts: wants('accounts') ? peopleFound(query, found) : [],
        statuses: wants('statuses') ? (address ? [toStatus(address, found)] : postsFound(query, found)) : [],
        hashtags: wants('hashtags') ? cut(tagsAbout(query, found), found).map((name) => toTag(name, found)) : [],
      });
    }),
  );
}

function refuseUnsigned({ fields }: Visit): void {
  if (fields.flag('resolve')) {
    throw new MastodonRefusal(401, { error: 'Search queries that resolve remote resources are not supported without authentication' });
  }
  if (fields.has('offset')) throw new MastodonRefusal(401, { error: 'Search queries pagination is not supported without authentication' });
}

function peopleFound(query: string, found: Visit): readonly JsonObject[] {
  const { fields, viewer, moment } = found;
  const people = peopleAbout(query, found).filter(
    ({ id }) => !fields.flag('following') || (viewer !== undefined && moment.relations.follows(viewer.id, id)),
  );
  return cut(people, found).map((person) => toAccount(person, found));
}

/** Texts are searched for those who signed in, and only where the server keeps an index of them. */
function postsFound(query: string, found: Visit): readonly JsonObject[] {
  const { ground, fields, viewer } = found;
  if (!ground.settings.current.fullText || !viewer || URL.canParse(query)) return [];
  const by = fields.text('account_id');
  const posts = postsAbout(query, found).filter(
    (post) => (by === undefined || ground.ids.account(post.authorId) === by) && isWithin(post, found),
  );
  return cut(posts, found).map((post) => toStatus(post, found));
}

function isWithin(post: StoredPost, { fields, ground }: Visit): boolean {
  const place = ground.ids.placeOf(post);
  const [most, least] = [ground.ids.read(fields.text('max_id') ?? ''), ground.ids.read(fields.text('min_id') ?? '')];
  return (most === undefined || place < most) && (least === undefined || place > least);
}

function cut<T>(items: readonly T[], { fields }: Visit): readonly T[] {
  const limit = Math.min(fields.whole('limit') ?? STATUSES.usual, STATUSES.most);
  const offset = Math.max(0, fields.whole('offset') ?? 0);
  return items.slice(offset, offset + limit);
}
