import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bluesky } from '#adapters/bluesky/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { createClients, type Platforms } from '#src/clients/clients.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { stepsThrough } from '#src/engine/delivery/steps.ts';
import { tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { silentLog } from '#src/log.ts';
import type { Step } from '#src/rules/step.ts';
import { openStore } from '#src/store/store.ts';
import type { PlatformFactory } from '#sandbox/context.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { startSandbox } from '#sandbox/index.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { BLUESKY, X, type Network } from '../exactly-once/networks.ts';
import { committing, creating, firing, keysOf, renderPlainly, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { selected } from '../support/property.ts';
import { signedInChannel } from '../support/signed-in-channel.ts';
import { whileSleeping } from '../support/while-sleeping.ts';
import { controlApi } from '../support/control-api.ts';

interface Row {
  readonly name: string;
  readonly platform: 'twitch' | 'x' | 'bluesky';
  readonly server: PlatformFactory;
  /** The request that the write needs: for a token, or for the recipient. */
  readonly route: string;
  /** The platform, whose next write needs the request. */
  readonly open: (sandbox: Sandbox, clock: ManualClock) => Promise<Platforms>;
  readonly step: (sandbox: Sandbox) => Step;
  /** The texts that arrived. */
  readonly texts: (sandbox: Sandbox) => Promise<readonly string[]>;
}

const NONE: Platforms = { streaming: [], social: [], discord: [] };
const TEXT = 'Ada is live';
const Sent = z.object({ items: z.array(z.object({ text: z.string() })) });

const TWITCH: Row = {
  name: 'twitch, a chat message',
  platform: 'twitch',
  server: twitchServer,
  route: '/oauth2/token',
  async open({ url, environment }, clock) {
    const tokens = await signedInChannel({ url, environment, clock });
    const stored = z.looseObject({}).parse(await tokens.load());
    await tokens.save({ ...stored, expiresAt: new Date(clock.nowMs()).toISOString() });
    const { TWITCH_CLIENT_ID: clientId = '', TWITCH_CLIENT_SECRET: clientSecret = '' } = environment;
    const { TWITCH_API_URL: apiUrl, TWITCH_AUTH_URL: authUrl } = environment;
    return { ...NONE, streaming: [twitch({ clientId, clientSecret, apiUrl, authUrl, tokens, clock })] };
  },
  step: () => creating(['twitch'], { do: 'streaming.sendChatMessage', with: { text: TEXT } }),
  async texts({ url }) {
    return Sent.parse(await controlApi(url)('/twitch/chat')).items.map(({ text }) => text);
  },
};

const openSignedIn =
  (network: Network): Row['open'] =>
  async (sandbox, clock) => {
    const tokens = tokensInMemory(await network.signIn(sandbox, { clock, isExpired: true }));
    return { ...NONE, social: [network.open(sandbox, { tokens, clock })] };
  };

async function openWithPassword(sandbox: Sandbox, clock: ManualClock): Promise<Platforms> {
  const { BLUESKY_URL: url, BLUESKY_HANDLE: handle = '', BLUESKY_APP_PASSWORD: appPassword } = sandbox.onRequest['bluesky'] ?? {};
  return { ...NONE, social: [bluesky({ url, handle, appPassword, clock })] };
}

/** A post and a message, which both need a new token. */
function rowsOf(network: Network, route: string, open = openSignedIn(network)): readonly Row[] {
  const { name: platform, server } = network;
  if (platform === 'mastodon') throw new Error('tokens of Mastodon do not expire');
  const texts: Row['texts'] = async (sandbox) => (await network.recordsOf(sandbox)).map(({ text }) => text);
  const shared = { platform, server, route, open, texts };
  return [
    { ...shared, name: `${platform}, a post after ${route}`, step: () => creating([platform], { with: { text: TEXT } }) },
    {
      ...shared,
      name: `${platform}, a message after ${route}`,
      step: (sandbox) => creating([platform], { do: 'social.sendMessage', with: { user: network.friend(sandbox), text: TEXT } }),
    },
  ];
}

/** All platforms whose writes need a token that Fanfare requests, and direct messages to a looked-up recipient. */
const ROWS: readonly Row[] = [
  TWITCH,
  ...rowsOf(X, '/2/oauth2/token'),
  ...rowsOf(BLUESKY, 'server.refreshSession'),
  ...rowsOf(BLUESKY, 'server.createSession', openWithPassword),
  ...rowsOf(BLUESKY, 'convo.getConvoForMembers').filter(({ name }) => name.includes('a message')),
];

const FAULTS = [
  { kind: 'status', status: 503 },
  { kind: 'resetBefore' },
  { kind: 'page' },
  { kind: 'status', status: 502 },
  { kind: 'page', status: 503 },
] as const;

describe.for(ROWS)('$name', ({ platform, server, route, open, step, texts }) => {
  test.for(selected(FAULTS, 3))('if it fails (%o), the write is retried and done once', async (fault) => {
    const clock = new ManualClock(SLOT_MS);
    await using sandbox = await startSandbox({ platforms: [server], clock });
    await using store = await openStore({ clock });
    const clients = createClients(await open(sandbox, clock), clock);
    const before = await texts(sandbox);
    const fired = firing([step(sandbox)]);
    await store.ruleStates.commit(committing([fired]));
    const engine = createDeliveryEngine({
      ...stepsThrough({ clients, watch: (_, work) => work() }),
      deliveries: store.deliveries,
      render: renderPlainly,
      clock,
      log: silentLog,
      random: () => 0.5,
    });
    const read = () => store.deliveries.find(keysOf(fired)[0] ?? '');
    // Bluesky gets each of these requests up to three times in one attempt.
    sandbox.faults.add({ platform, route, ...fault, times: 3 });

    await whileSleeping(clock, engine.deliverNext());

    expect(await read()).toMatchObject({ state: 'pending', error: { fault: 'unreachable' } });
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(60_000);
      while (await whileSleeping(clock, engine.deliverNext()));
    }
    expect(await read()).toMatchObject({ state: 'sent' });
    expect(await texts(sandbox)).toEqual([...before, TEXT]);
  });
});
