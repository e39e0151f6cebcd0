// Twitch with many channels: Helix, conduits and the WebSocket server of EventSub.
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { WebSocketServer, type WebSocket } from 'ws';

const TYPES = ['stream.online', 'stream.offline'] as const;
const CONDUIT = 'conduit-of-the-benchmark';
const KEEPALIVE_SECONDS = 10;
const PAGE = 100;
const RATE = { 'ratelimit-limit': 800, 'ratelimit-remaining': 799 };

/** Twitch whose channels all have the subscriptions that the rule needs, as after a restart of Fanfare. */
export interface BenchTwitch extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
  readonly handles: readonly string[];
  /** The requests for streams. */
  readonly reads: () => number;
  /** Those of them for some channels only, not for a part of the whole list. */
  readonly hintedReads: () => number;
  /** The connected shards. */
  readonly shards: () => number;
  /** Whether subscribers are notified; otherwise, their connections only receive keepalives. */
  isNotifying: boolean;
  /** Begins or ends a stream, and notifies about it. */
  set(handle: string, isLive: boolean): void;
  /** The notification about a begin or an end. */
  notification(handle: string, isLive: boolean): TwitchNotification;
  /** Sends a notification over the bound transport. Resolves with the status of a webhook. */
  send(notification: TwitchNotification, signedWith?: string): Promise<number | undefined>;
}

/** A notification of EventSub. */
export interface TwitchNotification {
  readonly id: string;
  readonly type: string;
  readonly atMs: number;
  readonly subscription: ReturnType<typeof toSubscription>;
  readonly event: object;
}

interface Webhook {
  readonly callback: string;
  readonly secret: string;
}

const toSubscription = ({ id, type, channel }: { readonly id: string; readonly type: string; readonly channel: string }) => ({
  id,
  type,
  cost: 1,
  status: 'enabled',
  condition: { broadcaster_user_id: channel },
  transport: { method: 'conduit', conduit_id: CONDUIT },
});

const idOf = (handle: string): string => `1${handle.replace(/\D/gu, '').padStart(7, '0')}`;

