import { z } from 'zod';
import type { Post } from '#src/social/records/post.ts';
import { postUrl } from '../addresses.ts';
import { placeOf } from '../at-uri.ts';
import { PLATFORM } from '../platform.ts';
import { carriedBy } from './embed.ts';
import { toEntities } from './facets.ts';
import { isSensitive, Labels } from './labels.ts';
import { anything, flag, maybe, maybeCount, maybeInstant, maybeText } from './parts.ts';
import { Profile, toPerson } from './profile.ts';
import { PostRecord } from './record.ts';
import { replyAudienceOf, Threadgate } from './threadgate.ts';

const Viewer = z.object({
  like: maybeText,
  repost: maybeText,
  bookmarked: flag,
  pinned: flag,
  replyDisabled: flag,
  embeddingDisabled: flag,
});

/** A post, as somebody sees it. */
export const PostView = z.object({
  uri: z.string().startsWith('at://'),
  cid: z.string(),
  author: Profile,
  record: PostRecord,
  embed: anything,
  indexedAt: maybeInstant,
  likeCount: maybeCount,
  repostCount: maybeCount,
  replyCount: maybeCount,
  quoteCount: maybeCount,
  bookmarkCount: maybeCount,
  viewer: maybe(Viewer),
  labels: Labels,
  threadgate: Threadgate,
});
export type PostView = z.output<typeof PostView>;

const Repost = z.object({ $type: z.literal('app.bsky.feed.defs#reasonRepost'), by: Profile, uri: maybeText, indexedAt: maybeInstant });

/** A post as it stands in a feed: as itself, or because somebody passed it on. */
export const FeedPost = z.object({ post: PostView, reason: anything });
type FeedPost = z.output<typeof FeedPost>;

export function toPost(view: PostView, fetchedAt: Date): Post {
  const { uri, author, record, viewer } = view;
  const { media, quoted, card } = carriedBy(view.embed);
  const { reply } = record;
  return {
    platform: PLATFORM,
    id: uri,
    url: postUrl(author, placeOf(uri)?.rkey ?? ''),
    author: toPerson(author),
    text: record.text,
    entities: toEntities(record.text, record.facets),
    language: record.langs?.[0],
    createdAt: record.createdAt ?? view.indexedAt ?? fetchedAt,
    conversationId: reply?.root.uri ?? uri,
    replyTo: reply && { postId: reply.parent.uri, userId: placeOf(reply.parent.uri)?.did },
    quoted,
    media: [...media],
    card,
    sensitive: isSensitive(view.labels),
    visibility: 'public',
    replyAudience: replyAudienceOf(view.threadgate),
    counts: {
      likes: view.likeCount ?? 0,
      reposts: view.repostCount ?? 0,
      replies: view.replyCount ?? 0,
      quotes: view.quoteCount ?? 0,
      bookmarks: view.bookmarkCount,
    },
    viewer: viewer && {
      liked: viewer.like !== undefined,
      reposted: viewer.repost !== undefined,
      bookmarked: viewer.bookmarked,
      pinned: viewer.pinned,
    },
    fetchedAt,
  };
}

export function fromFeed({ post, reason }: FeedPost, fetchedAt: Date): Post {
  const original = toPost(post, fetchedAt);
  const { data: repost } = Repost.safeParse(reason);
  if (!repost) return original;
  return {
    ...original,
    id: repost.uri ?? `${post.uri}#${repost.by.did}`,
    author: toPerson(repost.by),
    createdAt: repost.indexedAt ?? original.createdAt,
    replyTo: undefined,
    repostOf: post.uri,
  };
}

/** Whether it stands where it does because its author pinned it. */
export function isPinned({ reason }: FeedPost): boolean {
  return z.looseObject({ $type: z.literal('app.bsky.feed.defs#reasonPin') }).safeParse(reason).success;
}
