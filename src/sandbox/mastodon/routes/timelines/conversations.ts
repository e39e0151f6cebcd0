import type { JsonObject } from '#src/operation/json.ts';
import { conversationOf } from '../../../social/conversations.ts';
import type { StoredPost } from '../../../social/posts.ts';
import { toStatus } from '../../entities/status.ts';
import { mentionedIn, visibilityOf } from '../../posts/visibility.ts';
import { recordNotFound } from '../../refusal.ts';
import { STATUSES, boundsOf, cutByPlace } from '../../requests/paging.ts';
import { json, page, type UserVisit } from '../../visit.ts';
import { signedIn, type Routes } from '../api.ts';
import { accountsOf } from '../listings.ts';

/** Posts for those alone whom they call, by what they began from. */
interface Talk {
  readonly root: StoredPost;
  readonly last: StoredPost;
  /** Ids, without the viewer. */
  readonly others: readonly string[];
}

/** `/api/v1/conversations`: whom the viewer exchanges direct posts with. */
export function conversationRoutes(routes: Routes): void {
  routes.get(
    '/v1/conversations',
    signedIn('read:statuses', (found) => {
      const { ids } = found.ground;
      // As Mastodon does it, the pages are cut by the ids of the last posts.
      const cut = cutByPlace(talksOf(found), {
        bounds: boundsOf(found.fields, STATUSES),
        placeOf: ({ last }) => ids.placeOf(last),
        spelling: ids,
      });
      return page(found, { ...cut, items: cut.items.map((talk) => toConversation(talk, found)) });
    }),
  );

  routes.post(
    '/v1/conversations/:id/read',
    signedIn('write:conversations', (found, c) => {
      const talk = requireTalk(c.req.param('id') ?? '', found);
      mark('readTalk', talk, found);
      return json(found, toConversation(talk, found));
    }),
  );

  routes.delete(
    '/v1/conversations/:id',
    signedIn('write:conversations', (found, c) => {
      mark('hiddenTalk', requireTalk(c.req.param('id') ?? '', found), found);
      return json(found, {});
    }),
  );
}

/** What was taken away comes back with the next post in it. */
function talksOf(found: UserVisit): readonly Talk[] {
  const { moment, ground, viewer } = found;
  const direct = moment.feed.all().filter((post) => visibilityOf(post, ground) === 'direct');
  const talks = [...Map.groupBy(direct, (post) => conversationOf(post, moment.feed)).values()].flatMap((posts): Talk[] => {
    const [last, root] = [posts.at(0), posts.at(-1)];
    if (!last || !root) return [];
    const members = new Set(posts.flatMap((post) => [post.authorId, ...mentionedIn(post.text, ground)]));
    return [{ root, last, others: [...members].filter((id) => id !== viewer.id) }];
  });
  return talks.filter(({ root, last }) => (ground.marks.find('hiddenTalk', viewer.id, root.id)?.atMs ?? -Infinity) < last.createdAtMs);
}

function requireTalk(id: string, found: UserVisit): Talk {
  const talk = talksOf(found).find(({ root }) => found.ground.ids.conversation(root) === id);
  if (!talk) throw recordNotFound();
  return talk;
}

function mark(kind: 'readTalk' | 'hiddenTalk', { root }: Talk, { ground, viewer, moment }: UserVisit): void {
  ground.marks.set({ kind, userId: viewer.id, target: root.id, atMs: moment.now.getTime() });
}

function toConversation({ root, last, others }: Talk, found: UserVisit): JsonObject {
  const { ground, viewer } = found;
  const readAtMs = ground.marks.find('readTalk', viewer.id, root.id)?.atMs ?? -Infinity;
  return {
    id: ground.ids.conversation(root),
    unread: last.authorId !== viewer.id && last.createdAtMs > readAtMs,
    accounts: accountsOf(others, found),
    last_status: toStatus(last, found),
  };
}
