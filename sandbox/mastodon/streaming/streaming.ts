import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { SandboxContext } from '../../context.ts';
import type { WorldPerson } from '../../world/world.ts';
import { createDifferences, type Differences } from '../../social/push/differences.ts';
import { type DeliverWithFaults, faultyDelivery } from '../../notifications/faulty-delivery.ts';
import { type Client, refuseUpgrade, Sockets } from '../../social/push/sockets.ts';
import type { Token } from '../oauth.ts';
import { streamRequest } from '../request.ts';
import { type MastodonState, NAME } from '../state.ts';
import { type Announced, contentOf, partsOf, Subscription } from './streams.ts';

/** How often generated posts are looked for. Written ones are sent at once. */
const LOOK_MS = 1_000;

const Order = z.object({ type: z.enum(['subscribe', 'unsubscribe']) });
const EVENTS = {
  status: ['update', 'status.update'],
  notification: ['notification', 'notification'],
  conversation: ['conversation', 'conversation'],
} as const;

/** A connection with its subscriptions. */
interface Connected extends Client {
  readonly viewer: WorldPerson;
  readonly token: Token;
  readonly streams: Map<
    string,
    { readonly subscription: Subscription; readonly compare: (now: readonly Announced[]) => Differences<Announced> }
  >;
}

/** The streaming API: one WebSocket for several streams. */
export class Streaming {
  readonly #state: MastodonState;
  readonly #context: SandboxContext;
  readonly #sockets: Sockets<Connected>;
  readonly #over = new AbortController();
  readonly #deliver: DeliverWithFaults;
  #isLooking = false;

  constructor(state: MastodonState, context: SandboxContext) {
    const { clock, faults } = context;
    this.#state = state;
    this.#context = context;
    this.#sockets = new Sockets({ platform: NAME, faults });
    this.#deliver = faultyDelivery({ platform: NAME, clock, faults, signal: this.#over.signal });
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { searchParams } = new URL(request.url ?? '/', 'ws://mastodon');
    const { authorization, 'sec-websocket-protocol': protocol } = request.headers;
    const value = authorization?.replace(/^Bearer /u, '') ?? searchParams.get('access_token') ?? protocol ?? '';
    const token = this.#state.oauth.findToken(value);
    const viewer = token && this.#state.core.people.find(token.userId);
    if (this.#state.settings.current.streaming === 'off') refuseUpgrade(socket, 404);
    else if (!token || !viewer) refuseUpgrade(socket, 401);
    else {
      this.#sockets.accept({ request, socket, head }, (client) => {
        const connected: Connected = { ...client, viewer, token, streams: new Map() };
        const first = Subscription.safeParse(Object.fromEntries(searchParams));
        if (first.success) this.#subscribe(connected, first.data);
        return { client: connected, onMessage: (text) => this.#onMessage(connected, text) };
      });
      void this.#lookRegularly();
    }
  }

  /** Sends what changed since the last call. */
  look(): void {
    for (const client of this.#sockets.all()) {
      const request = streamRequest(this.#state, client);
      for (const { subscription, compare } of client.streams.values()) {
        const { added, changed, removed } = compare(contentOf(subscription, request) ?? []);
        for (const one of added) this.#send(client, subscription, EVENTS[one.kind][0], JSON.stringify(one.payload()));
        for (const one of changed) this.#send(client, subscription, EVENTS[one.kind][1], JSON.stringify(one.payload()));
        for (const one of removed) if (one.kind === 'status') this.#send(client, subscription, 'delete', one.statusId);
      }
    }
  }

  /** The connections with their streams. */
  describe(): JsonObject {
    return { connections: this.#sockets.all().map(({ viewer, streams }) => ({ user: viewer.handle, streams: [...streams.keys()] })) };
  }

  disconnect(code: number | undefined): number {
    return this.#sockets.disconnect(code);
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#sockets.close();
  }

  #onMessage(client: Connected, text: string): void {
    const json: unknown = JSON.parse(text);
    const order = Order.safeParse(json);
    const subscription = Subscription.safeParse(json);
    if (!order.success || !subscription.success) return client.send(JSON.stringify({ error: 'Unknown stream type', status: 400 }));
    if (order.data.type === 'subscribe') this.#subscribe(client, subscription.data);
    else client.streams.delete(partsOf(subscription.data).join(' '));
  }

  #subscribe(client: Connected, subscription: Subscription): void {
    const content = contentOf(subscription, streamRequest(this.#state, client));
    if (!content) return client.send(JSON.stringify({ error: 'Not authorized to stream this list', status: 401 }));
    client.streams.set(partsOf(subscription).join(' '), { subscription, compare: createDifferences(content) });
  }

  #send(client: Connected, subscription: Subscription, event: string, payload: string): void {
    const stream = partsOf(subscription);
    const send = (parts: readonly string[], content = payload): void =>
      client.send(JSON.stringify({ stream: parts, event, payload: content }));
    this.#deliver({
      path: `/${NAME}/streaming/${stream.join('/')}/${event}`,
      send: () => send(stream),
      sendForeign: () => send(['list', '999999'], JSON.stringify({ id: '1', account: { id: '999999' } })),
      sendForged: () => client.send('{"stream":["user"],"event":'),
    });
  }

  /** Generated posts appear without a request. */
  async #lookRegularly(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { clock } = this.#context;
    do {
      await clock.sleep(LOOK_MS, this.#over.signal).catch(() => undefined);
      if (!this.#over.signal.aborted) this.look();
    } while (!this.#over.signal.aborted && this.#sockets.all().length > 0);
    this.#isLooking = false;
  }
}
