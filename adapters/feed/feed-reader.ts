import { createHash } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import type { FeedPlatform } from '#src/clients/feed/feed.ts';
import type { FeedItem } from '#src/clients/feed/records.ts';
import { PlatformError } from '#src/errors.ts';
import { fetchFeed, type Validators } from './fetch-feed.ts';
import { parseFeed } from './parse-feed.ts';

/** The characters of kept items, about 32 MB of memory. Without its kept items, a feed is read again completely. */
const MOST_KEPT_CHARACTERS = 16_000_000;
/** The fields of an item beside its texts. */
const CHARACTERS_PER_ITEM = 500;

/** What is known of a feed from its last answer. */
interface KnownFeed {
  readonly items: readonly FeedItem[];
  /** The digest of the document and its address. */
  readonly digest: string;
  readonly validators: Validators;
  readonly characters: number;
}

/** The servers of feeds beside those of the public internet. */
export interface ServedFeeds {
  readonly privateOrigins: readonly string[];
  readonly sandboxUrl: string | undefined;
}

interface FeedReaderOptions extends ServedFeeds {
  readonly clock: Clock;
}

/** Creates the function that reads feeds. It keeps the items of each feed, because a server does not repeat an unchanged one. */
export function feedReader({ privateOrigins, sandboxUrl, clock }: FeedReaderOptions): NonNullable<FeedPlatform['operations']['getItems']> {
  const kept = new Map<string, KnownFeed>();
  const refusals = new Map<string, PlatformError>();
  let keptCharacters = 0;

  function forget(address: string): void {
    keptCharacters -= kept.get(address)?.characters ?? 0;
    kept.delete(address);
  }

  function keep(address: string, items: readonly FeedItem[], { digest, validators }: Pick<KnownFeed, 'digest' | 'validators'>): void {
    forget(address);
    const characters = items.reduce((sum, { text = '', title = '' }) => sum + CHARACTERS_PER_ITEM + text.length + title.length, 0);
    kept.set(address, { items, digest, validators, characters });
    keptCharacters += characters;
    for (const [oldest] of kept) {
      if (keptCharacters <= MOST_KEPT_CHARACTERS) break;
      forget(oldest);
    }
  }

  /** Throws the last refusal until the instant that the server stated for the next attempt. */
  function checkRefusal(address: string): void {
    const refusal = refusals.get(address);
    if (refusal?.retryAt && refusal.retryAt.getTime() > clock.nowMs()) throw refusal;
    refusals.delete(address);
  }

  return async ({ url: address }, { signal }) => {
    checkRefusal(address);
    const { url, isAllowed } = servedAt(address, { privateOrigins, sandboxUrl });
    const known = kept.get(address);
    try {
      const found = await fetchFeed(url, { known: known?.validators, isAllowed, nowMs: clock.nowMs(), signal });
      if (found === 'unchanged') return { items: known?.items ?? [] };
      const { text, url: base, validators } = found;
      const digest = createHash('sha256').update(`${base.href} ${text}`).digest('base64url');
      // Some servers repeat an unchanged feed.
      const items = known?.digest === digest ? known.items : parseFeed(text, { address, base, fetchedAt: new Date(clock.nowMs()) });
      keep(address, items, { digest, validators });
      return { items };
    } catch (error) {
      if (error instanceof PlatformError && error.retryAt) refusals.set(address, error);
      throw error;
    }
  };
}

/** The address that is requested for a feed, and whether it may be in a private network. */
export function servedAt(address: string, { privateOrigins, sandboxUrl }: ServedFeeds): { readonly url: URL; readonly isAllowed: boolean } {
  const url = served(new URL(address), sandboxUrl);
  const isAllowed = privateOrigins.includes(url.origin) || (sandboxUrl !== undefined && url.origin === new URL(sandboxUrl).origin);
  return { url, isAllowed };
}

/** The address that is requested: on the sandbox, the sandbox serves the reserved domains. */
function served(url: URL, sandboxUrl: string | undefined): URL {
  if (sandboxUrl === undefined || !/\.example$/iu.test(url.hostname)) return url;
  return new URL(`${sandboxUrl}/feeds/${url.hostname}${url.pathname}${url.search}`);
}
