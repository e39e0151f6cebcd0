import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { systemClock } from '#src/clock.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import { silentLog } from '#src/log.ts';
import { createHints } from '#src/engine/hints.ts';
import { connectEventSub } from '#adapters/twitch/eventsub/connect.ts';
import { createShownStreams } from '#adapters/twitch/shown-streams.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';

const CHANNELS = 1_000;
const BURST = 10_000;
const BURSTS = 8;
const CONDUIT = 'conduit';

async function heapMb(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    collectGarbage();
    // The target of a weak reference lives until the end of the turn, and its finalizer runs in a later one.
    await nextTurn();
  }
  return process.memoryUsage().heapUsed / 1_048_576;
}

/** The answers of Helix: each channel has its subscriptions. */
function answerOf(path: string, sessionId: string): object {
  if (path === '/eventsub/conduits') return { data: [{ id: CONDUIT }] };
  if (path === '/eventsub/conduits/shards')
    return { data: [{ id: '0', status: 'enabled', transport: { session_id: sessionId } }], errors: [] };
  const types = ['stream.online', 'stream.offline', 'channel.update'];
  const data = types.flatMap((type) => Array.from({ length: CHANNELS }, (_, id) => subscriptionOf(type, String(id))));
  return { data, total_cost: data.length, max_total_cost: 10_000 };
}

function subscriptionOf(type: string, channel: string): object {
  const transport = { method: 'conduit', conduit_id: CONDUIT };
  return { id: `${type} ${channel}`, status: 'enabled', type, condition: { broadcaster_user_id: channel }, transport, cost: 1 };
}

test('10,000 notifications at once bring each channel one merged poll, and the memory stays flat', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const connected = once(server, 'connection') as Promise<[WebSocket]>; // the event of ws has the socket
  const stopping = new AbortController();
  const { signal } = stopping;
  const shown = createShownStreams();
  const names = Array.from({ length: CHANNELS }, (_, id) => `streamer${id}`);
  const hurried: (readonly string[])[] = [];
  const rule = makeRule({ id: 'live', schedule: { everyMs: 60_000 }, watched: makeWatched({ with: { users: names } }) });
  const onHint = createHints({
    rules: () => [rule],
    scheduler: { hurry: async (some) => void hurried.push([...some].map(String)) },
    clock: systemClock,
    log: silentLog,
    signal,
  });
  const hintedNames = new Set<string>();
  let notified = 0;
  let state = '';
  const ended = connectEventSub({
    url: `ws://127.0.0.1:${port}`,
    api: {
      // The part of a response that EventSub reads.
      request: async ({ path }) => ({
        status: 200,
        headers: {},
        text: '',
        json: (schema) => schema.parse(answerOf(path, 'session')),
      }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
    token: { authorized: (_signal, request) => request('token') },
    clientId: 'client',
    users: { idOf: (name) => Promise.resolve(name.replace(/\D/gu, '')) },
    shown,
    clock: systemClock,
    isSubstitute: false,
    names: {
      current: () => Promise.resolve(new Map([['getStreams', names]])),
      readingChanges: () => Promise.resolve(new Map([['getStreams', names]])),
      changed: (abort) => systemClock.sleep(60_000, abort),
    },
    stored: { load: () => Promise.resolve(undefined), save: () => Promise.resolve() },
    endpoint: undefined,
    onStatus: (status) => (state = status.state),
    onCovered: () => undefined,
    onNotification: () => void notified++,
    onChange(change) {
      for (const name of change?.names ?? []) hintedNames.add(name);
      onHint({ account: rule.watched?.accounts[0] ?? '', verb: rule.watched?.verb ?? '', named: undefined });
    },
    signal,
  });
  ended.catch(() => undefined);
  const [socket] = await connected;
  const send = (type: string, payload: object, id: string): void => {
    const metadata = { message_id: id, message_type: type, message_timestamp: new Date().toISOString() };
    socket.send(JSON.stringify({ metadata, payload }));
  };
  send('session_welcome', { session: { id: 'session', keepalive_timeout_seconds: 600 } }, 'welcome');
  await vi.waitUntil(() => state === 'connected', { timeout: 240_000 });

  const heaps: number[] = [];
  const rates: number[] = [];
  for (let burst = 0; burst < BURSTS; burst++) {
    hintedNames.clear();
    hurried.length = 0;
    const expected = notified + BURST;
    const beganMs = performance.now();
    for (let index = 0; index < BURST; index++) {
      const channel = String(index % CHANNELS);
      const event = { id: `s${burst}`, broadcaster_user_id: channel, type: 'live', started_at: new Date().toISOString() };
      send('notification', { subscription: subscriptionOf('stream.online', channel), event }, `${burst} ${index}`);
    }
    await vi.waitUntil(() => notified === expected, { timeout: 240_000, interval: 5 });
    rates.push((BURST / (performance.now() - beganMs)) * 1_000);
    expect(names.every((name) => hintedNames.has(name))).toBe(true);
    await vi.waitUntil(() => hurried.length > 0, { timeout: 240_000 });
    // Polls that begin within 200 ms are one. A slow burst brings more of them.
    expect(hurried.length).toBeLessThan(Math.max(BURST, performance.now() - beganMs) / 100);
    // The poll shows the streams, and no hint is repeated.
    shown.show(
      names,
      names.map((name) => liveStream(name, `s${burst}`)),
    );
    await systemClock.sleep(300);
    heaps.push(await heapMb());
  }
  console.info({ heapsMb: heaps.map((mb) => Number(mb.toFixed(1))), notificationsPerSecond: rates.map(Math.round) });
  // Buffers come and go, and what is lost stays.
  expect(Math.min(...heaps.slice(-3)) - Math.max(...heaps.slice(0, 3))).toBeLessThan(1);
  stopping.abort();
  await ended.catch(() => undefined);
  socket.terminate();
  await new Promise((resolve) => server.close(resolve));
});

/** The part of a stream by which a notification is recognized. */
function liveStream(name: string, id: string): Stream {
  const ref = { platform: 'twitch', id: name.replace(/\D/gu, ''), url: `https://www.twitch.tv/${name}` };
  return {
    platform: 'twitch',
    id,
    url: ref.url,
    owner: { ...ref, handle: name, displayName: name },
    title: '',
    viewerCount: 1,
    startedAt: new Date(),
    tags: [],
    fetchedAt: new Date(),
  } as unknown as Stream; // other fields do not matter here
}
