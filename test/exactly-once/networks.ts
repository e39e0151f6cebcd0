import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { bluesky } from '#adapters/bluesky/index.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { x } from '#adapters/x/index.ts';
import type { Clock } from '#src/clock.ts';
import { blueskyServer } from '#sandbox/bluesky/server.ts';
import type { PlatformFactory } from '#sandbox/context.ts';
import { mastodonServer } from '#sandbox/mastodon/server.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { xServer } from '#sandbox/x/server.ts';
import { tokensInMemory, type AccountTokens } from '#src/secrets/account-tokens.ts';
import { SocialAsync, type SocialPlatform } from '#src/social/social.ts';
import { control, messages, posts, records, waiting, type Standing } from './platform-records.ts';

interface Opening {
  readonly tokens: AccountTokens;
  readonly clock: Clock;
  readonly dispatcher?: Dispatcher | undefined;
}

/** What somebody does to a platform. */
export type Deed = 'post' | 'guarded' | 'message' | 'edit' | 'delete';

/** The request that does it. */
interface Write {
  readonly method: string;
  /** A part of its path. */
  readonly route: string;
}

/** A social platform, and what a test has to know of it. */
export interface Network {
  readonly name: 'x' | 'bluesky' | 'mastodon';
  readonly server: PlatformFactory;
  /** What it lets be done. */
  readonly writes: Readonly<Partial<Record<Deed, Write>>>;
  readonly open: (sandbox: Sandbox, opening: Opening) => SocialPlatform & AsyncDisposable;
  /** What is kept of a sign-in: `spent` where its token has run out and has to be renewed. */
  readonly signIn: (sandbox: Sandbox, options: { readonly clock: Clock; readonly spent: boolean }) => Promise<object>;
  /** Makes the account one that may do all of it. */
  readonly promote?: (sandbox: Sandbox) => Promise<unknown>;
  /** Somebody who reads messages. */
  readonly friend: (sandbox: Sandbox) => string;
  /** What the account wrote and stands. */
  readonly standing: (sandbox: Sandbox) => Promise<readonly Standing[]>;
}

const HOUR_MS = 3_600_000;

const Session = z.object({ accessToken: z.string(), refreshToken: z.string(), scopes: z.array(z.string()) });

export const X: Network = {
  name: 'x',
  server: xServer,
  writes: {
    post: { method: 'POST', route: '/2/tweets' },
    message: { method: 'POST', route: '/2/dm_conversations/' },
    edit: { method: 'POST', route: '/2/tweets' },
    delete: { method: 'DELETE', route: '/2/tweets/' },
  },
  open(sandbox, opening) {
    const { X_API_URL: url = '', X_CLIENT_ID: clientId, X_CLIENT_SECRET: clientSecret } = sandbox.onRequest['x'] ?? {};
    return x({ url, clientId, clientSecret, ...opening });
  },
  async signIn(sandbox, { clock, spent }) {
    const session = Session.parse(await control(sandbox, 'x/sessions', { user: 'fanfare' }));
    return { ...session, expiresAt: new Date(clock.nowMs() + (spent ? 0 : 2 * HOUR_MS)).toISOString() };
  },
  // Who does not pay cannot edit.
  promote: (sandbox) => control(sandbox, 'x/premium', {}),
  friend: () => 'ada',
  standing: async (sandbox) => [...(await posts(sandbox, 'x')), ...(await messages(sandbox, 'x'))],
};

export const BLUESKY: Network = {
  name: 'bluesky',
  server: blueskyServer,
  writes: {
    post: { method: 'POST', route: '/xrpc/com.atproto.repo.putRecord' },
    // A post and who may answer it.
    guarded: { method: 'POST', route: '/xrpc/com.atproto.repo.applyWrites' },
    message: { method: 'POST', route: '/xrpc/chat.bsky.convo.sendMessage' },
    delete: { method: 'POST', route: '/xrpc/com.atproto.repo.deleteRecord' },
  },
  open(sandbox, opening) {
    const { BLUESKY_URL: url = '', BLUESKY_HANDLE: handle = '' } = sandbox.onRequest['bluesky'] ?? {};
    return bluesky({ url, handle, ...opening });
  },
  async signIn(sandbox, { clock, spent }) {
    const { BLUESKY_URL: url = '', BLUESKY_HANDLE: handle = '', BLUESKY_APP_PASSWORD: appPassword } = sandbox.onRequest['bluesky'] ?? {};
    const tokens = tokensInMemory();
    await using platform = bluesky({ url, handle, appPassword, tokens, clock });
    await new SocialAsync({ platform, clock }).getUserInfo();
    if (spent) await control(sandbox, 'bluesky/expire', {});
    const kept = await tokens.load();
    if (typeof kept !== 'object' || kept === null) throw new Error('nobody is signed in');
    return kept;
  },
  friend: (sandbox) => (sandbox.onRequest['bluesky']?.['BLUESKY_HANDLE'] ?? '').replace('fanfare', 'ada'),
  async standing(sandbox) {
    const { BLUESKY_HANDLE: handle = '' } = sandbox.onRequest['bluesky'] ?? {};
    return [...(await records(sandbox, { name: 'bluesky', handle })), ...(await messages(sandbox, 'bluesky'))];
  },
};

export const MASTODON: Network = {
  name: 'mastodon',
  server: mastodonServer,
  writes: {
    post: { method: 'POST', route: '/api/v1/statuses' },
    message: { method: 'POST', route: '/api/v1/statuses' },
    edit: { method: 'PUT', route: '/api/v1/statuses/' },
    delete: { method: 'DELETE', route: '/api/v1/statuses/' },
  },
  open: (sandbox, opening) => mastodon({ url: sandbox.onRequest['mastodon']?.['MASTODON_URL'] ?? '', ...opening }),
  // Its tokens do not run out.
  signIn: async (sandbox) => ({ accessToken: sandbox.onRequest['mastodon']?.['MASTODON_TOKEN'] }),
  friend: () => 'ada',
  async standing(sandbox) {
    const { MASTODON_URL: url = '', MASTODON_TOKEN: token = '' } = sandbox.onRequest['mastodon'] ?? {};
    return [...(await posts(sandbox, 'mastodon')), ...(await waiting({ url, token }))];
  },
};
