import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { connectEventSub } from '#adapters/twitch/eventsub/connect.ts';
import { connectWebhook, receiveWebhook, type Revocations } from '#adapters/twitch/eventsub/webhook.ts';
import { createShownStreams } from '#adapters/twitch/shown-streams.ts';
import { systemClock } from '#src/clock.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const CALLBACK = 'https://fanfare.example/hooks/notifications/twitch';
const SECRET = 'a secret of the account';
const NAMES = ['ada', 'grace'];
const none = { all: async () => [], find: async () => undefined, keep: async () => undefined, drop: async () => undefined };

/** The answers of Helix: each channel has its subscriptions. */
function answerOf(path: string, bound: object): object {
  if (path === '/eventsub/conduits') return { data: [{ id: 'conduit' }] };
  if (path === '/eventsub/conduits/shards') return { data: [{ id: '0', status: 'enabled', transport: bound }], errors: [] };
  const transport = { method: 'conduit', conduit_id: 'conduit' };
  const data = ['stream.online', 'stream.offline'].flatMap((type) =>
    NAMES.map((id) => ({ id: `${type} ${id}`, status: 'enabled', type, condition: { broadcaster_user_id: id }, transport, cost: 1 })),
  );
  return { data, total_cost: data.length, max_total_cost: 10_000 };
}

/** `bound`: where the first shard of the conduit sends notifications. */
function optionsOf(bound: object) {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const covered: (readonly string[])[] = [];
  const kinds: string[] = [];
  return {
    covered,
    kinds,
    options: {
      api: {
        // The part of a response that EventSub reads.
        request: async ({ path }: { readonly path: string }) => ({
          status: 200,
          headers: {},
          text: '',
          json: <T>(schema: { readonly parse: (value: unknown) => T }) => schema.parse(answerOf(path, bound)),
        }),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      },
      token: { authorized: <T>(_signal: AbortSignal | undefined, send: (value: string) => Promise<T>) => send('token') },
      clientId: 'client',
      users: { idOf: (name: string) => Promise.resolve(name) },
      shown: createShownStreams(),
      isSubstitute: false,
      names: {
        current: () => Promise.resolve(new Map([['getStreams', NAMES]])),
        readingChanges: () => Promise.resolve(new Map()),
        changed: (signal: AbortSignal) => systemClock.sleep(60_000, signal),
      },
      stored: { load: () => Promise.resolve('client conduit'), save: () => Promise.resolve() },
      onStatus: () => undefined,
      onCovered: (_names: unknown, presenceOnly?: ReadonlyMap<string, readonly string[]>) =>
        void covered.push(presenceOnly?.get('getStreams') ?? []),
      onNotification: (kind: string) => void kinds.push(kind),
      onChange: () => undefined,
      signal: stopping.signal,
    },
  };
}

test('a subscription that Twitch revokes at the webhook ends the coverage of its channel at once', async () => {
  const { covered, options } = optionsOf({ callback: CALLBACK });
  const revocations: Revocations = {};
  const clock = new ManualClock(0);
  const endpoint = { url: CALLBACK, secret: () => Promise.resolve(SECRET), subscriptions: none };
  const ended = connectWebhook({ ...options, endpoint, clock, revocations });
  ended.catch(() => undefined);
  await expect.poll(() => covered).toEqual([NAMES]);

  const body = new TextEncoder().encode(JSON.stringify({ subscription: { id: 'stream.online ada', status: 'user_removed' } }));
  const at = new Date(0).toISOString();
  const headers: Readonly<Record<string, string>> = {
    'twitch-eventsub-message-id': 'id',
    'twitch-eventsub-message-timestamp': at,
    'twitch-eventsub-message-type': 'revocation',
    'twitch-eventsub-message-signature': `sha256=${createHmac('sha256', SECRET).update(`id${at}`).update(body).digest('hex')}`,
  };
  const request = {
    method: 'POST',
    subscription: '',
    query: new URLSearchParams(),
    header: (name: string) => headers[name],
    body,
  } as const;
  const received = await receiveWebhook(request, {
    secret: () => Promise.resolve(SECRET),
    storedText: () => Promise.resolve('client conduit'),
    subscriptions: none,
    nowMs: 0,
    revocations,
  });

  expect(received).toEqual({ kind: 'ended' });
  expect(covered).toEqual([NAMES, ['grace']]);
});

test('malformed messages of the WebSocket are counted, and the connection stays', async () => {
  const { kinds, covered, options } = optionsOf({ session_id: 'session' });
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  server.on('connection', (socket) => {
    onTestFinished(() => socket.terminate());
    const welcome = {
      metadata: { message_type: 'session_welcome' },
      payload: { session: { id: 'session', keepalive_timeout_seconds: 600 } },
    };
    for (const text of ['{', JSON.stringify({ metadata: { message_type: 'notification' } }), JSON.stringify(welcome)]) socket.send(text);
    socket.send(Buffer.from('bytes'), { binary: true });
    socket.send(JSON.stringify({ metadata: { message_type: 'a_new_kind' } }));
  });
  const ended = connectEventSub({ ...options, endpoint: undefined, url: `ws://127.0.0.1:${port}`, clock: systemClock });
  ended.catch(() => undefined);

  await expect.poll(() => covered).toEqual([NAMES]);
  await expect.poll(() => kinds).toEqual(['malformed', 'malformed', 'malformed']);
});
