import { AtpAgent } from '@atproto/api';
import { fetch } from 'undici';
import { z } from 'zod';
import { blueskyServer } from '../../bluesky/server.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../server.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';

const Account = z.object({
  did: z.string(),
  handle: z.string(),
  email: z.string(),
  appPassword: z.string(),
  appPasswordWithoutMessages: z.string(),
  password: z.string(),
  signInCode: z.string(),
});
/** How somebody signs in. */
type Account = z.output<typeof Account>;

const Standing = z.object({
  items: z.array(z.object({ uri: z.string(), cid: z.string(), author: z.string(), text: z.string(), record: z.looseObject({}) })),
});

/** The network, and the account that Fanfare has there. */
export interface BlueskyGround extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  readonly environment: Readonly<Record<string, string>>;
  account(user?: string): Promise<Account>;
  /** A client that is signed in as somebody. */
  signIn(user?: string): Promise<AtpAgent>;
  /** The texts that stand, oldest first, whatever reads show. */
  standing(): Promise<readonly string[]>;
  order(path: string, body: object): Promise<unknown>;
}

export async function openBluesky(options: Pick<SandboxOptions, 'file' | 'lively'> = {}): Promise<BlueskyGround> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ clock, platforms: [blueskyServer], ...options });

  async function order(path: string, body: object): Promise<unknown> {
    const response = await fetch(`${sandbox.url}/control/bluesky/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }

  async function account(user = 'fanfare'): Promise<Account> {
    return Account.parse(await order('accounts', { user }));
  }

  return {
    sandbox,
    clock,
    environment: sandbox.onRequest['bluesky'] ?? {},
    account,
    order,
    async signIn(user) {
      const { handle, appPassword } = await account(user);
      const agent = new AtpAgent({ service: sandbox.url });
      await agent.login({ identifier: handle, password: appPassword });
      return agent;
    },
    async standing() {
      const response = await fetch(`${sandbox.url}/control/bluesky/posts`);
      return Standing.parse(await response.json()).items.map(({ text }) => text);
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

/** The DID of who is signed in. */
export function didOf(agent: AtpAgent): string {
  return agent.assertDid;
}

/** An instant of the world, as records have it. */
export function at(clock: ManualClock): string {
  return new Date(clock.nowMs()).toISOString();
}
