import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { StoredPost } from '../../social/posts.ts';
import { timelineOf } from '../../social/user-record.ts';
import { isOnTimeline } from '../../social/visibility.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { Bluesky } from '../core.ts';
import { textAt } from '../repo/references.ts';
import { PROFILE } from '../repo/unwritten.ts';
import { subjectOf, toFeedItem, toPinnedItem } from '../view/feed-item.ts';
import { findGenerator, toGenerator } from '../view/generators.ts';
import { findList, membersOf } from '../view/list.ts';
import { findPost, lookOf, requireActor, type Look } from '../view/look.ts';
import { query, type Endpoints } from '../xrpc/endpoint.ts';
import { Actor, AtUri, flag, many, one, paging, text } from '../xrpc/params.ts';
import { cutPage, type Asked } from '../xrpc/paging.ts';
import { invalidRequest } from '../xrpc/refusal.ts';

const FILTERS = ['posts_with_replies', 'posts_no_replies', 'posts_with_media', 'posts_and_author_threads', 'posts_with_video'] as const;

/** `app.bsky.feed`: posts one after the other. */
export function feedEndpoints(bluesky: Bluesky): Endpoints {
  function page(posts: readonly StoredPost[], asked: Asked, look: Look): JsonObject {
    const { items, cursor } = cutPage(posts, asked, { idOf: ({ id }) => id, fault: look.call.fault });
    return { cursor, feed: items.map((item) => toFeedItem(item, look)) };
  }

  return {
    'app.bsky.feed.getTimeline': query(z.object({ algorithm: text.optional(), ...paging() }), (asked, call) => {
      const look = lookOf(bluesky, call);
      const { feed, relations } = look.moment;
      const isTheirs = ({ authorId }: StoredPost): boolean => authorId === look.viewer.id || relations.follows(look.viewer.id, authorId);
      return page(feed.timeline().filter(isTheirs), asked, look);
    }),

    'app.bsky.feed.getAuthorFeed': query(
      z.object({
        actor: one(Actor),
        filter: one(z.enum(FILTERS)).default('posts_with_replies'),
        includePins: flag.default(false),
        ...paging(),
      }),
      ({ actor, filter, includePins, ...asked }, call) => {
        const look = lookOf(bluesky, call);
        const person = requireActor(look, actor);
        checkBlocks(person, look);
        const pinned = includePins && asked.cursor === undefined ? pinnedBy(person, look) : undefined;
        const items = timelineOf(person, look.moment).filter((item) => fits(item, filter, look) && item.id !== pinned?.id);
        const answer = page(items, pinned ? { ...asked, limit: Math.max(1, asked.limit - 1) } : asked, look);
        const feed = answer['feed'];
        return pinned && Array.isArray(feed) ? { ...answer, feed: [toPinnedItem(pinned, look), ...feed] } : answer;
      },
    ),

    'app.bsky.feed.getActorLikes': query(z.object({ actor: one(Actor), ...paging() }), ({ actor, ...asked }, call) => {
      const look = lookOf(bluesky, call);
      const person = requireActor(look, actor);
      if (person.id !== look.viewer.id) throw invalidRequest('Profile not found');
      const liked = look.moment.reactions.by('like', person.id).flatMap(({ postId }) => look.moment.feed.find(postId) ?? []);
      return page(liked, asked, look);
    }),

    'app.bsky.feed.getListFeed': query(z.object({ list: one(AtUri), ...paging() }), ({ list: uri, ...asked }, call) => {
      const look = lookOf(bluesky, call);
      const list = findList(uri, look);
      if (!list) throw invalidRequest('List not found', 'UnknownList');
      const members = new Set(membersOf(list, look).map(({ person }) => person.id));
      return page(
        look.moment.feed.timeline().filter(({ authorId }) => members.has(authorId)),
        asked,
        look,
      );
    }),

    'app.bsky.feed.getFeed': query(z.object({ feed: one(AtUri), ...paging() }), ({ feed: uri, ...asked }, call) => {
      const look = lookOf(bluesky, call);
      const generator = findGenerator(uri, look);
      if (!generator) throw invalidRequest('could not find feed', 'UnknownFeed');
      return page(generator.posts(), asked, look);
    }),

    'app.bsky.feed.getFeedGenerator': query(z.object({ feed: one(AtUri) }), ({ feed: uri }, call) => {
      const look = lookOf(bluesky, call);
      const generator = findGenerator(uri, look);
      if (!generator) throw invalidRequest('could not find feed');
      return { view: toGenerator(generator, look), isOnline: true, isValid: true };
    }),

    'app.bsky.feed.getFeedGenerators': query(z.object({ feeds: many(AtUri) }), ({ feeds }, call) => {
      const look = lookOf(bluesky, call);
      const found = feeds.flatMap((uri) => findGenerator(uri, look) ?? []);
      return { feeds: found.map((generator) => toGenerator(generator, look)) };
    }),
  };
}

function checkBlocks({ id }: WorldPerson, { moment, viewer }: Look): void {
  if (moment.relations.blocks(viewer.id, id)) throw invalidRequest(`Requester has blocked actor: ${id}`, 'BlockedActor');
  if (moment.relations.blocks(id, viewer.id)) throw invalidRequest(`Requester is blocked by actor: ${id}`, 'BlockedByActor');
}

function pinnedBy(person: WorldPerson, look: Look): StoredPost | undefined {
  const profile = look.bluesky.repositories.find(look.bluesky.directory.didOf(person), PROFILE, 'self');
  return findPost(look, textAt(profile?.record, 'pinnedPost', 'uri') ?? '');
}

function fits(item: StoredPost, filter: (typeof FILTERS)[number], look: Look): boolean {
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
      return isRepost || isOwnThread(subjectOf(item, look), look);
  }
}

/** Whether a post answers nothing, or nobody but its own author all the way up. */
function isOwnThread(post: StoredPost, look: Look): boolean {
  if (post.replyTo === undefined) return isOnTimeline(post);
  const parent = look.moment.feed.find(post.replyTo);
  return parent?.authorId === post.authorId && isOwnThread(parent, look);
}
