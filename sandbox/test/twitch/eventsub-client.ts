import { once } from 'node:events';
import { fetch } from 'undici';
import { vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { startSandbox } from '../../index.ts';
import { twitchServer } from '../../twitch/server.ts';
import { controlApi } from '../../../test/support/control-api.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { signedInChannel } from '../../../test/support/signed-in-channel.ts';

const AppToken = z.object({ access_token: z.string() });
const UserToken = z.object({ accessToken: z.string(), userId: z.string() });
const Message = z.object({
  metadata: z.looseObject({ message_id: z.string(), message_type: z.string(), message_timestamp: z.string() }),
  payload: z.looseObject({
    session: z.looseObject({ id: z.string(), reconnect_url: z.string().nullable() }).optional(),
    subscription: z.looseObject({ id: z.string(), type: z.string(), status: z.string() }).optional(),
    event: z.looseObject({}).optional(),
  }),
});
export type Message = z.output<typeof Message>;
const Answer = z.looseObject({
  data: z.array(z.looseObject({ id: z.string() })).default([]),
  errors: z.array(z.looseObject({})).optional(),
  message: z.string().optional(),
  pagination: z.object({ cursor: z.string().optional() }).optional(),
});

interface EventSubTestOptions {
  readonly file?: string | undefined;
  readonly pingClock?: Clock | undefined;
  readonly clock?: ManualClock | undefined;
}

/** A sandbox with a stopped clock, and the requests of an app to its EventSub. */
export async function openEventSub({ file, pingClock, clock = new ManualClock() }: EventSubTestOptions = {}) {
  const sandbox = await startSandbox({ platforms: [(context) => twitchServer(context, { pingClock })], clock, file });
  const { TWITCH_CLIENT_ID: clientId = '', TWITCH_CLIENT_SECRET: secret = '', TWITCH_AUTH_URL: auth = '' } = sandbox.environment;
  const form = { client_id: clientId, client_secret: secret, grant_type: 'client_credentials' };
  const issued = await fetch(`${auth}/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: appToken } = AppToken.parse(await issued.json());

  /** A request to Helix below `/eventsub`. */
  async function helix(method: string, path: string, body?: object, token = appToken) {
    const response = await fetch(`${sandbox.environment['TWITCH_API_URL']}/eventsub${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'client-id': clientId, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, ...Answer.parse(text === '' ? {} : JSON.parse(text)) };
  }

  const order = controlApi(sandbox.url);

  const person = (handle: string) => sandbox.world.people.find((one) => one.handle === handle) ?? missing(handle);

  /** A WebSocket client that records all messages, after its welcome. */
  async function connect(url = `${sandbox.url.replace(/^http/u, 'ws')}/twitch/ws`) {
    const socket = new WebSocket(url);
    const messages: Message[] = [];
    socket.on('message', (data: Buffer) => messages.push(Message.parse(JSON.parse(data.toString()))));
    const closed = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    const until = (found: (message: Message) => boolean) => vi.waitUntil(() => messages.find(found), { timeout: 50_000 });
    await once(socket, 'open');
    return {
      socket,
      messages,
      closed,
      until,
      ofType: (type: string) => messages.filter(({ metadata }) => metadata.message_type === type),
      /** Resolves when the client has received all that the server sent before. */
      async received() {
        socket.ping();
        await once(socket, 'pong');
      },
      sessionId: async () => (await until(({ metadata }) => metadata.message_type === 'session_welcome')).payload.session?.id ?? '',
    };
  }

  return {
    sandbox,
    clock,
    clientId,
    helix,
    order,
    person,
    connect,
    /** Subscribes to a type of a channel through a conduit, or another transport. */
    subscribe: (type: string, handle: string, transport: object, token?: string) =>
      helix(
        'POST',
        '/subscriptions',
        { type, version: type === 'channel.update' ? '2' : '1', condition: { broadcaster_user_id: person(handle).id }, transport },
        token,
      ),
    /** A conduit whose only shard is a new WebSocket. */
    async connectedConduit() {
      const client = await connect();
      const conduit = (await helix('POST', '/conduits', { shard_count: 1 })).data[0]?.id ?? '';
      const session_id = await client.sessionId();
      await helix('PATCH', '/conduits/shards', {
        conduit_id: conduit,
        shards: [{ id: '0', transport: { method: 'websocket', session_id } }],
      });
      return { client, conduit, transport: { method: 'conduit', conduit_id: conduit } };
    },
    /** The token of the channel `ada`. */
    async userToken() {
      const tokens = await signedInChannel({ url: sandbox.url, environment: sandbox.environment, clock });
      return UserToken.parse(await tokens.load());
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

function missing(handle: string): never {
  throw new Error(`there is no person ${handle}`);
}

/** The notifications of a client in short. */
export function notified(messages: readonly Message[]): readonly (readonly [type: unknown, login: unknown])[] {
  return messages
    .filter(({ metadata }) => metadata.message_type === 'notification')
    .map(({ metadata, payload }) => [metadata['subscription_type'], payload.event?.['broadcaster_user_login']]);
}
