import { Agent, type Dispatcher } from 'undici';
import { binding } from '#adapters/bluesky/auth/sessions.ts';
import { bluesky } from '#adapters/bluesky/index.ts';
import { kick } from '#adapters/kick/index.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { x } from '#adapters/x/index.ts';
import { createLog, type Log } from '#src/log.ts';
import { tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A part of every secret of the clients, and of every body of bad servers. */
export const PLANTED = 'tr0ub4dor';

export const PLATFORMS = ['x', 'bluesky', 'mastodon', 'twitch', 'kick'] as const;
export type PlatformName = (typeof PLATFORMS)[number];

/** An account of a platform at the address of a bad server. */
export interface BadlyOff extends AsyncDisposable {
  readonly clock: ManualClock;
  /** The log lines. */
  readonly lines: readonly string[];
  /** The client of a social platform. */
  readonly social?: SocialAsync | undefined;
  /** A read with credentials. */
  readonly read: () => Promise<unknown>;
  /** A write, if the platform has any. */
  readonly write: () => Promise<unknown>;
}

export interface BadlyOffOptions {
  /** X: the four keys of OAuth 1.0a instead of a sign-in. */
  readonly signs?: boolean | undefined;
  /** Whether there is a stored sign-in; otherwise the client signs in first. */
  readonly signedIn?: boolean | undefined;
  readonly dispatcher?: Dispatcher | undefined;
}

const secret = (name: string): string => `${PLANTED}-${name}`;

/** The client of an account that is signed in at `url`. */
export function clientAt(
  platform: PlatformName,
  url: string,
  { signedIn = true, signs = false, dispatcher }: BadlyOffOptions = {},
): BadlyOff {
  const clock = new ManualClock();
  const lines: string[] = [];
  // The log hides nothing here, so that the test sees every secret.
  const log = createLog({ level: 'trace', secrets: [], write: (line) => lines.push(line), color: false });
  const shared = { clock, log, dispatcher };
  const parts = { clock, lines };
  if (platform === 'twitch' || platform === 'kick') {
    const options = { clientId: 'an-app', clientSecret: secret('client'), apiUrl: url, authUrl: url, ...shared };
    const adapter = platform === 'twitch' ? twitch(options) : kick(options);
    const bot = new Bot({ platform: adapter, clock });
    const write = () => Promise.reject(new Error(`nothing is written to ${platform}`));
    return { ...parts, write, read: async () => bot.getUser('ada'), [Symbol.asyncDispose]: () => adapter[Symbol.asyncDispose]() };
  }
  const adapter = socialAt(platform, url, { signedIn, signs }, shared);
  const social = new SocialAsync({ platform: adapter, clock });
  return {
    ...parts,
    social,
    read: async () => social.getUserInfo(),
    write: () => social.createPost('Hello'),
    [Symbol.asyncDispose]: () => adapter[Symbol.asyncDispose](),
  };
}

function socialAt(
  platform: 'x' | 'bluesky' | 'mastodon',
  url: string,
  { signedIn, signs }: { readonly signedIn: boolean; readonly signs: boolean },
  shared: { readonly clock: ManualClock; readonly log: Log; readonly dispatcher: Dispatcher | undefined },
): SocialPlatform & AsyncDisposable {
  switch (platform) {
    case 'x': {
      const keys = { apiKey: secret('key'), apiSecret: secret('key'), accessToken: secret('access'), accessSecret: secret('access') };
      if (signs) return x({ url, ...keys, ...shared });
      const expiresAt = new Date(shared.clock.nowMs() + (signedIn ? 2 * 3600_000 : -1)).toISOString();
      const kept = { accessToken: secret('access'), refreshToken: secret('refresh'), expiresAt, scopes: ['tweet.read'] };
      return x({ url, clientId: 'an-app', clientSecret: secret('client'), tokens: tokensInMemory(kept), ...shared });
    }
    case 'bluesky': {
      const session = { did: 'did:plc:abcdefghijklmnopqrstuvwx', handle: 'ada.test', pds: url };
      const appPassword = secret('password');
      const kept = binding({ url, appPassword }).bind({ ...session, accessJwt: secret('access'), refreshJwt: secret('refresh') });
      const tokens = tokensInMemory(signedIn ? kept : undefined);
      return bluesky({ url, handle: 'ada.test', appPassword, tokens, ...shared });
    }
    case 'mastodon':
      return mastodon({ url, token: secret('access'), ...shared });
  }
}

/** Connections that trust `certificate`. */
export function trusting(certificate: string): Dispatcher {
  return new Agent({ connect: { ca: certificate } });
}

/** Connections with a time limit of `timeoutMs`. */
export function hasty(timeoutMs: number): Dispatcher {
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  return new Agent({ connect: { timeout: timeoutMs } }).compose(
    (dispatch) => (options, handler) => dispatch({ ...options, ...limits }, handler),
  );
}
