import type { StreamingClient } from './lookup-clients.ts';
import { INVISIBLE } from '#src/clients/operation/text/characters.ts';
import type { User } from '#src/clients/streaming/records.ts';
import { PlatformError } from '#src/errors.ts';

/** The hosts of channel pages, by platform. */
const HOSTS: Readonly<Record<string, string>> = { twitch: 'twitch.tv', kick: 'kick.com', youtube: 'youtube.com' };
/** Handles have a mark in the addresses of this platform. */
const MARKED = 'youtube';
/** The ids of channels on YouTube have capitals, and the addresses of older channels a folder before the name. */
const CHANNEL_ID = /^UC[\w-]{22}$/u;
const FOLDER = /^(?:channel|c|user)$/u;

/** The pages of platforms that show a video or a list, and not a channel. */
const OTHER_PAGES: Readonly<Record<string, RegExp>> = {
  twitch: /^(?:videos|directory|team|collections|popout|embed|moderator|dashboard|u)$/u,
  kick: /^(?:video|category|categories|popout|dashboard)$/u,
  youtube: /^(?:watch|live|shorts|playlist|embed)$/u,
};

/** A typed name: the handle, and the platform if the text names it. */
export interface TypedName {
  readonly typed: string;
  readonly handle: string;
  readonly platform?: string | undefined;
}

/** A channel that was found. */
interface FoundAccount {
  /** The account that found it. */
  readonly account: string;
  readonly platform: string;
  readonly user: User;
}

/** What was found for a typed name. */
export type FoundStreamer =
  | ({ readonly kind: 'found'; readonly name: TypedName } & FoundAccount)
  /** Several platforms have the name. */
  | { readonly kind: 'ambiguous'; readonly name: TypedName; readonly accounts: readonly FoundAccount[] }
  | { readonly kind: 'unknown'; readonly name: TypedName; readonly similar: readonly string[] }
  | { readonly kind: 'unreachable'; readonly name: TypedName; readonly platform: string };

/** How many names are looked up at the same time. */
const CONCURRENT = 5;
const MOST_SIMILAR = 3;
/** The marks of copied lists, which are no names. */
const LIST_MARK = /^(?:[-–—*+•·&]|\d+[.)])$/u;
/** The words between names that people type as a sentence. Alone between two commas or on a line, they are the name of a channel. */
const CONNECTIVE = /^(?:and|und)$/iu;
const HANDLE = /^@?[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,49}$/u;

/** The address of a channel page, which names a streamer with the platform. */
export function channelLink(platform: string, handle: string): string {
  return `${HOSTS[platform] ?? platform}/${platform === MARKED ? '@' : ''}${handle}`;
}

/** A typed text without the invisible characters of copies, and without the angle brackets with which Discord hides the preview of a link. */
export function cleanInput(text: string): string {
  return text.replaceAll(INVISIBLE, '').replaceAll(/<(https?:\/\/[^\s<>]+)>/giu, '$1');
}

/** Reads names and links, separated by spaces, commas or lines. Each name counts once. */
export function readNames(text: string): readonly TypedName[] {
  const names = cleanInput(text)
    .split(/[\n\r,;]+/u)
    .map((line) => line.split(/\s+/u).filter((part) => part !== '' && !LIST_MARK.test(part)))
    .flatMap((parts) => parts.map((part) => ({ part, mayConnect: parts.length > 1 && CONNECTIVE.test(part) })))
    .filter(({ mayConnect }, index, all) => !(mayConnect && isBetween(index, all)))
    .map(({ part }) => readName(part));
  const distinct = new Map<string, TypedName>();
  for (const name of names) {
    // A file can have tens of thousands of names. None contains a space.
    const key = `${name.platform ?? ''} ${name.handle}`;
    if (!distinct.has(key)) distinct.set(key, name);
  }
  return [...distinct.values()];
}

function isBetween(index: number, parts: readonly unknown[]): boolean {
  return index > 0 && index < parts.length - 1;
}

