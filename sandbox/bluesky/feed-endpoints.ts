import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { fold, hashtagsIn } from '../social/hashtags.ts';
import type { StoredPost } from '../social/posts.ts';
import { trendsAt } from '../social/discovery.ts';
import { timelineOf } from '../social/records.ts';
import { isOnTimeline } from '../social/feed.ts';
import type { WorldPerson } from '../world/world.ts';
import { fromAtUri } from './at-uri.ts';
import type { Bluesky } from './core.ts';
import {
  Actor,
  AtUri,
  type Endpoints,
  type PageRequest,
  StrongRef,
  cutPage,
  flag,
  one,
  paging,
  procedure,
  query,
  text,
  whole,
} from './endpoint.ts';
import { invalidRequest } from './refusal.ts';
import { PROFILE } from './generated-records.ts';
import { findGenerator, findList, membersOf, toGenerator, topicUri } from './list-view.ts';
import { subjectOf, toFeedItem, toPinnedItem, toPostOrAbsence } from './post-view.ts';
import { toBasicProfile } from './profile-view.ts';
import { strongRef, textAt } from './records.ts';
import { POST } from './social-records.ts';
import { type BlueskyView, authorOf, findPost, requireActor, viewOf } from './view.ts';

const FILTERS = ['posts_with_replies', 'posts_no_replies', 'posts_with_media', 'posts_and_author_threads', 'posts_with_video'] as const;

/** `app.bsky.feed`: posts one after the other. */
export function feedEndpoints(bluesky: Bluesky): Endpoints {
  function page(posts: readonly StoredPost[], pageRequest: PageRequest, view: BlueskyView): JsonObject {
    const { items, cursor } = cutPage(posts, pageRequest, { idOf: ({ id }) => id, fault: view.call.fault });
    return { cursor, feed: items.map((item) => toFeedItem(item, view)) };
  }

  return {
    'app.bsky.feed.getTimeline': query(z.object({ algorithm: text.optional(), ...paging() }), (pageRequest, call) => {
      const view = viewOf(bluesky, call);
      const { feed, relations } = view.snapshot;
      const isTheirs = ({ authorId }: StoredPost): boolean => authorId === view.viewer.id || relations.follows(view.viewer.id, authorId);
      return page(feed.timeline().filter(isTheirs), pageRequest, view);
    }),

    'app.bsky.feed.getAuthorFeed': query(
      z.object({
        actor: one(Actor),
        filter: one(z.enum(FILTERS)).default('posts_with_replies'),
        includePins: flag.default(false),
        ...paging(),
      }),
      ({ actor, filter, includePins, ...pageRequest }, call) => {
        const view = viewOf(bluesky, call);
        const person = requireActor(view, actor);
        checkBlocks(person, view);
        const pinned = includePins && pageRequest.cursor === undefined ? pinnedBy(person, view) : undefined;
        const items = timelineOf(person, view.snapshot).filter((item) => fits(item, filter, view) && item.id !== pinned?.id);
        const answer = page(items, pinned ? { ...pageRequest, limit: Math.max(1, pageRequest.limit - 1) } : pageRequest, view);
        const feed = answer['feed'];
        return pinned && Array.isArray(feed) ? { ...answer, feed: [toPinnedItem(pinned, view), ...feed] } : answer;
      },
    ),

    'app.bsky.feed.getListFeed': query(z.object({ list: one(AtUri), ...paging() }), ({ list: uri, ...pageRequest }, call) => {
      const view = viewOf(bluesky, call);
      const list = findList(uri, view);
      if (!list) throw invalidRequest('List not found', 'UnknownList');
      const members = new Set(membersOf(list, view).map(({ person }) => person.id));
      return page(
        view.snapshot.feed.timeline().filter(({ authorId }) => members.has(authorId)),
        pageRequest,
        view,
      );
    }),

    'app.bsky.feed.getFeed': query(z.object({ feed: one(AtUri), ...paging() }), ({ feed: uri, ...pageRequest }, call) => {
      const view = viewOf(bluesky, call);
      const generator = findGenerator(uri, view);
      if (!generator) throw invalidRequest('could not find feed', 'UnknownFeed');
      return page(generator.posts(), pageRequest, view);
    }),

    'app.bsky.feed.getFeedGenerator': query(z.object({ feed: one(AtUri) }), ({ feed: uri }, call) => {
      const view = viewOf(bluesky, call);
      const generator = findGenerator(uri, view);
      if (!generator) throw invalidRequest('could not find feed');
      return { view: toGenerator(generator, view), isOnline: true, isValid: true };
    }),
  };
}

function checkBlocks({ id }: WorldPerson, { snapshot, viewer }: BlueskyView): void {
  if (snapshot.relations.blocks(viewer.id, id)) throw invalidRequest(`Requester has blocked actor: ${id}`, 'BlockedActor');
  if (snapshot.relations.blocks(id, viewer.id)) throw invalidRequest(`Requester is blocked by actor: ${id}`, 'BlockedByActor');
}

