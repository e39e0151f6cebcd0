import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { startSandbox, type Sandbox } from '../../index.ts';
import { twitchServer } from '../../twitch/server.ts';
import { makeCertificate } from '../../../test/support/certificate.ts';
import { freePort } from '../../../test/support/fanfare-process.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { signedInChannel } from '../../../test/support/signed-in-channel.ts';
import { controlApi } from '../../../test/support/control-api.ts';

const JUDGES = resolve('test/eventsub-judges');
const SECRET = 'a secret of the judges';
const WAIT = { timeout: 240_000 };

/** The parts of twurple that the tests use. */
interface Listener {
  start(): void;
  stop(): void;
  onStreamOnline(user: string, handler: (event: unknown) => void): unknown;
  onStreamOffline(user: string, handler: (event: unknown) => void): unknown;
  onChannelUpdate(user: string, handler: (event: unknown) => void): unknown;
  onChannelRaidTo(user: string, handler: (event: unknown) => void): unknown;
  onRevoke(handler: (subscription: { readonly id: string }, status: string) => void): unknown;
  onVerify(handler: (success: boolean, subscription: { readonly id: string }) => void): unknown;
  onUserSocketReady(handler: (userId: string, sessionId: string) => void): unknown;
  onUserSocketDisconnect(handler: (userId: string, error: Error | undefined) => void): unknown;
}
interface Conduit {
  readonly id: string;
  readonly shardCount: number;
  delete(): Promise<void>;
}
interface ApiClient {
  readonly eventSub: {
    getSubscriptions(): Promise<{
      readonly data: readonly { readonly status: string }[];
      readonly totalCost: number;
      readonly maxTotalCost: number;
    }>;
    createConduit(shardCount: number): Promise<Conduit>;
    updateConduit(id: string, shardCount: number): Promise<Conduit>;
    getConduits(): Promise<readonly { readonly id: string }[]>;
    updateConduitShards(conduitId: string, shards: readonly object[]): Promise<readonly { readonly id: string; readonly status: string }[]>;
    subscribeToStreamOnlineEvents(broadcaster: string, transport: object): Promise<{ readonly status: string; readonly cost: number }>;
  };
}
interface Twurple {
  readonly ApiClient: new (options: object) => ApiClient;
  readonly AppTokenAuthProvider: new (clientId: string, secret: string) => object;
  readonly StaticAuthProvider: new (clientId: string, token: string, scopes: readonly string[]) => object;
  readonly ConnectionAdapter: new () => object;
  readonly EventSubWsListener: new (options: object) => Listener;
  readonly EventSubHttpListener: new (options: object) => Listener;
}

async function loadTwurple(): Promise<Twurple> {
  if (!existsSync(join(JUDGES, 'node_modules'))) await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: JUDGES });
  const load = (name: string): Promise<object> =>
    import(/* @vite-ignore */ pathToFileURL(join(JUDGES, 'node_modules/@twurple', name, 'lib/index.js')).href);
  const parts = await Promise.all(['api', 'auth', 'eventsub-ws', 'eventsub-http'].map(load));
  return Object.assign({}, ...parts) as Twurple; // not installed with the other packages
}

const Welcome = z.object({ payload: z.object({ session: z.object({ id: z.string() }) }) });
const Tokens = z.object({ accessToken: z.string(), scopes: z.array(z.string()), userId: z.string() });