function readName(typed: string): TypedName {
  const path = typed.replace(/^https?:\/\//iu, '').replace(/^(?:www|m)\./iu, '');
  const [host = '', first, second] = path.split(/[/?#]/u);
  const platform = Object.keys(HOSTS).find((name) => HOSTS[name] === host.toLowerCase() || name === host.toLowerCase());
  // The address of a video names no channel: a channel with the name of the page would be another one.
  if (platform !== undefined && second && OTHER_PAGES[platform]?.test(first ?? '')) return { typed, handle: typed };
  const page = platform === MARKED && second && FOLDER.test(first ?? '') ? second : first;
  const name = (platform !== undefined && page !== undefined ? page : typed).replace(/^@/u, '');
  const handle = CHANNEL_ID.test(name) ? name : name.toLowerCase();
  return { typed, handle, ...(platform !== undefined && page !== undefined && { platform }) };
}

interface FindOptions {
  readonly streaming: ReadonlyMap<string, StreamingClient>;
  readonly signal: AbortSignal;
}

/** Looks the names up on the platforms that they name, or on all of them. */
export async function findStreamers(names: readonly TypedName[], options: FindOptions): Promise<readonly FoundStreamer[]> {
  const found: FoundStreamer[] = [];
  for (let from = 0; from < names.length; from += CONCURRENT)
    found.push(...(await Promise.all(names.slice(from, from + CONCURRENT).map((name) => findStreamer(name, options)))));
  return found;
}

type Answer = { readonly user: User } | { readonly fault: 'missing' | 'unreachable' };

async function findStreamer(name: TypedName, { streaming, signal }: FindOptions): Promise<FoundStreamer> {
  // Of several accounts of one platform, the first one reads.
  const byPlatform = new Map([...streaming].toReversed().map(([account, client]) => [client.platformName, { account, client }]));
  const asked = [...byPlatform].filter(([platform]) => name.platform === undefined || platform === name.platform).toReversed();
  if (!HANDLE.test(name.handle) || asked.length === 0) return { kind: 'unknown', name, similar: [] };
  const answers = await Promise.all(
    asked.map(async ([platform, { account, client }]) => ({
      platform,
      account,
      client,
      answer: await askFor(client, name.handle, signal),
    })),
  );
  const accounts = answers.flatMap(({ answer, account, platform }) => ('user' in answer ? [{ account, platform, user: answer.user }] : []));
  const [first, second] = accounts;
  if (second) return { kind: 'ambiguous', name, accounts };
  if (first) return { kind: 'found', name, ...first };
  const failed = answers.find(({ answer }) => 'fault' in answer && answer.fault === 'unreachable');
  if (failed) return { kind: 'unreachable', name, platform: failed.platform };
  return { kind: 'unknown', name, similar: await similarNames(answers, name, signal) };
}

async function askFor(client: StreamingClient, handle: string, signal: AbortSignal): Promise<Answer> {
  try {
    return { user: await client.getUser(handle, { signal }) };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { fault: error.fault === 'missing' || error.fault === 'rejected' ? 'missing' : 'unreachable' };
  }
}

/** Names of channels that a search finds, for a name that no platform has. A typing error must not use up the searches of a day. */
async function similarNames(
  asked: readonly { readonly platform: string; readonly client: StreamingClient }[],
  { handle }: TypedName,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const searched = asked.filter(({ client }) => !client.limitsSearches);
  const lists = await Promise.all(
    searched.map(async ({ platform, client }) => {
      // Without the last letters, the search also finds names with a typing error there.
      const { items } = await client
        .search(handle.slice(0, Math.max(2, handle.length - 2)), { filter: 'SearchChannels', signal })
        .catch(() => ({ items: [] }));
      return items.flatMap((item) => ('handle' in item && typeof item.handle === 'string' ? [channelLink(platform, item.handle)] : []));
    }),
  );
  return lists.flat().slice(0, MOST_SIMILAR);
}
