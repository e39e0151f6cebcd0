import { setImmediate as nextLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bluesky } from '#adapters/bluesky/index.ts';
import { discord } from '#adapters/discord/index.ts';
import { sandbox as sandboxPlatform } from '#adapters/sandbox/index.ts';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { createClients, type Platforms } from '#src/clients/clients.ts';
import { createEngine } from '#src/app/engine.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import type { Clock } from '#src/clock.ts';
import { silentLog } from '#src/log.ts';
import { isSettled, type Delivery } from '#src/engine/delivery/delivery.ts';
import type { Step } from '#src/rules/step.ts';
import { blueskyServer } from '#sandbox/bluesky/server.ts';
import type { PlatformFactory } from '#sandbox/context.ts';
import { discordServer } from '#sandbox/discord/discord.ts';
import type { FaultOrder } from '#sandbox/faults.ts';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import { socialServer } from '#sandbox/social/server.ts';
import { tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { openStore } from '#src/store/store.ts';
import { committing, creating, firing, keysOf } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MASTODON, X, type Network } from './networks.ts';
import { control } from './platform-records.ts';

type Request = Pick<FaultOrder, 'method' | 'route'>;

/** A platform behind a proxy that shows a maintenance page. */
interface ProxiedPlatform {
  readonly name: string;
  readonly server: PlatformFactory;
  readonly create: Request;
  /** The request that signs in, or the first read where no sign-in exists. */
  readonly signIn: Request;
  readonly reconcile: Request;
  /** The path of all records in the control API of the sandbox. */
  readonly records: string;
  readonly open: (sandbox: Sandbox, clock: Clock) => Promise<Platforms> | Platforms;
  readonly step?: Step;
  /** The differences from the other rows of the platform. */
  readonly under?: string;
}

const NONE: Platforms = { streaming: [], social: [], discord: [] };

/** Opens a network with an expired access token, if its tokens expire. */
function withSignIn(network: Network): ProxiedPlatform['open'] {
  return async (sandbox, clock) => {
    const tokens = tokensInMemory(await network.signIn(sandbox, { clock, isExpired: true }));
    return { ...NONE, social: [network.open(sandbox, { tokens, clock })] };
  };
}

function openDiscord(sandbox: Sandbox, clock: Clock): Platforms {
  const { DISCORD_TOKEN: token = '', DISCORD_GUILD_ID: guildId = '', DISCORD_API_URL: apiUrl } = sandbox.environment;
  return { ...NONE, discord: [discord({ token, guildId, apiUrl, clock })] };
}

const PLATFORMS: readonly ProxiedPlatform[] = [
  {
    name: 'x',
    server: X.server,
    create: { method: 'POST', route: '/2/tweets' },
    signIn: { method: 'POST', route: '/2/oauth2/token' },
    reconcile: { method: 'GET', route: '/tweets' },
    records: 'x/posts',
    open: withSignIn(X),
  },
  {
    name: 'bluesky',
    server: blueskyServer,
    create: { method: 'POST', route: 'com.atproto.repo.putRecord' },
    signIn: { method: 'POST', route: 'com.atproto.server.createSession' },
    reconcile: { method: 'GET', route: 'com.atproto.repo.getRecord' },
    records: 'bluesky/posts',
    open(sandbox, clock) {
      const { BLUESKY_URL: url, BLUESKY_HANDLE: handle = '', BLUESKY_APP_PASSWORD: appPassword } = sandbox.onRequest['bluesky'] ?? {};
      return { ...NONE, social: [bluesky({ url, handle, appPassword, clock })] };
    },
  },
  {
    name: 'mastodon',
    server: MASTODON.server,
    create: { method: 'POST', route: '/api/v1/statuses' },
    signIn: { method: 'GET', route: '/api/v1/accounts/verify_credentials' },
    reconcile: { method: 'GET', route: '/statuses' },
    records: 'mastodon/posts',
    open: withSignIn(MASTODON),
  },
  {
    name: 'discord',
    server: discordServer,
    create: { method: 'POST', route: '/messages' },
    signIn: { method: 'GET', route: '/channels' },
    reconcile: { method: 'GET', route: '/messages' },
    records: 'messages',
    step: creating(['discord'], { do: 'discord.send', with: { channel: 'live', content: 'Ada is live' } }),
    open: openDiscord,
  },
  {
    name: 'discord',
    under: ' as another sender',
    server: discordServer,
    create: { method: 'POST', route: '/webhooks/' },
    signIn: { method: 'GET', route: '/channels' },
    reconcile: { method: 'GET', route: '/messages' },
    records: 'messages',
    step: creating(['discord'], { do: 'discord.send', with: { channel: 'live', content: 'Ada is live', sender: { name: 'Ada Alerts' } } }),
    open: openDiscord,
  },
  {
    name: 'discord',
    under: ' to a member',
    server: discordServer,
    create: { method: 'POST', route: '/messages' },
    signIn: { method: 'GET', route: '/members' },
    reconcile: { method: 'GET', route: '/messages' },
    records: 'messages',
    step: creating(['discord'], { do: 'discord.send', with: { user: 'ada', content: 'Ada is live' } }),
    open: openDiscord,
  },
  {
    name: 'sandbox',
    server: socialServer,
    create: { method: 'POST', route: '/createPost' },
    signIn: { method: 'POST', route: '/createPost' },
    reconcile: { method: 'POST', route: '/createPost/recover' },
    records: 'posts',
    open(sandbox, clock) {
      const { SANDBOX_URL: url = '', SANDBOX_TOKEN: token = '' } = sandbox.environment;
      return { ...NONE, social: [sandboxPlatform({ url, token, clock })] };
    },
  },
];

