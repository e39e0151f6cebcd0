import type { NamesByOperation } from '#src/clients/operation/notifier.ts';
import { HOME_TIMELINE_TYPE_FOLLOWING } from '#src/clients/social/enumerations.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import type { AccountContext } from '../account-context.ts';
import { readRelationships } from '../operations/accounts.ts';

/** A subscription to a stream. */
type Stream =
  | { readonly stream: 'user' | 'user:notification' | 'direct' }
  | { readonly stream: 'list'; readonly list: string }
  | { readonly stream: 'hashtag'; readonly tag: string };

/** The streams that have what the rules watch. */
export interface WatchedStreams {
  /** The subscriptions by their names, for example `hashtag cats`. */
  readonly streams: ReadonlyMap<string, Stream>;
  /** The names that the streams have. */
  readonly covered: NamesByOperation;
  /** The names of users whose posts are in no stream. */
  readonly unfollowed: readonly string[];
  /** The watched names of users by the id of their account. */
  readonly usersById: ReadonlyMap<string, readonly string[]>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly tags: ReadonlyMap<string, readonly string[]>;
}

/** The operations whose answers are posts of a user. */
export const OF_USERS = ['getPosts', 'getUserMedia'] as const;

/** The name of a hashtag as servers compare it. */
export const tagOf = (name: string): string => name.replace(/^[#＃]/u, '').toLowerCase();

/** Whether a name is the home timeline with the posts of followed accounts. The other one has the trends of the server. */
export const isFollowing = (name: string): boolean => name.toLowerCase() === HOME_TIMELINE_TYPE_FOLLOWING.toLowerCase();

/** Finds the streams for what the rules watch. The posts of an account are only in streams if the account is followed. */
export async function watchedStreams(
  watched: NamesByOperation,
  { api, accounts }: Pick<AccountContext, 'api' | 'accounts'>,
  signal: AbortSignal,
): Promise<WatchedStreams> {
  const of = (operation: string): readonly string[] => watched.get(operation) ?? [];
  const names = [...new Set(OF_USERS.flatMap(of))];
  const found = await Promise.all(names.map(async (name) => ({ name, id: await ignoreFaults(accounts.idOf(name, signal), 'missing') })));
  const known = found.flatMap(({ name, id }) => (id === undefined ? [] : [{ name, id }]));
  const me = known.length > 0 ? await accounts.myId(signal) : '';
  const ids = [...new Set(known.map(({ id }) => id))].filter((id) => id !== me);
  const relationships = await readRelationships(api, ids, signal);
  const isFollowed = (id: string): boolean => id === me || relationships.get(id)?.viewer.following === true;

  const followed = new Set(known.flatMap(({ name, id }) => (isFollowed(id) ? [name] : [])));
  const home = of('getHomeTimeline').filter(isFollowing);
  const lists = namesBy(of('getListPosts').map((name) => [name, name]));
  const tags = namesBy(of('getTopicPosts').map((name) => [tagOf(name), name]));
  const hasNotifications = of('getMentions').length > 0 || of('getPostNotifications').length > 0;

  const streams: Stream[] = [
    ...[...lists.keys()].map((list) => ({ stream: 'list', list }) as const),
    ...[...tags.keys()].map((tag) => ({ stream: 'hashtag', tag }) as const),
  ];
  // The stream of the user has its notifications too.
  if (home.length > 0 || followed.size > 0) streams.unshift({ stream: 'user' });
  else if (hasNotifications) streams.unshift({ stream: 'user:notification' });
  if (of('getInbox').length > 0) streams.push({ stream: 'direct' });

  const covered = [
    ['getHomeTimeline', home],
    ...OF_USERS.map((operation) => [operation, of(operation).filter((name) => followed.has(name))] as const),
    ...(['getMentions', 'getPostNotifications', 'getInbox', 'getListPosts', 'getTopicPosts'] as const).map(
      (operation) => [operation, of(operation)] as const,
    ),
  ] as const;
  return {
    streams: new Map(streams.map((stream) => [nameOf(stream), stream])),
    covered: new Map(covered.filter(([, some]) => some.length > 0)),
    unfollowed: names.filter((name) => !followed.has(name)),
    usersById: namesBy(known.map(({ name, id }) => [id, name])),
    lists,
    tags,
  };
}

function nameOf(stream: Stream): string {
  if (stream.stream === 'list') return `list ${stream.list}`;
  return stream.stream === 'hashtag' ? `hashtag ${stream.tag}` : stream.stream;
}

function namesBy(pairs: readonly (readonly [key: string, name: string])[]): ReadonlyMap<string, readonly string[]> {
  return new Map([...Map.groupBy(pairs, ([key]) => key)].map(([key, some]) => [key, some.map(([, name]) => name)]));
}