function pinnedBy(person: WorldPerson, view: BlueskyView): StoredPost | undefined {
  const profile = view.bluesky.repositories.find(view.bluesky.directory.didOf(person), PROFILE, 'self');
  return findPost(view, textAt(profile?.record, 'pinnedPost', 'uri') ?? '');
}

function fits(item: StoredPost, filter: (typeof FILTERS)[number], view: BlueskyView): boolean {
  const isRepost = item.repostOf !== undefined;
  const kinds = isRepost ? [] : item.media.map(({ kind }) => kind);
  switch (filter) {
    case 'posts_with_replies':
      return true;
    case 'posts_no_replies':
      return isRepost || item.replyTo === undefined;
    case 'posts_with_media':
      return kinds.length > 0;
    case 'posts_with_video':
      return kinds.includes('video');
    case 'posts_and_author_threads':
      return isRepost || isAuthorThread(subjectOf(item, view), view);
  }
}

/** Whether a post answers nothing, or nobody but its own author all the way up. */
function isAuthorThread(post: StoredPost, view: BlueskyView): boolean {
  if (post.replyTo === undefined) return isOnTimeline(post);
  const parent = view.snapshot.feed.find(post.replyTo);
  return parent?.authorId === post.authorId && isAuthorThread(parent, view);
}

/** `app.bsky.bookmark`: what somebody keeps for themselves. It is no record: nobody else sees it. */
export function bookmarkEndpoints(bluesky: Bluesky): Endpoints {
  return {
    'app.bsky.bookmark.createBookmark': procedure(StrongRef, ({ uri }, call) => {
      checkCollection(uri);
      const view = viewOf(bluesky, call);
      const post = findPost(view, uri);
      if (post) view.snapshot.bookmarks.add(view.viewer.id, post.id);
      return undefined;
    }),

    'app.bsky.bookmark.deleteBookmark': procedure(z.looseObject({ uri: AtUri }), ({ uri }, call) => {
      checkCollection(uri);
      const view = viewOf(bluesky, call);
      const post = findPost(view, uri);
      if (post) view.snapshot.bookmarks.remove(view.viewer.id, post.id);
      return undefined;
    }),

    'app.bsky.bookmark.getBookmarks': query(z.object(paging()), (pageRequest, call) => {
      const view = viewOf(bluesky, call);
      const kept = view.snapshot.bookmarks.of(view.viewer.id).flatMap((id) => view.snapshot.feed.find(id) ?? []);
      const { items, cursor } = cutPage(kept, pageRequest, { idOf: ({ id }) => id, fault: call.fault });
      const bookmarks = items.map((post) => {
        const named = bluesky.posts.of(post);
        return { subject: strongRef(named), item: toPostOrAbsence(named.uri, view) };
      });
      return { cursor, bookmarks };
    }),
  };
}

function checkCollection(uri: string): void {
  if (fromAtUri(uri)?.collection !== POST) throw invalidRequest('Only post bookmarks are supported', 'UnsupportedCollection');
}

const MOST_ACTORS = 5;
const HOT = 3;
const DAY_MS = 86_400_000;

/** `app.bsky.unspecced`: what is talked about. */
export function trendEndpoints(bluesky: Bluesky): Endpoints {
  return {
    'app.bsky.unspecced.getTrends': query(z.object({ limit: whole({ most: 25, usual: 10 }) }), ({ limit }, call) => {
      const view = viewOf(bluesky, call);
      const trends = call.fault('emptyList') ? [] : trendsAt(view.snapshot).slice(0, limit);
      return { trends: trends.map(({ name, rank, postCount = 0 }) => toTrend(name, { rank, postCount }, view)) };
    }),
  };
}

function toTrend(
  hashtag: string,
  { rank, postCount }: { readonly rank: number; readonly postCount: number },
  view: BlueskyView,
): JsonObject {
  const { feed, now } = view.snapshot;
  const posts = feed.all().filter(({ text, createdAtMs }) => createdAtMs > now.getTime() - DAY_MS && hashtagsIn(text).has(fold(hashtag)));
  const authors = new Set(posts.map((post) => authorOf(view, post)));
  const { repo, rkey } = fromAtUri(topicUri(hashtag)) ?? {};
  return {
    topic: hashtag.slice(1),
    displayName: hashtag.slice(1),
    link: `/profile/${repo}/feed/${rkey}`,
    startedAt: new Date(posts.at(-1)?.createdAtMs ?? now).toISOString(),
    postCount,
    status: rank <= HOT ? 'hot' : undefined,
    category: 'video-games',
    actors: [...authors].slice(0, MOST_ACTORS).map((author) => toBasicProfile(author, view)),
  };
}
