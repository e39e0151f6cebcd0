import type { Dispatcher } from 'undici';
import { systemClock, type Clock } from '#src/clock.ts';
import { appToken } from '#src/http/app-token.ts';
import { httpClient } from '#src/http/client.ts';
import type { Log } from '#src/log.ts';
import type { StreamingPlatform } from '#src/streaming/bot.ts';
import { kickApi } from './api.ts';
import { capabilities } from './capabilities.ts';
import { categories } from './categories.ts';
import { channelStreams } from './channel-streams.ts';
import { user } from './channels.ts';
import { topGames } from './games.ts';
import { search } from './search.ts';
import { gameStreams, streams, topStreams } from './streams.ts';

export interface KickOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  /** The account's name in `fanfare.yaml`. */
  readonly account?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** Where connections come from; without one the adapter has its own. */
  readonly dispatcher?: Dispatcher | undefined;
}

/**
 * Kick, read as an app through its public API: it needs a client id and a client secret, and nobody signs in.
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
  clock = systemClock,
  log,
  dispatcher,
}: KickOptions): StreamingPlatform & AsyncDisposable {
  const shared = { platform: 'kick', clock, log, dispatcher };
  const http = httpClient({ ...shared, baseUrl: apiUrl });
  const auth = httpClient({ ...shared, baseUrl: authUrl });
  const token = appToken({ platform: 'kick', auth, path: '/oauth/token', clientId, clientSecret, clock });
  const api = kickApi({ api: http, token, clock });
  const names = categories(api, clock);

  return {
    name: 'kick',
    account,
    capabilities,
    operations: {
      getUser: user(api),
      search: search(api),
      getTopStreams: topStreams(api),
      getGameStreams: gameStreams(api, names),
      getTopGames: topGames(api),
      getStreams: streams(api, names, channelStreams(api, clock)),
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([http[Symbol.asyncDispose](), auth[Symbol.asyncDispose]()]);
    },
  };
}
