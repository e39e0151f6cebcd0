import type { z } from 'zod';
import {
  countIn,
  filledIn,
  flagIn,
  instantIn,
  listIn,
  needed,
  neededObject,
  objectIn,
  rowOf,
  rowsIn,
  textIn,
  type WireObject,
} from '#src/http/values.ts';
import type { PostConversationFilters } from '#src/clients/social/enumerations.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { type SensitiveMedia, warningOf } from '#src/clients/operation/text/content-warning.ts';
import { parseRecordUri, postUrl } from '../addresses.ts';
import { PLATFORM } from '../errors.ts';
import { carriedBy } from './embed.ts';
import { facetsIn, toText } from './facets.ts';
import { readProfile, toPerson } from './profile.ts';

/** The labels of media, and the kind that each marks. */
const MEDIA_LABELS: ReadonlyMap<string, SensitiveMedia> = new Map([
  ['porn', 'adult'],
  ['sexual', 'suggestive'],
  ['sexual-figurative', 'suggestive'],
  ['nudity', 'nudity'],
  ['graphic-media', 'graphic'],
  ['gore', 'graphic'],
  ['nsfl', 'graphic'],
  ['corpse', 'graphic'],
  ['self-harm', 'graphic'],
]);

/** The labels that an author can set, by kind. */
const SELF_LABELS: Readonly<Record<SensitiveMedia, string>> = {
  adult: 'porn',
  suggestive: 'sexual',
  nudity: 'nudity',
  graphic: 'graphic-media',
};

/** The labels of a record, which its author sets for the kinds. */
export function selfLabels(kinds: readonly SensitiveMedia[]): object {
  return { $type: 'com.atproto.label.defs#selfLabels', values: [...new Set(kinds)].map((kind) => ({ val: SELF_LABELS[kind] })) };
}

/** The warning and the marking of the media that labels state. */
export function warningIn(labels: readonly Label[]): Pick<Post, 'warning' | 'sensitive'> {
  if (labels.length === 0) return {};
  const taken = new Set(labels.filter(({ neg }) => neg === true).map(({ val }) => val));
  const kinds = labels.flatMap(({ val }) => (taken.has(val) ? [] : (MEDIA_LABELS.get(val) ?? [])));
  return { warning: warningOf(kinds), sensitive: kinds.length > 0 || undefined };
}

/** A moderation label of a post. */
interface Label {
  readonly val: string;
  readonly neg: boolean | undefined;
}

function labelIn(wire: unknown): Label | undefined {
  const label = objectIn(wire);
  return label && { val: textIn(label['val']) ?? '', neg: flagIn(label['neg']) };
}

export interface StrongRef {
  readonly uri: string;
  readonly cid: string;
}

function refIn(wire: unknown): StrongRef | undefined {
  const ref = objectIn(wire);
  const [uri, cid] = [textIn(ref?.['uri']), textIn(ref?.['cid'])];
  return uri === undefined || cid === undefined ? undefined : { uri, cid };
}

function replyIn(wire: unknown) {
  const reply = objectIn(wire);
  const [root, parent] = [refIn(reply?.['root']), refIn(reply?.['parent'])];
  return root && parent && { root, parent };
}

function languagesIn(wire: unknown): readonly string[] | undefined {
  const languages = rowsIn(wire, textIn);
  return Array.isArray(wire) && languages.length === wire.length ? languages : undefined;
}

function readRecord(record: WireObject) {
  return {
    text: textIn(record['text']) ?? '',
    createdAt: instantIn(record['createdAt']),
    facets: facetsIn(record['facets']),
    langs: languagesIn(record['langs']),
    reply: replyIn(record['reply']),
    embed: record['embed'],
    labels: rowsIn(objectIn(record['labels'])?.['values'], labelIn),
  };
}

/** The record of a post, from any client. */
export const PostRecord = rowOf(readRecord);
export type PostRecord = z.output<typeof PostRecord>;

function ruleIn(wire: unknown): string | undefined {
  return textIn(objectIn(wire)?.['$type']);
}