const Written = z.object({ items: z.array(z.looseObject({ text: z.string().optional(), content: z.string().optional() })) });
const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

interface Outcome {
  readonly delivery: Delivery | undefined;
  /** The number of copies of the announcement on the platform. */
  readonly times: number;
}

/** Sends one announcement to a platform with faults, and waits until its delivery is settled. */
async function announce(platform: ProxiedPlatform, orders: readonly Omit<FaultOrder, 'platform'>[], mostMs = HOUR_MS): Promise<Outcome> {
  const clock = new ManualClock();
  await using sandbox = await startSandbox({ clock, platforms: [platform.server] });
  await using store = await openStore({ clock });
  const platforms = await platform.open(sandbox, clock);
  for (const order of orders) sandbox.faults.add({ platform: platform.name, ...order });
  const { deliveryEngine: engine } = await createEngine({
    rules: [],
    clients: createClients(platforms, clock),
    store,
    eventBus: createEventBus(),
    health: createAccountHealth(() => undefined),
    clock,
    log: silentLog,
  });
  const fired = firing([platform.step ?? creating([platform.name], { with: { text: 'Ada is live' } })]);
  await store.ruleStates.commit(committing([fired]));
  const stop = new AbortController();
  const running = engine.run(stop.signal);

  const find = (): Promise<Delivery | undefined> => store.deliveries.find(keysOf(fired)[0] ?? '');
  let delivery = await find();
  for (let passedMs = 0; passedMs < mostMs && !(delivery && isSettled(delivery)); passedMs += SECOND_MS) {
    await clock.advance(SECOND_MS);
    for (let round = 0; round < 20; round++) await nextLoop();
    delivery = await find();
  }
  stop.abort();
  await clock.advance(HOUR_MS);
  await running;
  const { items } = Written.parse(await control(sandbox, platform.records));
  return { delivery, times: items.filter(({ text, content }) => (text ?? content) === 'Ada is live').length };
}

const ONCE = { delivery: expect.objectContaining({ state: 'sent' }), times: 1 };

describe.for(PLATFORMS.map((platform) => ({ under: '', ...platform })))('$name$under', (platform) => {
  const { create, signIn, reconcile } = platform;

  test.for([200, 302])(
    'a maintenance page with %i instead of the response to a post: Fanfare sends it once, after the maintenance',
    async (status) => {
      expect(await announce(platform, [{ ...create, kind: 'page', status, times: 3 }])).toMatchObject(ONCE);
    },
  );

  test.for([
    ['pageAfter', 200],
    ['pageAfter', 302],
    ['brokenJson', 200],
  ] as const)('%s with %i after the post was created: Fanfare does not create it again', async ([kind, status]) => {
    expect(await announce(platform, [{ ...create, kind, status, times: 1 }])).toMatchObject(ONCE);
  });

  test.for([200, 302])(
    'a maintenance page with %i instead of the sign-in: Fanfare sends the post once, after the maintenance',
    async (status) => {
      expect(await announce(platform, [{ ...signIn, kind: 'page', status, times: 3 }])).toMatchObject(ONCE);
    },
  );

  test.for(['page', 'pageAfter'] as const)(
    'a maintenance page instead of the searches for a post that was lost with a %s: Fanfare sends it once',
    async (kind) => {
      const orders = [
        { ...create, kind, times: 1 },
        { ...reconcile, kind: 'page', times: 3 },
      ] as const;
      expect(await announce(platform, orders)).toMatchObject(ONCE);
    },
  );
});
