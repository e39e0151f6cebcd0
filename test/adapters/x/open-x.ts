import { z } from 'zod';
import { sandbox } from '#adapters/sandbox/index.ts';
import { x, type XOptions } from '#adapters/x/index.ts';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import { socialServer } from '#sandbox/social/server.ts';
import { xServer } from '#sandbox/x/server.ts';
import { tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import type { SocialFixture } from '../../contract/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { nearServer } from '../../support/same-origin.ts';
import { watchListInMemory } from './watch-list.ts';
import { controlApi } from '../../support/control-api.ts';

const Posts = z.object({ items: z.array(z.object({ author: z.string(), text: z.string(), deletedAt: z.string().optional() })) });
const Requests = z.object({ items: z.array(z.object({ method: z.string(), route: z.string(), count: z.number() })) });
const Session = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  scopes: z.array(z.string()),
  oauthToken: z.string(),
  oauthTokenSecret: z.string(),
});
const SELF = 'fanfare';
const TWO_HOURS_MS = 2 * 3600_000;

export interface XFixture extends SocialFixture {
  readonly sandbox: Sandbox;
  readonly social: SocialAsync;
  readonly environment: Readonly<Record<string, string>>;
  /** Sends an order to the control API. */
  control(path: string, order: object): Promise<unknown>;
  /** The number of requests to a route, for example `POST /x/2/tweets`. */
  requests(route: string): Promise<number>;
  /** A token of the signed-in user, for requests beside the adapter. */
  accessToken(): Promise<string>;
  /** A client of another user. */
  client(user: string, options?: XOptions): Promise<SocialAsync>;
}

/** The X of the sandbox with an adapter that signs in by OAuth 2. */
export async function openX(options: XOptions = {}, settings: object = {}): Promise<XFixture> {
  const clock = new ManualClock();
  const running = await startSandbox({ clock, platforms: [xServer, socialServer, nearServer] });
  const environment = running.onRequest['x'] ?? {};
  const { X_API_URL: url = '', X_CLIENT_ID: clientId, X_CLIENT_SECRET: clientSecret, X_BEARER_TOKEN: bearerToken } = environment;
  const { SANDBOX_URL: truthUrl = '', SANDBOX_TOKEN: truthToken = '' } = running.environment;

  const controlAll = controlApi(running.url);
  const control = (path: string, order?: object) => controlAll(`/x/${path}`, order);

  async function platformOf(user: string, more: XOptions) {
    const { accessToken, refreshToken, scopes } = Session.parse(await control('sessions', { user }));
    const expiresAt = new Date(clock.nowMs() + TWO_HOURS_MS).toISOString();
    const tokens = tokensInMemory({ accessToken, refreshToken, expiresAt, scopes });
    const shared = { url, clientId, clientSecret, bearerToken, clock, budgets: { usd: 20 }, watchList: watchListInMemory() };
    return x({ ...shared, tokens, ...more });
  }

  // The search finds new posts at once.
  await control('settings', { searchLagMs: 0, ...settings });
  const platform = await platformOf(SELF, options);

  return {
    sandbox: running,
    clock,
    platform,
    social: new SocialAsync({ platform, clock }),
    environment,
    handle: SELF,
    other: 'ada',
    knowsNoKeys: true,
    settlesWithinMs: 5 * 60_000,
    absence: 'absent',
    hidesViewer: true,
    editsAreNewPosts: true,
    absentFromWrites: ['language', 'sensitive', 'media', 'place'],
    topic: 'chess',
    control,
    async requests(wanted) {
      const { items } = Requests.parse(await controlAll('/requests'));
      return items.find(({ method, route }) => `${method} ${route}` === wanted)?.count ?? 0;
    },
    accessToken: async () => Session.parse(await control('sessions', { user: SELF })).accessToken,
    client: async (user, more = {}) => new SocialAsync({ platform: await platformOf(user, more), clock }),
    truth: new SocialAsync({ platform: sandbox({ url: truthUrl, token: truthToken, clock }), clock }),
    async postTexts() {
      const { items } = Posts.parse(await control('posts'));
      return items.filter(({ author, deletedAt }) => author === SELF && deletedAt === undefined).map(({ text }) => text);
    },
    as: async (user) => new SocialAsync({ platform: await platformOf(user, {}), clock }),
    loseNextAnswer: () => running.faults.add({ platform: 'x', method: 'POST', kind: 'resetAfter', times: 1 }),
    loseNextRequest: () => running.faults.add({ platform: 'x', method: 'POST', kind: 'resetBefore', times: 1 }),
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await running[Symbol.asyncDispose]();
    },
  };
}