/** The reply rules and the hidden replies, as the author of the thread set them. */
export function threadgateIn(wire: unknown) {
  const gate = objectIn(objectIn(wire)?.['record']);
  return gate && { allow: listIn(gate['allow'], ruleIn), hiddenReplies: listIn(gate['hiddenReplies'], textIn) };
}
type Threadgate = ReturnType<typeof threadgateIn>;

/** The names of reply rules, widest first. */
const WIDEST_FIRST = [
  ['followerRule', 'followers'],
  ['followingRule', 'following'],
  ['mentionRule', 'mentioned'],
] as const;

export function replyAudienceOf(gate: Threadgate): Post['replyAudience'] {
  if (!gate?.allow) return 'everyone';
  const rules = new Set(gate.allow.map((type) => type.split('#')[1]));
  return WIDEST_FIRST.find(([rule]) => rules.has(rule))?.[1] ?? 'nobody';
}

const RULES: ReadonlyMap<string, string> = new Map([
  ['ByInvitation', 'mentionRule'],
  ['Community', 'followingRule'],
  ['Followers', 'followerRule'],
]);

/** The reply rules for a filter; undefined for a filter that Bluesky lacks. */
export function allowFor(filter: PostConversationFilters): readonly object[] | undefined {
  if (filter === 'Nobody') return [];
  const rule = RULES.get(filter);
  return rule === undefined ? undefined : [{ $type: `app.bsky.feed.threadgate#${rule}` }];
}

function viewerIn(wire: unknown) {
  const viewer = objectIn(wire);
  return (
    viewer && {
      like: filledIn(viewer['like']),
      repost: filledIn(viewer['repost']),
      bookmarked: flagIn(viewer['bookmarked']) ?? false,
      pinned: flagIn(viewer['pinned']) ?? false,
      replyDisabled: flagIn(viewer['replyDisabled']) ?? false,
      embeddingDisabled: flagIn(viewer['embeddingDisabled']) ?? false,
    }
  );
}

function uriIn(wire: unknown): string | undefined {
  return typeof wire === 'string' && wire.startsWith('at://') ? wire : undefined;
}

function readView(view: WireObject) {
  return {
    uri: needed(uriIn(view['uri']), 'uri'),
    cid: needed(textIn(view['cid']), 'cid'),
    author: neededObject(view['author'], 'author', readProfile),
    record: neededObject(view['record'], 'record', readRecord),
    embed: view['embed'],
    indexedAt: instantIn(view['indexedAt']),
    likeCount: countIn(view['likeCount']),
    repostCount: countIn(view['repostCount']),
    replyCount: countIn(view['replyCount']),
    quoteCount: countIn(view['quoteCount']),
    bookmarkCount: countIn(view['bookmarkCount']),
    viewer: viewerIn(view['viewer']),
    labels: rowsIn(view['labels'], labelIn),
    threadgate: threadgateIn(view['threadgate']),
  };
}

/** The view of a post. */
export const PostView = rowOf(readView);
export type PostView = z.output<typeof PostView>;

const Repost = rowOf((reason) => ({
  by: neededObject(reason['by'], 'by', readProfile),
  uri: filledIn(reason['uri']),
  indexedAt: instantIn(reason['indexedAt']),
}));

/** An item of a feed: a post, or a repost with its reason. */
export const FeedPost = rowOf((item) => ({ post: neededObject(item['post'], 'post', readView), reason: objectIn(item['reason']) }));
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
    ...toText(record.text, record.facets),
    language: record.langs?.[0],
    createdAt: record.createdAt ?? view.indexedAt ?? fetchedAt,
    conversationId: reply?.root.uri ?? uri,
    replyTo: reply && { postId: reply.parent.uri, userId: parseRecordUri(reply.parent.uri)?.did },
    quoted,
    media: [...media],
    card,
    ...warningIn(view.labels),
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
  const repost = reason?.['$type'] === 'app.bsky.feed.defs#reasonRepost' ? Repost.safeParse(reason).data : undefined;
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
  return reason?.['$type'] === 'app.bsky.feed.defs#reasonPin';
}
