import type { StoredPost } from '../../../social/posts.ts';
import { postsTagged } from '../../entities/tag.ts';
import { visibilityOf } from '../../posts/visibility.ts';
import type { UserVisit, Visit } from '../../visit.ts';
import { keptPage, postsPage } from '../listings.ts';
import { anybody, signedIn, type Routes } from '../api.ts';

/** `/api/v1/timelines`, and what the viewer keeps. */
export function timelineRoutes(routes: Routes): void {
  routes.get(
    '/v1/timelines/home',
    signedIn('read:statuses', (found) => postsPage(homeOf(found), found)),
  );

  routes.get(
    '/v1/timelines/public',
    anybody('read:statuses', (found) => {
      const { moment, ground } = found;
      const open = moment.feed.all().filter((post) => post.replyTo === undefined && visibilityOf(post, ground) === 'public');
      return postsPage(
        open.filter((post) => isWanted(post, found)),
        found,
      );
    }),
  );

  routes.get(
    '/v1/timelines/tag/:name',
    anybody('read:statuses', (found, c) => {
      const { fields } = found;
      const named = (names: readonly string[]): ReadonlySet<string> =>
        new Set(names.flatMap((name) => postsTagged(name, found)).map(({ id }) => id));
      const some = named([c.req.param('name') ?? '', ...fields.texts('any')]);
      const every = fields.texts('all').map((name) => named([name]));
      const none = named(fields.texts('none'));
      const posts = found.moment.feed
        .all()
        .filter((post) => some.has(post.id) && every.every((ids) => ids.has(post.id)) && !none.has(post.id) && isWanted(post, found));
      return postsPage(posts, found);
    }),
  );

  routes.get(
    '/v1/bookmarks',
    signedIn('read:bookmarks', (found) => {
      const { bookmarks, feed } = found.moment;
      const kept = bookmarks.of(found.viewer.id).flatMap((id) => feed.find(id) ?? []);
      return keptPage(kept, found);
    }),
  );

  routes.get(
    '/v1/favourites',
    signedIn('read:favourites', (found) => {
      const { reactions, feed } = found.moment;
      const liked = reactions.by('like', found.viewer.id).flatMap(({ postId }) => feed.find(postId) ?? []);
      return keptPage(liked, found);
    }),
  );
}

/** What those whom the viewer follows wrote and passed on, as far as it is for the viewer. */
function homeOf(found: UserVisit): readonly StoredPost[] {
  const { viewer, moment, ground } = found;
  const { feed, relations } = moment;
  const isNear = (id: string | undefined): boolean => id === viewer.id || (id !== undefined && relations.follows(viewer.id, id));
  const apart = new Set(found.lists.of(viewer.id).flatMap(({ id, memberIds }) => (ground.listFacts.find(id)?.exclusive ? memberIds : [])));
  return feed.timeline().filter((post) => {
    const { authorId, replyTo, repostOf } = post;
    const original = repostOf === undefined ? undefined : feed.find(repostOf);
    if (!isNear(authorId) || apart.has(authorId) || visibilityOf(post, ground) === 'direct') return false;
    if (ground.marks.has('mute', viewer.id, authorId) || (original && ground.marks.has('mute', viewer.id, original.authorId))) return false;
    if (repostOf !== undefined) return !ground.marks.has('withoutReblogs', viewer.id, authorId);
    return replyTo === undefined || authorId === viewer.id || isNear(feed.find(replyTo)?.authorId);
  });
}

/** Whether a post is among those that `local`, `remote` and `only_media` leave. */
function isWanted({ authorId, media }: StoredPost, { fields, ground }: Visit): boolean {
  const author = ground.stage.people.find(authorId);
  const isLocal = author !== undefined && ground.directory.domainOf(author) === undefined;
  if (fields.flag('local') && !isLocal) return false;
  if (fields.flag('remote') && isLocal) return false;
  return !fields.flag('only_media') || media.length > 0;
}
