import type { AdapterOptions } from '#src/http/adapter-options.ts';
import { systemClock } from '#src/clock.ts';
import { readMedium } from '#src/http/media/read-medium.ts';
import { isNearby } from '#src/http/media/public-addresses.ts';
import { assertCredentials } from '#src/clients/operation/credentials.ts';
import { assertServerAddresses } from '#src/clients/operation/server-address.ts';
import { tokensInMemory, type AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { inRound } from '#src/http/shared-reads.ts';
import { missingFiles } from '#src/clients/social/files.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import { binding, sessions } from './auth/sessions.ts';
import { APP_PASSWORDS, identities, refresh, signIn } from './auth/sign-in.ts';
import { toHandle } from './addresses.ts';
import { capabilities } from './capabilities.ts';
import { files, LIMITS, videoUploads } from './operations/media.ts';
import { follows } from './operations/follows.ts';
import { insight, responses } from './operations/responses.ts';
import { jetstreamNotifier } from './jetstream/notifier.ts';
import { lists } from './operations/lists.ts';
import { messages } from './operations/messages.ts';
import { pins, reactions } from './operations/reactions.ts';
import { search } from './operations/search.ts';
import { timelines } from './operations/timelines.ts';
import { topics } from './operations/topics.ts';
import { users } from './operations/users.ts';
import { PLATFORM } from './errors.ts';
import { posting } from './operations/posts.ts';
import { linkCards } from './operations/link-card.ts';
import { accountPerson, names } from './account-context.ts';
import { hosts, xrpc } from './client.ts';
import { repo } from './repo.ts';
import { TEXT_LIMIT } from './text/limit.ts';

/** A video is large, and its server looks at it before it answers. */
const VIDEO_TIMEOUT_MS = 5 * 60_000;

export interface BlueskyOptions extends AdapterOptions {
  /** A server of the AT Protocol: the server of the account, or one that can resolve it. */
  readonly url?: string | undefined;
  /** The handle, for example `ada.bsky.social`, or the DID. */
  readonly handle: string;
  /** Absent: the kept session alone is used. */
  readonly appPassword?: string | undefined;
  /** The session, kept across starts: the number of sign-ins a day is limited. */
  readonly tokens?: AccountTokens | undefined;
  /** The language of posts that name none, for example `de`; absent: the language of the latest posts, after `learn`. */
  readonly language?: string | undefined;
  /** The directory of DIDs. Without it, the adapter does not look up accounts of a local server. */
  readonly plcUrl?: string | undefined;
  /** The video service; absent: the official one, or for a local `url` that server. */
  readonly videoUrl?: string | undefined;
  /** The WebSocket server of Jetstream, which notifies about posts, for rules; absent: no notifications. It learns which accounts are watched. */
  readonly jetstreamUrl?: string | undefined;
  /** How many requests a page may take that is put together from several; absent: 10. */
  readonly pageRequests?: number | undefined;
  /** The feed that `HomeTimeline` is: its `at://` address. */
  readonly forYouFeed?: string | undefined;
}

/**
 * Bluesky, or any other server of the AT Protocol, as one account.
 *
 * @example
 * const social = new SocialAsync({ platform: bluesky({ handle: 'ada.bsky.social', appPassword }) });
 */
export function bluesky({
  url = 'https://bsky.social',
  handle,
  appPassword,
  tokens: kept,
  account: accountName = PLATFORM,
  language,
  plcUrl,
  videoUrl,
  jetstreamUrl,
  forYouFeed,
  pageRequests = 10,
  clock = systemClock,
  log,
  rateBudgets,
  dispatcher,
}: BlueskyOptions): SocialPlatform & AsyncDisposable {
  assertServerAddresses(PLATFORM, { url, plcUrl, videoUrl });
  assertCredentials(PLATFORM, { handle }, 'pass the handle of the account, for example ada.bsky.social');
  // A main password can have any characters.
  const isUsable = appPassword === undefined ? kept !== undefined : appPassword.trim() !== '';
  if (!isUsable) assertCredentials(PLATFORM, { appPassword: undefined }, `create an app password at ${APP_PASSWORDS}`);
  const tokens = kept ?? tokensInMemory();
  const identifier = toHandle(handle.trim()) ?? handle.trim();
  const shared = { clock, log, rateBudgets, dispatcher };
  const servers = hosts(shared);
  const patient = hosts({ ...shared, timeoutMs: VIDEO_TIMEOUT_MS });

  const find =
    plcUrl === undefined && isNearby(url) ? undefined : identities({ hosts: servers, url, plcUrl: plcUrl ?? 'https://plc.directory' });
  const signInAt = { hosts: servers, url, identifier, find };
  const open = sessions({
    tokens,
    identifier,
    binding: binding({ url, appPassword }),
    signIn: appPassword === undefined ? undefined : signIn({ ...signInAt, appPassword }),
    refresh: refresh(signInAt),
    account: accountName,
    clock,
  });
  const server = xrpc({ hosts: servers, sessions: open });
  const records = repo(server);
  const account = { xrpc: server, repo: records, names: names(server, clock), now: () => new Date(clock.nowMs()), pageRequests };
  const me = accountPerson({ xrpc: server, repo: records, clock });
  const videos = videoUploads({ xrpc: server, hosts: patient, url: videoUrl ?? (isNearby(url) ? url : 'https://video.bsky.app'), clock });
  const accountOrigin = new URL(url).origin;
  const media = files({ xrpc: server, uploadVideo: videos, accountOrigin });
  const linkCard = linkCards({ toBlob: media.toBlob, accountOrigin, log });
  const posts = posting({ account, files: media, linkCard, defaults: { language }, me });
  const ofLists = lists(account, me);
  const directMessages = messages(account);

  return {
    name: PLATFORM,
    account: accountName,
    inRound,
    // Posts and lists are records under keys of ours; messages have none.
    keepsKeys: (operation) => operation !== 'sendMessage',
    textLimit: TEXT_LIMIT,
    missingParts: (params, { signal }) =>
      missingFiles(params, (source) => readMedium(source, { limits: LIMITS, accountOrigin: new URL(url).origin, signal })),
    assertAccepts: { createPost: posts.assertAccepts },
    learn: posts.learn,
    capabilities,
    operations: {
      ...users(account),
      ...follows(account),
      search: search(account),
      ...timelines(account, { forYouFeed }),
      ...posts.operations,
      ...media.operations,
      ...responses(account),
      ...reactions(account),
      ...pins(account),
      ...insight(account),
      ...directMessages.operations,
      ...ofLists.operations,
      ...topics(account),
    },
    recover: { ...posts.recover, ...media.recover, ...ofLists.recover, ...directMessages.recover },
    notifier: jetstreamUrl === undefined ? undefined : jetstreamNotifier({ actors: account.names, url: jetstreamUrl, clock }),
    async [Symbol.asyncDispose]() {
      await Promise.all([servers[Symbol.asyncDispose](), patient[Symbol.asyncDispose]()]);
    },
  };
}