/** A sandbox in real time, because twurple ignores notifications of another time. */
async function openJudges() {
  const sandbox = await startSandbox({ platforms: [twitchServer] });
  const { TWITCH_CLIENT_ID: clientId = '', TWITCH_CLIENT_SECRET: secret = '' } = sandbox.environment;
  // Twurple has no other setting for the address, and this file runs in a separate process.
  process.env['TWURPLE_MOCK_API_PORT'] = new URL(sandbox.url).port;
  const twurple = await loadTwurple();
  const app = new twurple.ApiClient({ authProvider: new twurple.AppTokenAuthProvider(clientId, secret) });
  const events: (readonly [kind: string, event: unknown])[] = [];
  return {
    sandbox,
    twurple,
    clientId,
    app,
    events,
    order: (order: Parameters<Sandbox['world']['order']>[0]) => sandbox.world.order(order, sandbox.clock.nowMs()),
    control: controlApi(sandbox.url),
    /** Records the events of a channel. */
    record: (listener: Listener, userId: string): void => {
      listener.onStreamOnline(userId, (event) => events.push(['online', event]));
      listener.onStreamOffline(userId, (event) => events.push(['offline', event]));
      listener.onChannelUpdate(userId, (event) => events.push(['update', event]));
      listener.onChannelRaidTo(userId, (event) => events.push(['raid', event]));
      listener.onRevoke(({ id }, status) => events.push(['revoke', `${id} ${status}`]));
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

type Judges = Awaited<ReturnType<typeof openJudges>>;

/** The listener of @twurple/eventsub-ws with the token of the channel `ada`. */
async function openSocketListener({ sandbox, twurple, clientId, record }: Judges) {
  // The sign-in waits with another clock than the test.
  const tokens = await signedInChannel({ url: sandbox.url, environment: sandbox.environment, clock: new ManualClock(Date.now()) });
  const { accessToken, scopes, userId } = Tokens.parse(await tokens.load());
  const api = new twurple.ApiClient({ authProvider: new twurple.StaticAuthProvider(clientId, accessToken, scopes) });
  const listener = new twurple.EventSubWsListener({ apiClient: api, logger: { minLevel: 'critical' } });
  const sockets: string[] = [];
  listener.onUserSocketReady((_, sessionId) => sockets.push(`ready ${sessionId}`));
  listener.onUserSocketDisconnect(() => sockets.push('disconnected'));
  record(listener, userId);
  listener.start();
  const subscribed = () => vi.waitUntil(async () => enabledOf(await api.eventSub.getSubscriptions()) === 4, WAIT);
  await subscribed();
  return { listener, api, userId, sockets, subscribed, [Symbol.dispose]: () => listener.stop() };
}

function enabledOf({ data }: { readonly data: readonly { readonly status: string }[] }): number {
  return data.filter(({ status }) => status === 'enabled').length;
}

describe('@twurple/eventsub-ws', () => {
  test('receives all events of its channel', async () => {
    await using judges = await openJudges();
    using opened = await openSocketListener(judges);
    judges.order({ do: 'end', user: 'ada' });
    judges.events.length = 0;

    const stream = judges.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Rooks' });
    judges.order({ do: 'changeTitle', user: 'ada', title: 'Pawns' });
    judges.order({ do: 'goLive', user: 'grace' });
    await judges.control('/twitch/raid', { from: 'grace', to: 'ada', viewers: 12 });
    judges.order({ do: 'end', user: 'ada' });
    await vi.waitUntil(() => judges.events.at(-1)?.[0] === 'offline' && judges.events.some(([kind]) => kind === 'raid'), WAIT);

    const [online, update, raid, offline] = judges.events.slice(-4);
    expect(online?.[0]).toBe('online');
    expect(online?.[1]).toMatchObject({ id: stream?.id, broadcasterId: opened.userId, broadcasterName: 'ada', type: 'live' });
    expect(update?.[1]).toMatchObject({ broadcasterName: 'ada', streamTitle: 'Pawns', categoryName: 'Chess', streamLanguage: 'en' });
    expect(raid?.[1]).toMatchObject({ raidingBroadcasterName: 'grace', raidedBroadcasterName: 'ada', viewers: 12 });
    expect(offline?.[0]).toBe('offline');
    expect(await opened.api.eventSub.getSubscriptions()).toMatchObject({ totalCost: 0, maxTotalCost: 10 });
  });

  test('reconnects when it is told to, and keeps its subscriptions', async () => {
    await using judges = await openJudges();
    using opened = await openSocketListener(judges);
    judges.order({ do: 'goLive', user: 'ada' });

    await judges.control('/twitch/eventsub', { do: 'reconnect' });
    await vi.waitUntil(() => opened.sockets.length === 2, WAIT);
    judges.order({ do: 'changeTitle', user: 'ada', title: 'After the reconnect' });
    await vi.waitUntil(() => judges.events.some(([kind]) => kind === 'update'), WAIT);

    expect(new Set(opened.sockets).size).toBe(1);
    expect(await opened.api.eventSub.getSubscriptions()).toMatchObject({ data: [{}, {}, {}, {}] });
  });

  test('connects and subscribes again after a lost and after a silent connection', async () => {
    await using judges = await openJudges();
    using opened = await openSocketListener(judges);

    await judges.control('/twitch/eventsub', { do: 'disconnect' });
    await vi.waitUntil(() => opened.sockets.length === 3, WAIT);
    await opened.subscribed();
    // The client misses the keepalives after 12 seconds.
    judges.sandbox.faults.add({ platform: 'twitch', kind: 'silentSocket', times: 1 });
    await vi.waitUntil(() => opened.sockets.length === 5, WAIT);
    await opened.subscribed();
    judges.order({ do: 'goLive', user: 'ada', title: 'Again' });
    judges.order({ do: 'changeTitle', user: 'ada', title: 'And again' });
    await vi.waitUntil(() => judges.events.some(([kind]) => kind === 'update'), WAIT);

    expect(opened.sockets.map((event) => event.split(' ')[0])).toEqual(['ready', 'disconnected', 'ready', 'disconnected', 'ready']);
  });

  test('learns that a subscription was revoked', async () => {
    await using judges = await openJudges();
    using opened = await openSocketListener(judges);

    await judges.control('/twitch/eventsub', { do: 'revoke', user: 'ada' });
    await vi.waitUntil(() => judges.events.filter(([kind]) => kind === 'revoke').length === 4, WAIT);

    expect(judges.events).toContainEqual(['revoke', `stream.online.${opened.userId} authorization_revoked`]);
  });
});

/** The listener of @twurple/eventsub-http on this machine. */
async function openHttpListener({ twurple, app, record }: Judges, userId: string) {
  const port = await freePort();
  class LocalAdapter extends twurple.ConnectionAdapter {
    readonly listenerPort = port;
    createHttpServer(): Server {
      return createServer(makeCertificate());
    }
    async getHostName(): Promise<string> {
      return `127.0.0.1:${port}`;
    }
  }
  const listener = new twurple.EventSubHttpListener({
    apiClient: app,
    adapter: new LocalAdapter(),
    secret: SECRET,
    legacySecrets: false,
    logger: { minLevel: 'critical' },
  });
  const verified: string[] = [];
  listener.onVerify((success, { id }) => verified.push(`${id} ${String(success)}`));
  record(listener, userId);
  listener.start();
  await vi.waitUntil(async () => enabledOf(await app.eventSub.getSubscriptions()) === 4, WAIT);
  return { listener, verified };
}

test('@twurple/eventsub-http verifies its webhooks, accepts notifications and refuses forged ones', async () => {
  await using judges = await openJudges();
  const { id } = judges.sandbox.world.findPerson('linus') ?? {};
  const { listener, verified } = await openHttpListener(judges, id ?? '');
  judges.sandbox.faults.add({ platform: 'twitch', kind: 'forgedNotification', route: 'stream.online' });

  const stream = judges.order({ do: 'goLive', user: 'linus' });
  await vi.waitUntil(() => judges.events.some(([kind]) => kind === 'online'), WAIT);
  await judges.control('/twitch/eventsub', { do: 'revoke', user: 'linus', status: 'user_removed' });
  await vi.waitUntil(() => judges.events.filter(([kind]) => kind === 'revoke').length === 4, WAIT);

  expect(verified.toSorted()).toEqual(
    ['channel.raid.to', 'channel.update.v2', 'stream.offline', 'stream.online'].map((type) => `${type}.${id} true`),
  );
  expect(judges.events.filter(([kind]) => kind === 'online')).toMatchObject([['online', { id: stream?.id, broadcasterName: 'linus' }]]);
  expect(judges.events).toContainEqual(['revoke', `stream.online.${id} user_removed`]);
  listener.stop();
});

test('@twurple/api manages conduits and subscriptions of an app', async () => {
  await using judges = await openJudges();
  const { eventSub } = judges.app;

  const conduit = await eventSub.createConduit(2);
  const resized = await eventSub.updateConduit(conduit.id, 3);
  const socket = new WebSocket(`${judges.sandbox.url.replace(/^http/u, 'ws')}/ws`);
  const [welcome] = await once(socket, 'message');
  const session_id = Welcome.parse(JSON.parse(String(welcome))).payload.session.id;
  const shards = await eventSub.updateConduitShards(conduit.id, [{ id: '2', transport: { method: 'websocket', session_id } }]);
  const subscription = await eventSub.subscribeToStreamOnlineEvents(judges.sandbox.world.findPerson('grace')?.id ?? '', {
    method: 'conduit',
    conduit_id: conduit.id,
  });
  await conduit.delete();

  socket.terminate();
  expect([conduit.shardCount, resized.shardCount]).toEqual([2, 3]);
  expect(shards).toMatchObject([{ id: '2', status: 'enabled' }]);
  expect(subscription).toMatchObject({ status: 'enabled', cost: 1 });
  expect(await eventSub.getConduits()).toEqual([]);
  expect(await eventSub.getSubscriptions()).toMatchObject({ data: [{ status: 'conduit_deleted' }], totalCost: 0, maxTotalCost: 10_000 });
});
