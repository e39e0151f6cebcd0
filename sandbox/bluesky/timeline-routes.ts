import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StoredPost } from '../social/posts.ts';
import { timelineOf } from '../social/records.ts';
import { AtUri, StrongRef } from './addresses.ts';
import { findGenerator, toGenerator } from './generators.ts';
import { membersOf, requireList } from './list-routes.ts';
import { findPost, pinnedBy, toFeedItem, toPostOrAbsence } from './post-json.ts';
import { recordOf, strongRef } from './post-records.ts';
import { objectsAt } from './records.ts';
import { invalidRequest } from './refusal.ts';
import {
  actor,
  atUri,
  flag,
  one,
  pageAnswer,
  paging,
  procedure,
  query,
  requireActor,
  type SignedInRequest,
  type XrpcRoute,
} from './request.ts';

const FILTERS = ['posts_with_replies', 'posts_no_replies', 'posts_with_media', 'posts_and_author_threads'] as const;

type Page = z.output<z.ZodObject<typeof paging>>;

/** `app.bsky.feed` and `app.bsky.bookmark`: lists of posts. */
export const timelineRoutes: readonly XrpcRoute[] = [
  query('app.bsky.feed.getTimeline', paging, (page, request) => {
    const { snapshot, viewer } = request;
    const ids = new Set([viewer.id, ...snapshot.relations.followingsOf(viewer.id)]);
    return feedPage(
      snapshot.feed.timeline().filter(({ authorId }) => ids.has(authorId)),
      page,
      request,
    );
  }),

  query(
    'app.bsky.feed.getAuthorFeed',
    { actor, filter: one(z.enum(FILTERS)).default('posts_with_replies'), includePins: flag.default(false), ...paging },
    ({ actor: name, filter, includePins, ...page }, request) => {
      const person = requireActor(name, request);
      const pinned = includePins && page.cursor === undefined ? findPost(pinnedBy(person, request) ?? '', request) : undefined;
      const items = timelineOf(person, request.snapshot).filter((item) => fits(item, filter) && item.id !== pinned?.id);
      const answer = feedPage(items, page, request);
      if (!pinned) return answer;
      const first = { ...toFeedItem(pinned, request), reason: { $type: 'app.bsky.feed.defs#reasonPin' } };
      return { ...answer, feed: [first, ...objectsAt(answer, 'feed')] };
    },
  ),

  query('app.bsky.feed.getListFeed', { list: atUri, ...paging }, ({ list: uri, ...page }, request) => {
    const ids = new Set(membersOf(requireList(uri, request, 'UnknownList'), request).map(({ person }) => person.id));
    return feedPage(
      request.snapshot.feed.timeline().filter(({ authorId }) => ids.has(authorId)),
      page,
      request,
    );
  }),

  query('app.bsky.feed.getFeed', { feed: atUri, ...paging }, ({ feed: uri, ...page }, request) => {
    const generator = findGenerator(uri, request);
    if (!generator) throw invalidRequest('could not find feed', 'UnknownFeed');
    return feedPage(generator.posts(), page, request);
  }),

  query('app.bsky.feed.getFeedGenerator', { feed: atUri }, ({ feed: uri }, request) => {
    const generator = findGenerator(uri, request);
    if (!generator) throw invalidRequest('could not find feed');
    return { view: toGenerator(generator), isOnline: true, isValid: true };
  }),

  procedure('app.bsky.bookmark.createBookmark', StrongRef, ({ uri }, request) => {
    const post = findPost(uri, request);
    if (post) request.snapshot.bookmarks.add(request.viewer.id, post.id);
    return undefined;
  }),

  procedure('app.bsky.bookmark.deleteBookmark', z.looseObject({ uri: AtUri }), ({ uri }, request) => {
    const post = findPost(uri, request);
    if (post) request.snapshot.bookmarks.remove(request.viewer.id, post.id);
    return undefined;
  }),

  query('app.bsky.bookmark.getBookmarks', paging, (page, request) => {
    const { bookmarks, feed } = request.snapshot;
    const posts = bookmarks.of(request.viewer.id).flatMap((id) => feed.find(id) ?? []);
    return pageAnswer('bookmarks', posts, page, request, (post) => {
      const named = recordOf(post, request.state);
      return { subject: strongRef(named), item: toPostOrAbsence(named.uri, request) };
    });
  }),
];

function feedPage(posts: readonly StoredPost[], page: Page, request: SignedInRequest): JsonObject {
  return pageAnswer('feed', posts, page, request, (item) => toFeedItem(item, request));
}

function fits({ repostOf, replyTo, media }: StoredPost, filter: (typeof FILTERS)[number]): boolean {
  if (filter === 'posts_no_replies') return repostOf !== undefined || replyTo === undefined;
  return filter !== 'posts_with_media' || (repostOf === undefined && media.length > 0);
}
