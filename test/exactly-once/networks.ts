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
import { tokensInMemory, type AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { control, messages, posts, records, scheduledPosts, type PlatformRecord } from './platform-records.ts';

interface Opening {
  readonly tokens: AccountTokens;
  readonly clock: Clock;
  readonly dispatcher?: Dispatcher | undefined;
}

/** The kind of a write. */
export type WriteKind = 'post' | 'guarded' | 'message' | 'edit' | 'delete';

/** The request that does a write. */
interface Write {
  readonly method: string;
  /** A part of its path. */
  readonly route: string;
}

/** A social platform in tests. */
export interface Network {
  readonly name: 'x' | 'bluesky' | 'mastodon';
  readonly server: PlatformFactory;
  /** The writes that it supports. */
  readonly writes: Readonly<Partial<Record<WriteKind, Write>>>;
  readonly open: (sandbox: Sandbox, opening: Opening) => SocialPlatform & AsyncDisposable;
  /** The stored tokens of a sign-in; `isExpired`: its access token has to be renewed. */
  readonly signIn: (sandbox: Sandbox, options: { readonly clock: Clock; readonly isExpired: boolean }) => Promise<object>;
  /** Gives the account the plan that all writes need. */
  readonly promote?: (sandbox: Sandbox) => Promise<unknown>;
  /** The user that receives direct messages. */
  readonly friend: (sandbox: Sandbox) => string;
  /** The records of the account on the platform. */
  readonly recordsOf: (sandbox: Sandbox) => Promise<readonly PlatformRecord[]>;
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
  async signIn(sandbox, { clock, isExpired }) {
    const session = Session.parse(await control(sandbox, 'x/sessions', { user: 'fanfare' }));
    return { ...session, expiresAt: new Date(clock.nowMs() + (isExpired ? 0 : 2 * HOUR_MS)).toISOString() };
  },
  // Only a paying account can edit.
  promote: (sandbox) => control(sandbox, 'x/premium', {}),
  friend: () => 'ada',
  recordsOf: async (sandbox) => [...(await posts(sandbox, 'x')), ...(await messages(sandbox, 'x'))],
};

export const BLUESKY: Network = {
  name: 'bluesky',
  server: blueskyServer,
  writes: {
    post: { method: 'POST', route: '/xrpc/com.atproto.repo.putRecord' },
    // A post with a reply restriction.
    guarded: { method: 'POST', route: '/xrpc/com.atproto.repo.applyWrites' },
    message: { method: 'POST', route: '/xrpc/chat.bsky.convo.sendMessage' },
    delete: { method: 'POST', route: '/xrpc/com.atproto.repo.deleteRecord' },
  },
  open(sandbox, opening) {
    const { BLUESKY_URL: url = '', BLUESKY_HANDLE: handle = '' } = sandbox.onRequest['bluesky'] ?? {};
    return bluesky({ url, handle, ...opening });
  },
  async signIn(sandbox, { clock, isExpired }) {
    const { BLUESKY_URL: url = '', BLUESKY_HANDLE: handle = '', BLUESKY_APP_PASSWORD: appPassword } = sandbox.onRequest['bluesky'] ?? {};
    const tokens = tokensInMemory();
    await using platform = bluesky({ url, handle, appPassword, tokens, clock });
    await new SocialAsync({ platform, clock }).getUserInfo();
    if (isExpired) await control(sandbox, 'bluesky/expire', {});
    const kept = await tokens.load();
    if (typeof kept !== 'object' || kept === null) throw new Error('the sign-in stored no tokens');
    return kept;
  },
  friend: (sandbox) => (sandbox.onRequest['bluesky']?.['BLUESKY_HANDLE'] ?? '').replace('fanfare', 'ada'),
  async recordsOf(sandbox) {
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
  // Its tokens do not expire.
  signIn: async (sandbox) => ({ accessToken: sandbox.onRequest['mastodon']?.['MASTODON_TOKEN'] }),
  friend: () => 'ada',
  async recordsOf(sandbox) {
    const { MASTODON_URL: url = '', MASTODON_TOKEN: token = '' } = sandbox.onRequest['mastodon'] ?? {};
    return [...(await posts(sandbox, 'mastodon')), ...(await scheduledPosts({ url, token }))];
  },
};
