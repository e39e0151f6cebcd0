import { fetch } from 'undici';
import { z } from 'zod';
import { bluesky, type BlueskyOptions } from '#adapters/bluesky/index.ts';
import { blueskyServer } from '#sandbox/bluesky/server.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '#sandbox/server.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import type { SocialFixture } from '../../contract/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { nearServer } from '../../support/same-origin.ts';
import { controlApi } from '../../support/control-api.ts';

const StoredRecords = z.object({
  items: z.array(z.object({ uri: z.string(), author: z.string(), text: z.string(), record: z.looseObject({}) })),
});
const Account = z.object({
  did: z.string(),
  handle: z.string(),
  appPassword: z.string(),
  appPasswordWithoutMessages: z.string(),
});

export type BlueskyFixture = SocialFixture & {
  readonly sandbox: Sandbox;
  readonly social: SocialAsync;
  /** Another adapter for the account, as after a restart. */
  adapter(options?: Partial<BlueskyOptions>): SocialFixture['platform'];
  /** Sends an order to the control API. */
  order(path: string, json: object): Promise<unknown>;
  account(user: string): Promise<z.output<typeof Account>>;
  /** A client of another user. */
  as(user: string): Promise<SocialAsync>;
  /** A record at an address. */
  readRecord(uri: string): Promise<unknown>;
  /** Writes a record of the account, as another client does. */
  put(collection: string, rkey: string, record: object): Promise<void>;
  /** The number of requests so far. */
  requests(): Promise<number>;
  /** The posts of the account that exist, with their records. */
  records(): Promise<z.output<typeof StoredRecords>['items']>;
};

/** The adapter on the simulated Bluesky. */
export async function openBluesky(options: Pick<SandboxOptions, 'file' | 'lively'> = {}): Promise<BlueskyFixture> {
  const clock = new ManualClock();
  const running = await startSandbox({ clock, platforms: [blueskyServer, nearServer], ...options });
  const { BLUESKY_URL: url = '', BLUESKY_HANDLE: handle = '', BLUESKY_APP_PASSWORD: appPassword = '' } = running.onRequest['bluesky'] ?? {};
  const open: AsyncDisposable[] = [];

  const adapter: BlueskyFixture['adapter'] = (more) => {
    const platform = bluesky({ url, handle, appPassword, clock, ...more });
    open.push(platform);
    return platform;
  };

  const control = controlApi(running.url);
  const order = (path: string, json: object) => control(`/bluesky/${path}`, json);

  async function records(): Promise<z.output<typeof StoredRecords>['items']> {
    return StoredRecords.parse(await control('/bluesky/posts')).items.filter(({ author }) => author === handle);
  }

  const account = async (user: string) => Account.parse(await order('accounts', { user }));
  const platform = adapter();
  const social = new SocialAsync({ platform, clock });
  // Sign in, so that faults meet only later writes.
  await social.getUserInfo();
  return {
    sandbox: running,
    clock,
    platform,
    social,
    handle,
    other: (await account('ada')).handle,
    adapter,
    order,
    account,
    records,
    async readRecord(uri) {
      const [, , repo = '', collection = '', rkey = ''] = uri.split('/');
      const query = new URLSearchParams({ repo, collection, rkey });
      const response = await fetch(`${url}/xrpc/com.atproto.repo.getRecord?${query.toString()}`);
      return z.object({ value: z.unknown().optional() }).parse(await response.json()).value;
    },
    async put(collection, rkey, record) {
      const ask = async (method: string, json: object, headers: Record<string, string> = {}): Promise<unknown> => {
        const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(json) };
        return (await fetch(`${url}/xrpc/${method}`, options)).json();
      };
      const opened = await ask('com.atproto.server.createSession', { identifier: handle, password: appPassword });
      const { accessJwt, did: repo } = z.object({ accessJwt: z.string(), did: z.string() }).parse(opened);
      await ask('com.atproto.repo.putRecord', { repo, collection, rkey, record }, { authorization: `Bearer ${accessJwt}` });
    },
    async requests() {
      const { items } = z
        .object({ items: z.array(z.object({ platform: z.string(), count: z.number() })) })
        .parse(await control('/requests'));
      return items.filter(({ platform: name }) => name === 'bluesky').reduce((sum, { count }) => sum + count, 0);
    },
    async as(user) {
      const theirs = await account(user);
      return new SocialAsync({ platform: adapter({ handle: theirs.handle, appPassword: theirs.appPassword }), clock });
    },
    postTexts: async () => (await records()).map(({ text }) => text),
    loseNextAnswer: () => running.faults.add({ platform: 'bluesky', kind: 'resetAfter', method: 'POST', times: 1 }),
    loseNextRequest: () => running.faults.add({ platform: 'bluesky', kind: 'resetBefore', method: 'POST', times: 1 }),
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((one) => one[Symbol.asyncDispose]()));
      await running[Symbol.asyncDispose]();
    },
  };
}
