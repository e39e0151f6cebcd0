import { z } from 'zod';
import type { PostConversationFilters } from '#src/social/enumerations.ts';
import type { Post } from '#src/social/records/post.ts';
import { parseRecordUri, postUrl } from '../addresses.ts';
import { PLATFORM } from '../errors.ts';
import { carriedBy } from './embed.ts';
import { Facets, toEntities } from './facets.ts';
import { anything, flag, listOf, maybe, maybeCount, maybeInstant, maybeText } from './parts.ts';
import { Profile, toPerson } from './profile.ts';

const SENSITIVE = new Set(['porn', 'sexual', 'nudity', 'sexual-figurative', 'graphic-media', 'gore', 'nsfl', 'corpse', 'self-harm']);

/** Moderation labels of a post or profile. */
const Labels = listOf(z.looseObject({ val: z.string().catch(''), neg: z.boolean().nullish().catch(undefined) })).catch([]);

/** Whether a label marks the media as sensitive; undefined if none does. */
function isSensitive(labels: z.output<typeof Labels>): true | undefined {
  const taken = new Set(labels.filter(({ neg }) => neg === true).map(({ val }) => val));
  return labels.some(({ val }) => SENSITIVE.has(val) && !taken.has(val)) || undefined;
}

const StrongRef = z.object({ uri: z.string(), cid: z.string() });
export type StrongRef = z.output<typeof StrongRef>;

const Reply = z.object({ root: StrongRef, parent: StrongRef });

/** The record of a post, from any client. */
export const PostRecord = z.object({
  text: z.string().catch(''),
  createdAt: maybeInstant,
  facets: Facets,
  langs: maybe(z.array(z.string())),
  reply: maybe(Reply),
  embed: anything,
});
export type PostRecord = z.output<typeof PostRecord>;

const GateRecord = z.object({
  allow: maybe(listOf(z.looseObject({ $type: z.string() }))),
  hiddenReplies: maybe(listOf(z.string())),
});

/** The reply rules and the hidden replies, as the author of the thread set them. */
export const Threadgate = maybe(z.object({ record: maybe(GateRecord) }));
export type Threadgate = z.output<typeof Threadgate>;

/** The names of reply rules, widest first. */
const WIDEST_FIRST = [
  ['followerRule', 'followers'],
  ['followingRule', 'following'],
  ['mentionRule', 'mentioned'],
] as const;

export function replyAudienceOf(gate: Threadgate): Post['replyAudience'] {
  const allow = gate?.record?.allow;
  if (!allow) return 'everyone';
  const rules = new Set(allow.map(({ $type }) => $type.split('#')[1]));
  return WIDEST_FIRST.find(([rule]) => rules.has(rule))?.[1] ?? 'nobody';
}

const RULES = { ByInvitation: 'mentionRule', Community: 'followingRule', Followers: 'followerRule' } as const;

/** The reply rules for a filter; undefined for a filter that Bluesky lacks. */
export function allowFor(filter: PostConversationFilters): readonly object[] | undefined {
  if (filter === 'Nobody') return [];
  return filter in RULES ? [{ $type: `app.bsky.feed.threadgate#${RULES[filter as keyof typeof RULES]}` }] : undefined; // `in` has just said so
}

const PostViewer = z.object({
  like: maybeText,
  repost: maybeText,
  bookmarked: flag,
  pinned: flag,
  replyDisabled: flag,
  embeddingDisabled: flag,
});

/** The view of a post. */
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
  viewer: maybe(PostViewer),
  labels: Labels,
  threadgate: Threadgate,
});
export type PostView = z.output<typeof PostView>;

const Repost = z.object({ $type: z.literal('app.bsky.feed.defs#reasonRepost'), by: Profile, uri: maybeText, indexedAt: maybeInstant });

/** An item of a feed: a post, or a repost with its reason. */
export const FeedPost = z.object({ post: PostView, reason: anything });
type FeedPost = z.output<typeof FeedPost>;

export function toPost(view: PostView, fetchedAt: Date): Post {
  const { uri, author, record, viewer } = view;
  const { media, quoted, card } = carriedBy(view.embed);
  const { reply } = record;
  return {
    platform: PLATFORM,
    id: uri,
    url: postUrl(author, parseRecordUri(uri)?.rkey ?? ''),
    author: toPerson(author),
    text: record.text,
    entities: toEntities(record.text, record.facets),
    language: record.langs?.[0],
    createdAt: record.createdAt ?? view.indexedAt ?? fetchedAt,
    conversationId: reply?.root.uri ?? uri,
    replyTo: reply && { postId: reply.parent.uri, userId: parseRecordUri(reply.parent.uri)?.did },
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

/** Whether a feed contains an item because its author pinned it. */
export function isPinned({ reason }: FeedPost): boolean {
  return z.looseObject({ $type: z.literal('app.bsky.feed.defs#reasonPin') }).safeParse(reason).success;
}
