import { systemClock, type Clock } from '#src/clock.ts';
import type { FeedPlatform } from '#src/clients/feed/feed.ts';
import { lateModule } from '#src/errors.ts';
import { capabilities } from './capabilities.ts';

/** Only an installation with a public address needs it. */
const loadWebSub = lateModule('WebSub of feeds', () => import('./websub.ts'));

/** A hub sends the new items, or the whole feed. */
const MOST_CONTENT_BYTES = 1024 * 1024;

/** Most installations read no feed, and the parser is large. */
const loadFeedReader = lateModule('the feed parser', () => import('./feed-reader.ts'));

export interface FeedOptions {
  /** The origins in private networks whose feeds may be read, for example `http://nas.lan:8080`. */
  readonly privateOrigins?: readonly string[] | undefined;
  /** The address of the sandbox, which serves all feeds with the reserved top-level domain `.example`; absent: nobody does. */
  readonly sandboxUrl?: string | undefined;
  /** Whether the hubs of feeds notify at the public address; default false. */
  readonly hasWebSub?: boolean | undefined;
  readonly account?: string | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Feeds of the open internet: RSS, Atom and JSON Feed.
 *
 * @example
 * const platform = feed({ privateOrigins: ['http://nas.lan:8080'] });
 */
export function feed({
  privateOrigins = [],
  sandboxUrl,
  hasWebSub = false,
  account = 'feed',
  clock = systemClock,
}: FeedOptions = {}): FeedPlatform {
  let opening: Promise<NonNullable<FeedPlatform['operations']['getItems']>> | undefined;
  return {
    name: 'feed',
    account,
    capabilities,
    operations: {
      async getItems(params, options) {
        opening ??= loadFeedReader().then(({ feedReader }) => feedReader({ privateOrigins, sandboxUrl, clock }));
        opening.catch(() => void (opening = undefined));
        return (await opening)(params, options);
      },
    },
    notifier: hasWebSub
      ? {
          operations: [{ operation: 'getItems', parameter: 'url' }],
          connect: async (options) => (await loadWebSub()).connectWebSub(options, { privateOrigins, sandboxUrl, clock }),
          receiver: {
            maxBytes: MOST_CONTENT_BYTES,
            admits: async (...request) => (await loadWebSub()).admitWebSub(...request),
            receive: async (...request) => (await loadWebSub()).receiveWebSub(...request),
          },
        }
      : undefined,
  };
}