/** Starts the server with this number of channels. */
export async function startTwitch(count: number): Promise<BenchTwitch> {
  const handles = Array.from({ length: count }, (_, index) => `streamer${index}`);
  const byId = new Map(handles.map((handle) => [idOf(handle), handle]));
  const subscriptions = TYPES.flatMap((type) => handles.map((handle) => ({ id: `${type} ${handle}`, type, channel: idOf(handle) })));
  const live = new Map<string, string>();
  const sockets = new Map<string, WebSocket>();
  let shard: string | undefined;
  let reads = 0;
  let hintedReads = 0;

  let webhook: Webhook | undefined;
  let isVerified = false;

  function answer(method: string, path: string, query: URLSearchParams, body: string): object {
    const asked = [...query.getAll('user_login'), ...[...query.getAll('user_id')].map((id) => byId.get(id) ?? '')];
    switch (`${method} ${path}`) {
      case 'POST /oauth2/token':
        return { access_token: 'token-of-the-benchmark', expires_in: 5_000_000, token_type: 'bearer' };
      case 'GET /oauth2/validate':
        return { client_id: 'id-of-the-benchmark', scopes: [], expires_in: 5_000_000 };
      case 'GET /helix/streams':
        reads += 1;
        if (asked.length < PAGE) hintedReads += 1;
        return { data: asked.flatMap((handle) => (live.has(handle) ? [toStream(handle, live.get(handle) ?? '')] : [])), pagination: {} };
      case 'GET /helix/users': {
        const ids = query.getAll('id').map((id) => byId.get(id) ?? '');
        return { data: [...query.getAll('login'), ...ids].filter((handle) => handle !== '').map(toUser) };
      }
      case 'GET /helix/eventsub/subscriptions': {
        const from = Number(query.get('after') ?? 0);
        const data = query.has('conduit_id') ? subscriptions.slice(from, from + PAGE).map(toSubscription) : [];
        const cursor = from + PAGE < subscriptions.length ? String(from + PAGE) : undefined;
        return { data, total_cost: subscriptions.length, max_total_cost: 10_000, pagination: { cursor } };
      }
      case 'POST /helix/eventsub/conduits':
        return { data: [{ id: CONDUIT, shard_count: 1 }] };
      case 'PATCH /helix/eventsub/conduits/shards':
        shard = /"session_id":"([^"]+)"/u.exec(body)?.[1];
        webhook = webhookIn(body);
        if (webhook) void verify(webhook);
        return { data: [], errors: [] };
      case 'GET /helix/eventsub/conduits/shards':
        return { data: [shardAnswer()] };
      default:
        return { data: [] };
    }
  }

  function shardAnswer(): object {
    if (!webhook) return { id: '0', status: 'enabled', transport: { method: 'websocket', session_id: shard } };
    const status = isVerified ? 'enabled' : 'webhook_callback_verification_pending';
    return { id: '0', status, transport: { method: 'webhook', callback: webhook.callback } };
  }

  async function verify(bound: Webhook): Promise<void> {
    const challenge = randomUUID();
    const sent = { id: randomUUID(), atMs: Date.now(), body: JSON.stringify({ challenge }), kind: 'webhook_callback_verification' };
    const { body } = await post(bound, sent);
    isVerified = (await body.text()) === challenge;
  }

  const server = createServer((incoming, response) => {
    void textOf(incoming).then((body) => {
      const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://localhost');
      const resetS = Math.ceil(Date.now() / 1000) + 1;
      response.writeHead(200, { 'content-type': 'application/json', ...RATE, 'ratelimit-reset': resetS });
      response.end(JSON.stringify(answer(incoming.method ?? '', pathname, searchParams, body)));
    });
  });

  function sendTo(socket: WebSocket, type: string, payload: object, more: object = {}): void {
    const metadata = { message_id: randomUUID(), message_type: type, message_timestamp: new Date().toISOString(), ...more };
    socket.send(JSON.stringify({ metadata, payload }));
  }

  const webSockets = new WebSocketServer({ server });
  webSockets.on('connection', (socket) => {
    const id = randomUUID();
    sockets.set(id, socket);
    sendTo(socket, 'session_welcome', { session: { id, status: 'connected', keepalive_timeout_seconds: KEEPALIVE_SECONDS } });
    const timer = setInterval(() => sendTo(socket, 'session_keepalive', {}), (KEEPALIVE_SECONDS * 1000) / 2);
    socket.on('close', () => {
      clearInterval(timer);
      sockets.delete(id);
    });
  });

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const url = `http://127.0.0.1:${port}`;
  const twitch: BenchTwitch = {
    handles,
    isNotifying: true,
    reads: () => reads,
    hintedReads: () => hintedReads,
    shards: () => ((webhook ? isVerified : shard !== undefined && sockets.has(shard)) ? 1 : 0),
    environment: {
      TWITCH_CLIENT_ID: 'id-of-the-benchmark',
      TWITCH_CLIENT_SECRET: 'secret-of-the-benchmark',
      TWITCH_API_URL: `${url}/helix`,
      TWITCH_AUTH_URL: `${url}/oauth2`,
      TWITCH_EVENTSUB_URL: `ws://127.0.0.1:${port}/ws`,
    },
    set(handle, isLive) {
      if (isLive) live.set(handle, new Date().toISOString());
      else live.delete(handle);
      if (twitch.isNotifying) void twitch.send(twitch.notification(handle, isLive));
    },
    notification(handle, isLive) {
      const type = isLive ? 'stream.online' : 'stream.offline';
      const event = { broadcaster_user_id: idOf(handle), broadcaster_user_login: handle, broadcaster_user_name: handle };
      const started = { id: streamIdOf(handle), type: 'live', started_at: live.get(handle) ?? new Date().toISOString() };
      return {
        id: randomUUID(),
        type,
        atMs: Date.now(),
        subscription: toSubscription({ id: `${type} ${handle}`, type, channel: idOf(handle) }),
        event: { ...event, ...(isLive && started) },
      };
    },
    async send({ id, type, atMs, subscription, event }, signedWith) {
      const payload = { subscription, event };
      if (webhook) {
        const bound = signedWith === undefined ? webhook : { ...webhook, secret: signedWith };
        const { statusCode, body } = await post(bound, { id, atMs, body: JSON.stringify(payload), kind: 'notification' });
        await body.dump();
        return statusCode;
      }
      const socket = shard === undefined ? undefined : sockets.get(shard);
      const more = { message_id: id, message_timestamp: new Date(atMs).toISOString(), subscription_type: type };
      if (socket) sendTo(socket, 'notification', payload, more);
      return undefined;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.values()) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return twitch;
}

const streamIdOf = (handle: string): string => `4${handle.replace(/\D/gu, '')}`;

function toStream(handle: string, startedAt: string): object {
  return {
    id: streamIdOf(handle),
    user_id: idOf(handle),
    user_login: handle,
    user_name: handle,
    game_id: '743',
    game_name: 'Chess',
    type: 'live',
    title: `Ranked with ${handle} until I win`,
    tags: ['English'],
    viewer_count: 250,
    started_at: startedAt,
    language: 'en',
    thumbnail_url: `https://static-cdn.example/previews/live_user_${handle}-{width}x{height}.jpg`,
    is_mature: false,
  };
}

function toUser(handle: string): object {
  return {
    id: idOf(handle),
    login: handle,
    display_name: handle,
    description: '',
    broadcaster_type: 'affiliate',
    profile_image_url: 'https://static-cdn.example/avatars/300x300.png',
    offline_image_url: '',
    created_at: '2020-11-20T17:00:00Z',
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text;
}

function webhookIn(body: string): Webhook | undefined {
  const [, callback] = /"callback":"([^"]+)"/u.exec(body) ?? [];
  const [, secret] = /"secret":"([^"]+)"/u.exec(body) ?? [];
  return callback === undefined || secret === undefined ? undefined : { callback, secret };
}

interface Posted {
  readonly id: string;
  readonly atMs: number;
  readonly body: string;
  readonly kind: string;
}

/** Sends a signed message to a webhook. */
function post({ callback, secret }: Webhook, { id, atMs, body, kind }: Posted) {
  const timestamp = new Date(atMs).toISOString();
  const signature = `sha256=${createHmac('sha256', secret).update(id).update(timestamp).update(body).digest('hex')}`;
  const headers = Object.entries({ id, timestamp, type: kind, signature }).map(([name, value]) => [
    `twitch-eventsub-message-${name}`,
    value,
  ]);
  return request(callback, { method: 'POST', headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) }, body });
}
