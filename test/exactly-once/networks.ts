import { fetch, type Dispatcher } from 'undici';
import { z } from 'zod';
import { bluesky } from '#adapters/bluesky/index.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { x } from '#adapters/x/index.ts';
import type { Clock } from '#src/clock.ts';
import { blueskyServer } from '#src/sandbox/bluesky/server.ts';
import type { PlatformFactory } from '#src/sandbox/context.ts';
import { mastodonServer } from '#src/sandbox/mastodon/server.ts';
import type { Sandbox } from '#src/sandbox/server.ts';
import { xServer } from '#src/sandbox/x/server.ts';
import { tokensInMemory, type KeptTokens } from '#src/secrets/kept-tokens.ts';
import { SocialAsync, type SocialPlatform } from '#src/social/social.ts';

/** A post as the platform itself has it. */
export interface StandingPost {
  readonly id: string;
  readonly text: string;
  readonly replyTo: string | undefined;
  /** How many files it shows. */
  readonly files: number;
}

interface Opening {
  readonly tokens: KeptTokens;
  readonly clock: Clock;
  readonly dispatcher?: Dispatcher | undefined;
}

/** A social platform, and what a test has to know of it. */
export interface Network {
  readonly name: 'x' | 'bluesky' | 'mastodon';
  readonly server: PlatformFactory;
  /** Whether a request is one that makes a post. */
  readonly isWrite: (method: string, path: string) => boolean;
  /** Where those requests go. */
  readonly writeRoute: string;
  /** Whether it can always be found out what became of a post. */
  readonly tells: boolean;
  readonly open: (sandbox: Sandbox, opening: Opening) => SocialPlatform & AsyncDisposable;
  /** What is kept of a sign-in: `spent` where its token has run out and has to be renewed. */
  readonly signIn: (sandbox: Sandbox, options: { readonly clock: Clock; readonly spent: boolean }) => Promise<object>;
  /** The account's posts that stand, oldest first. */
  readonly standing: (sandbox: Sandbox) => Promise<readonly StandingPost[]>;
}

const HOUR_MS = 3_600_000;

async function control(sandbox: Sandbox, path: string, order?: object): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/control/${path}`, order && { method: 'POST', body: JSON.stringify(order) });
  if (!response.ok) throw new Error(`the sandbox says no to ${path}: ${await response.text()}`);
  return response.json();
}

const Written = z.object({
  id: z.string(),
  author: z.string(),
  text: z.string(),
  replyTo: z.string().optional(),
  media: z.array(z.unknown()),
  deletedAt: z.string().optional(),
});

async function written(sandbox: Sandbox, name: string): Promise<readonly StandingPost[]> {
  const { items } = z.object({ items: z.array(Written) }).parse(await control(sandbox, `${name}/posts`));
  return items
    .filter(({ author, deletedAt }) => author === 'fanfare' && deletedAt === undefined)
    .map(({ id, text, replyTo, media }) => ({ id, text, replyTo, files: media.length }));
}

const Session = z.object({ accessToken: z.string(), refreshToken: z.string(), scopes: z.array(z.string()) });

export const X: Network = {
  name: 'x',
  server: xServer,
  isWrite: (method, path) => method === 'POST' && path.endsWith('/2/tweets'),
  writeRoute: '/2/tweets',
  tells: false,
  open(sandbox, opening) {
    const { X_API_URL: url = '', X_CLIENT_ID: clientId, X_CLIENT_SECRET: clientSecret } = sandbox.onRequest['x'] ?? {};
    return x({ url, clientId, clientSecret, ...opening });
  },
  async signIn(sandbox, { clock, spent }) {
    const session = Session.parse(await control(sandbox, 'x/sessions', { user: 'fanfare' }));
    return { ...session, expiresAt: new Date(clock.nowMs() + (spent ? 0 : 2 * HOUR_MS)).toISOString() };
  },
  standing: (sandbox) => written(sandbox, 'x'),
};

const Records = z.object({
  items: z.array(
    z.object({
      uri: z.string(),
      author: z.string(),
      text: z.string(),
      record: z.object({
        reply: z.object({ parent: z.object({ uri: z.string() }) }).optional(),
        embed: z.object({ images: z.array(z.unknown()).optional() }).optional(),
      }),
    }),
  ),
});

export const BLUESKY: Network = {
  name: 'bluesky',
  server: blueskyServer,
  isWrite: (method, path) => method === 'POST' && /\.repo\.(putRecord|applyWrites|createRecord)$/.test(path),
  writeRoute: '/xrpc/com.atproto.repo.putRecord',
  tells: true,
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
  async standing(sandbox) {
    const { items } = Records.parse(await control(sandbox, 'bluesky/posts'));
    return items
      .filter(({ author }) => author === sandbox.onRequest['bluesky']?.['BLUESKY_HANDLE'])
      .map(({ uri, text, record: { reply, embed } }) => ({
        id: uri,
        text,
        replyTo: reply?.parent.uri,
        files: embed?.images?.length ?? 0,
      }));
  },
};

export const MASTODON: Network = {
  name: 'mastodon',
  server: mastodonServer,
  isWrite: (method, path) => method === 'POST' && path.endsWith('/api/v1/statuses'),
  writeRoute: '/api/v1/statuses',
  tells: true,
  open: (sandbox, opening) => mastodon({ url: sandbox.onRequest['mastodon']?.['MASTODON_URL'] ?? '', ...opening }),
  // Its tokens do not run out.
  signIn: async (sandbox) => ({ accessToken: sandbox.onRequest['mastodon']?.['MASTODON_TOKEN'] }),
  standing: (sandbox) => written(sandbox, 'mastodon'),
};
