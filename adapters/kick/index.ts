import { systemClock } from '#src/clock.ts';
import { lateModule } from '#src/errors.ts';
import type { AppAccess } from '#src/http/app-access.ts';
import { appToken } from '#src/http/app-token.ts';
import { httpClient } from '#src/http/client.ts';
import { inRound } from '#src/http/shared-reads.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import { assertCredentials } from '#src/clients/operation/credentials.ts';
import { assertServerAddresses } from '#src/clients/operation/server-address.ts';
import type { KickEvents } from './events/connect.ts';
import { kickApi } from './client.ts';
import { capabilities } from './capabilities.ts';
import { categories, topGames } from './operations/games.ts';
import { channelStreams, gameStreams, streams, topStreams } from './operations/streams.ts';
import { channelNames, user } from './operations/channels.ts';
import { search } from './operations/search.ts';

/** Events of streams have less than 4 kB. */
const MOST_EVENT_BYTES = 64 * 1024;

/** Only an installation with a public address needs it. */
const loadEvents = lateModule('the events of Kick', () => import('./events/connect.ts'));

export interface KickOptions extends AppAccess {
  /** The largest number of requests for a composed page; default 10. */
  readonly pageRequests?: number | undefined;
  /** Whether Kick notifies about channels at the public address; default false. */
  readonly hasEvents?: boolean | undefined;
}

const APPS = 'https://kick.com/settings/developer';

/**
 * Kick, read by an app through the public API. It needs a client id and a client secret, but no signed-in user.
 *
 * @example
 * const bot = new Bot({ platform: kick({ clientId, clientSecret }) });
 */
export function kick({
  clientId,
  clientSecret,
  apiUrl = 'https://api.kick.com',
  authUrl = 'https://id.kick.com',
  account = 'kick',
  pageRequests = 10,
  hasEvents = false,
  clock = systemClock,
  log,
  rateBudgets,
  dispatcher,
}: KickOptions): StreamingPlatform & AsyncDisposable {
  const shared = { platform: 'kick', clock, log, rateBudgets, dispatcher };
  assertServerAddresses('kick', { apiUrl, authUrl });
  assertCredentials('kick', { clientId, clientSecret }, `pass the client id and the client secret of an app at ${APPS}`);
  const http = httpClient({ ...shared, baseUrl: apiUrl });
  const auth = httpClient({ ...shared, baseUrl: authUrl });
  const token = appToken({ platform: 'kick', auth, path: '/oauth/token', clientId, clientSecret, registeredAt: APPS, clock, log });
  const api = kickApi({ api: http, token, pageRequests, clock });
  const names = categories(api, clock);
  const channels = channelNames(api, clock);

  let events: KickEvents | undefined;
  const openEvents = async () => (events ??= (await loadEvents()).kickEvents({ api: http, token, channels, clock }));

  return {
    name: 'kick',
    account,
    inRound,
    capabilities,
    operations: {
      getUser: user(channels),
      search: search(api, channels),
      getTopStreams: topStreams(api),
      getGameStreams: gameStreams(api, names),
      getTopGames: topGames(api),
      getStreams: streams(api, names, channelStreams(api, channels)),
    },
    notifier: hasEvents
      ? {
          operations: [{ operation: 'getStreams', parameter: 'users' }],
          connect: async (options) => (await openEvents()).connect(options),
          receiver: { maxBytes: MOST_EVENT_BYTES, receive: async (...request) => (await openEvents()).receive(...request) },
        }
      : undefined,
    async [Symbol.asyncDispose]() {
      await Promise.all([http[Symbol.asyncDispose](), auth[Symbol.asyncDispose]()]);
    },
  };
}
