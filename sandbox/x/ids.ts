import type { Communities, StoredCommunity } from '../social/communities.ts';
import type { Feed } from '../social/feed.ts';
import type { StoredList, UserLists } from '../social/lists.ts';
import type { StoredGroup, StoredMessage } from '../social/messaging/direct-messages.ts';
import { directId } from '../social/messaging/mailbox.ts';
import { type People, SELF } from '../social/people.ts';
import type { StoredMedia, StoredPost, WrittenPost, WrittenPosts } from '../social/posts.ts';
import { below, createDice } from '../world/dice.ts';
import type { WorldPerson } from '../world/world.ts';

/** The ids of X count from this instant. */
const EPOCH_MS = 1_288_834_974_657;
const LOW_BITS = 22n;
const LOW_VALUES = 2 ** 22;
/** The low bits of a post id have room for the versions of the post. */
const VERSIONS = 8;
const MESSAGE_KINDS = ['message', 'letter', 'answer', 'group'];

/** An id of X: an instant and bits that distinguish ids of the same millisecond. */
export function snowflake(atMs: number, low: number): string {
  return String((BigInt(Math.max(0, Math.floor(atMs) - EPOCH_MS)) << LOW_BITS) | BigInt(low % LOW_VALUES));
}

/** The creation time of an id. */
export function instantOf(id: string): number {
  return Number(BigInt(id) >> LOW_BITS) + EPOCH_MS;
}

/** Constant low bits for a name. */
export function lowBitsOf(name: string): number {
  return below(LOW_VALUES, createDice(0, name)(0));
}

export function isId(text: string): boolean {
  return /^\d{1,19}$/.test(text);
}

/** The id of the account that the credentials of the sandbox sign in. */
export const SELF_ID = snowflake(SELF.createdAt.getTime(), 1);

export function userId({ id }: Pick<WorldPerson, 'id'>): string {
  return id === SELF.id ? SELF_ID : id;
}

export function findById(id: string, people: People): WorldPerson | undefined {
  if (id === SELF_ID) return SELF;
  const person = isId(id) ? people.find(id) : undefined;
  return person?.id === id ? person : undefined;
}

export function findByUsername(username: string, people: People): WorldPerson | undefined {
  const person = people.find(username);
  return person?.handle === username.toLowerCase() ? person : undefined;
}

/** One version of a post. On X, each edit has a new id. */
export interface PostVersion {
  readonly id: string;
  readonly post: StoredPost;
  readonly text: string;
  readonly media: readonly StoredMedia[];
  /** The ids of all versions, oldest first. */
  readonly history: readonly string[];
}

/** The versions of a post, oldest first. */
export function versionsOf(post: StoredPost): readonly PostVersion[] {
  const current = { text: post.text, media: post.media, atMs: post.editedAtMs ?? post.createdAtMs };
  const versions = post.repostOf === undefined ? [...post.earlier, current] : [{ ...current, atMs: post.createdAtMs }];
  const number = /^own-(\d+)$/.exec(post.id)?.[1];
  const history = versions.map(({ atMs }, version) =>
    snowflake(atMs, number === undefined ? lowBitsOf(post.id) : Number(number) * VERSIONS + version),
  );
  return versions.map(({ text, media }, version) => ({ id: history[version] ?? '', post, text, media, history }));
}

export function latestOf(post: StoredPost): PostVersion {
  const latest = versionsOf(post).at(-1);
  if (!latest) throw new Error(`post ${post.id} has no version`);
  return latest;
}

export const postId = (post: StoredPost): string => latestOf(post).id;

/** The id of the first version, which is the id of the conversation that the post began. */
export const firstId = (post: StoredPost): string => versionsOf(post)[0]?.id ?? '';

/** Finds the posts of a feed by their ids. */
export function postIndex(feed: Feed): (id: string) => PostVersion | undefined {
  const indexed = (posts: readonly StoredPost[]): ReadonlyMap<string, PostVersion> =>
    new Map(posts.flatMap(versionsOf).map((version) => [version.id, version]));
  let posts: ReadonlyMap<string, PostVersion> | undefined;
  let reposts: ReadonlyMap<string, PostVersion> | undefined;
  return (id) => {
    posts ??= indexed(feed.all());
    // There are many reposts, and requests rarely name them.
    return posts.get(id) ?? (reposts ??= indexed(feed.timeline().filter(({ repostOf }) => repostOf !== undefined))).get(id);
  };
}

/** The written post with this id, whether or not reads show it. */
export function findWritten(id: string, written: WrittenPosts): WrittenPost | undefined {
  return written.all().find((post) => versionsOf(post).some((version) => version.id === id));
}

export function listId({ id, createdAtMs }: Pick<StoredList, 'id' | 'createdAtMs'>): string {
  return snowflake(createdAtMs, Number(id.slice('list-'.length)));
}

/** The list with this id, if it was not deleted. */
export function findList(id: string, lists: UserLists): StoredList | undefined {
  const list = lists.find(`list-${BigInt(id) & 0x3fffffn}`);
  return list && listId(list) === id && list.deletedAtMs === undefined ? list : undefined;
}

export function communityId({ id, createdAtMs }: Pick<StoredCommunity, 'id' | 'createdAtMs'>): string {
  return snowflake(createdAtMs, lowBitsOf(id));
}

export function findCommunity(id: string, communities: Communities): StoredCommunity | undefined {
  return communities.all.find((community) => communityId(community) === id);
}

export function eventId({ id, createdAtMs }: Pick<StoredMessage, 'id' | 'createdAtMs'>): string {
  const [, kind = '', number = '0'] = /^([a-z]+)-(\d+)$/.exec(id) ?? [];
  return snowflake(createdAtMs, Number(number) * MESSAGE_KINDS.length + Math.max(0, MESSAGE_KINDS.indexOf(kind)));
}

export function groupId({ id, createdAtMs }: Pick<StoredGroup, 'id' | 'createdAtMs'>): string {
  return snowflake(createdAtMs, Number(id.slice('group-'.length)));
}

/** The id of a conversation: a number for a group, and both user ids for two people. */
export function conversationId(storedId: string, groups: readonly StoredGroup[]): string {
  const group = groups.find(({ id }) => id === storedId);
  if (group) return groupId(group);
  return storedId
    .split('-')
    .map((id) => userId({ id }))
    .toSorted(byNumber)
    .join('-');
}

export function storedConversationId(id: string, people: People, groups: readonly StoredGroup[]): string | undefined {
  const group = groups.find((one) => groupId(one) === id);
  if (group) return group.id;
  const ids = id.split('-');
  const [one, other] = ids.map((part) => findById(part, people));
  return one && other && ids.length === 2 && ids.toSorted(byNumber).join('-') === id ? directId(one.id, other.id) : undefined;
}

function byNumber(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}

/** The app of the sandbox. These values open nothing but a sandbox. */
export const credentials = {
  clientId: 'SandboxXClientForFanfare0',
  clientSecret: 'sandbox-x-client-secret',
  /** The token of the app, without an account. */
  bearerToken: 'AAAAAAAAAAAAAAAAAAAAASandboxXBearer',
  /** OAuth 1.0a. */
  apiKey: 'sandboxXApiKey',
  apiSecret: 'sandboxXApiSecret',
  accessSecret: 'sandboxXAccessSecret',
  /** The ids of the app and its owner. */
  appNumber: '31415926',
  accountNumber: '1753000000000000',
} as const;
