import { AtpAgent, XRPCError, type AppBskyFeedPost } from '@atproto/api';
import { z } from 'zod';
import { blueskyServer } from '../../bluesky/server.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../server.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { controlApi } from '../../../test/support/control-api.ts';

export const POST = 'app.bsky.feed.post';

const Account = z.object({ did: z.string(), handle: z.string(), appPassword: z.string(), appPasswordWithoutMessages: z.string() });
const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });

/** The simulated servers and clients of other people for them. */
export interface BlueskyFixture extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  readonly environment: Readonly<Record<string, string>>;
  account(user?: string): Promise<z.output<typeof Account>>;
  /** A client that is signed in as a person. */
  signIn(user?: string): Promise<AtpAgent>;
  /** The texts of the posts that exist, oldest first, whether or not reads show them. */
  texts(): Promise<readonly string[]>;
  /** Sends an order to the control API. */
  order(path: string, body?: object): Promise<unknown>;
  record(text: string): AppBskyFeedPost.Record;
}

export async function openBluesky(options: Pick<SandboxOptions, 'file'> = {}): Promise<BlueskyFixture> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ clock, platforms: [blueskyServer], ...options });

  const control = controlApi(sandbox.url);
  const order = (path: string, body: object = {}) => control(`/bluesky/${path}`, body);
  const account = async (user = 'fanfare') => Account.parse(await order('accounts', { user }));

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
    texts: async () => Posts.parse(await control('/bluesky/posts')).items.map(({ text }) => text),
    record: (text) => ({ $type: POST, text, createdAt: new Date(clock.nowMs()).toISOString() }),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

/** The error with which a server refuses a request. */
export async function refusalOf(promise: Promise<unknown>): Promise<XRPCError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof XRPCError)) throw new Error('the request was not refused');
  return error;
}
