import { systemClock } from '#src/clock.ts';
import { lateModule } from '#src/errors.ts';
import type { AppAccess } from '#src/http/app-access.ts';
import { appToken } from '#src/http/app-token.ts';
import { httpClient } from '#src/http/client.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { inRound } from '#src/http/shared-reads.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import { assertCredentials } from '#src/clients/operation/credentials.ts';
import { assertServerAddresses } from '#src/clients/operation/server-address.ts';
import { capabilities } from './capabilities.ts';
import { sendChatMessage } from './operations/chat.ts';
import { gameClips, userClips } from './operations/clips.ts';
import { gameNames, topGames } from './operations/games.ts';
import { channelHelix, helix as helixOf } from './client.ts';
import { followerCountOf, followers } from './operations/followers.ts';
import { schedule } from './operations/schedule.ts';
import { search } from './operations/search.ts';
import { gameStreams, streams, topStreams } from './operations/streams.ts';
import { user, userNames } from './operations/users.ts';
import { channelOf } from './auth/channel.ts';
import { hourlyValidation } from './auth/validation.ts';
import { teamMembers } from './operations/teams.ts';
import { gameVideos, userVideos } from './operations/videos.ts';
import type { Revocations } from './eventsub/webhook.ts';
import { createShownStreams } from './shown-streams.ts';

/** Only an installation whose rules watch channels needs it. */
const loadEventSub = lateModule('EventSub of Twitch', () => import('./eventsub/connect.ts'));

/** Only an installation with a public address that wants it needs it. */
const loadWebhook = lateModule('the webhook of Twitch', () => import('./eventsub/webhook.ts'));

/** The fields of streams that never change. */
const LASTING_FIELDS = ['platform', 'id', 'url', 'owner', 'startedAt'];

/** The fields of streams that change only with `stream.online` and `channel.update`, or never. */
const NOTIFIED_FIELDS = [...LASTING_FIELDS, 'title', 'game', 'language'];

/** What EventSub notifies about. */
const NOTIFIED = [{ operation: 'getStreams', parameter: 'users', fields: NOTIFIED_FIELDS, lastingFields: LASTING_FIELDS }] as const;

/** Notifications have less than 4 kB. */
const MOST_NOTIFICATION_BYTES = 64 * 1024;

export interface TwitchOptions extends AppAccess {
  /** The sign-in of the channel, from `fanfare auth twitch --channel`; absent: none. */
  readonly tokens?: AccountTokens | undefined;
  /** The WebSocket server of EventSub, for `notifier`; absent: none. */
  readonly eventSubUrl?: string | undefined;
  /** Whether Twitch notifies at the public address instead; default false. */
  readonly hasWebhook?: boolean | undefined;
  /** The largest number of requests for a composed page; default 10. */
  readonly pageRequests?: number | undefined;
}

const APPLICATIONS = 'https://dev.twitch.tv/console/apps';

/**
 * Twitch, read by an app. It needs a client id and a client secret. Only the followers and the chat of a channel need the sign-in of the channel.
 *
 * @example
 * const bot = new Bot({ platform: twitch({ clientId, clientSecret }) });
 */
export function twitch({
  clientId,
  clientSecret,
  apiUrl = 'https://api.twitch.tv/helix',
  authUrl = 'https://id.twitch.tv/oauth2',
  account = 'twitch',
  tokens,
  eventSubUrl,
  hasWebhook = false,
  pageRequests = 10,
  clock = systemClock,
  log,
  rateBudgets,
  dispatcher,
}: TwitchOptions): StreamingPlatform & AsyncDisposable {
  const shared = { platform: 'twitch', clock, log, rateBudgets, dispatcher };
  assertServerAddresses('twitch', { apiUrl, authUrl });
  assertCredentials('twitch', { clientId, clientSecret }, `pass the client id and the client secret of an application at ${APPLICATIONS}`);
  const api = httpClient({ ...shared, baseUrl: apiUrl });
  const auth = httpClient({ ...shared, baseUrl: authUrl });
  const isGood = hourlyValidation(auth, clock);
  const token = appToken({
    platform: 'twitch',
    auth,
    path: '/token',
    clientId,
    clientSecret,
    registeredAt: APPLICATIONS,
    clock,
    isGood,
    log,
  });
  const helix = helixOf({ api, token, clientId, pageRequests, clock });
  const channel = channelOf({
    tokens,
    auth,
    authUrl,
    clientId,
    clientSecret,
    account,
    clock,
    isGood: hourlyValidation(auth, clock),
  });
  const ofChannel = channelHelix({ api, clientId, clock });
  const games = gameNames(helix, clock);
  const users = userNames(helix, clock);
  const shown = createShownStreams();
  const revocations: Revocations = {};

  return {
    name: 'twitch',
    account,
    inRound,
    capabilities,
    operations: {
      getUser: user(helix, users, followerCountOf(channel, ofChannel)),
      getFollowers: followers(channel, ofChannel, users),
      sendChatMessage: sendChatMessage(channel, ofChannel),
      getTeamMembers: teamMembers(helix),
      getUserVideos: userVideos(helix, users),
      getUserClips: userClips(helix, users, clock),
      getGameVideos: gameVideos(helix, games),
      getGameClips: gameClips(helix, games, clock),
      getSchedule: schedule(helix, users, clock),
      search: search(helix, games),
      getTopStreams: topStreams(helix),
      getGameStreams: gameStreams(helix, games),
      getTopGames: topGames(helix),
      getStreams: streams({ helix, shown }, games, clock),
    },
    notifier: hasWebhook
      ? {
          operations: NOTIFIED,
          async connect(options) {
            await (await loadWebhook()).connectWebhook({ ...options, revocations, api, token, clientId, users, shown, clock, log });
          },
          receiver: {
            maxBytes: MOST_NOTIFICATION_BYTES,
            receive: async (request, its) => (await loadWebhook()).receiveWebhook(request, { ...its, revocations }),
          },
        }
      : eventSubUrl === undefined
        ? undefined
        : {
            operations: NOTIFIED,
            takesSubstitute: true,
            async connect(options) {
              const { connectEventSub } = await loadEventSub();
              await connectEventSub({ ...options, url: eventSubUrl, api, token, clientId, users, shown, clock, log });
            },
          },
    async [Symbol.asyncDispose]() {
      await Promise.all([api[Symbol.asyncDispose](), auth[Symbol.asyncDispose]()]);
    },
  };
}
