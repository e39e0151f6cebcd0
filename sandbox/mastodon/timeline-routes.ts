import { mostLikedFirst, trendsAt } from '../social/discovery.ts';
import type { StoredPost } from '../social/posts.ts';
import { offsetPage, pageAnswer, STATUSES, statusesAnswer, storedStatusesAnswer } from './paging.ts';
import { routeNotFound } from './refusal.ts';
import type { MastodonRequest, Routes, SignedInRequest } from './request.ts';
import { postsTagged, toStatus, toTag } from './status-json.ts';
import { visibilityOf } from './visibility.ts';

const TAGS = { usual: 10, most: 20 };

/** Timelines, bookmarks and trends. */
export function timelineRoutes(routes: Routes): void {
  routes.signedIn('GET /v1/timelines/home', 'read:statuses', (request) => statusesAnswer(homeTimeline(request), request));

  routes.open('GET /v1/timelines/tag/:name', (request) => {
    const onlyMedia = request.fields.flag('only_media');
    const posts = postsTagged(request.param('name'), request).filter(({ media }) => !onlyMedia || media.length > 0);
    return statusesAnswer(posts, request);
  });

  routes.signedIn('GET /v1/bookmarks', 'read:bookmarks', (request) => {
    const { bookmarks, feed } = request.snapshot;
    return storedStatusesAnswer(
      bookmarks.of(request.viewer.id).flatMap((id) => feed.find(id) ?? []),
      request,
    );
  });

  routes.open('GET /v1/trends/tags', (request) => {
    const page = offsetPage(trendsAt(publicSnapshot(request)), request, TAGS);
    return pageAnswer(request, { ...page, items: page.items.map(({ name }) => toTag(name.slice(1), request)) });
  });

  routes.open('GET /v1/trends/statuses', (request) => {
    const snapshot = publicSnapshot(request);
    const posts = snapshot.feed.all().filter(({ replyTo }) => replyTo === undefined);
    const page = offsetPage(mostLikedFirst(posts, snapshot), request, STATUSES);
    return pageAnswer(request, { ...page, items: page.items.map((post) => toStatus(post, request)) });
  });

  routes.open('GET /v1/tags/:name', (request) => toTag(request.param('name'), request));
}

/** The posts and boosts of the people whom the viewer follows, without replies to other people. */
export function homeTimeline({ viewer, snapshot, state, lists }: SignedInRequest): readonly StoredPost[] {
  const { feed, relations } = snapshot;
  const isNear = (id: string | undefined): boolean => id === viewer.id || (id !== undefined && relations.follows(viewer.id, id));
  const excluded = new Set(lists.of(viewer.id).flatMap(({ id, memberIds }) => (state.lists.get(id)?.exclusive ? memberIds : [])));
  return feed.timeline().filter((post) => {
    const { authorId, replyTo } = post;
    if (!isNear(authorId) || excluded.has(authorId) || visibilityOf(post, state) === 'direct') return false;
    return replyTo === undefined || authorId === viewer.id || isNear(feed.find(replyTo)?.authorId);
  });
}

/** The snapshot with public posts only. */
function publicSnapshot({ snapshot, state }: MastodonRequest): MastodonRequest['snapshot'] {
  if (!state.settings.features.isMastodon) throw routeNotFound();
  const posts = snapshot.feed.all().filter((post) => visibilityOf(post, state) === 'public');
  return { ...snapshot, feed: { ...snapshot.feed, all: () => posts } };
}
