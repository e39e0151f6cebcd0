import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context } from 'hono';
import { systemClock, type Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { SandboxContext } from '../../context.ts';
import type { OpenCollection } from '../../stored-map.ts';
import { EventFeed } from '../../world/event-feed.ts';
import type { Tokens } from '../access.ts';
import { type Conduit, Conduits, type Shard } from './conduits.ts';
import { createConduit, deleteConduit, listConduits, listShards, updateConduit, updateShards } from './helix-conduits.ts';
import { createSubscription, deleteSubscription, listSubscriptions } from './helix-subscriptions.ts';
import { Notifier } from './notifier.ts';
import { EventSubOrders } from './orders.ts';
import { type EventSubAnswer, EventSubRefusal, type EventSubRequest } from './request.ts';
import { Sessions } from './sessions.ts';
import { type Status, type Subscription, toSubscriptionWire, toTransportWire } from './subscription.ts';
import { Subscriptions } from './subscriptions.ts';
import { type Webhook, Webhooks } from './webhooks.ts';
import { toEventSub } from './world-events.ts';

const PENDING: Status = 'webhook_callback_verification_pending';
const FAILED: Status = 'webhook_callback_verification_failed';

type Refuse = (status: number, message: string) => Response;

/** What EventSub needs from the simulated Twitch. */
export interface EventSubOptions {
  readonly platform: string;
  readonly context: SandboxContext;
  readonly tokens: Tokens;
  readonly collection: OpenCollection;
  /** Makes an error answer of Helix. */
  readonly refuse: Refuse;
  /** The real time, in which connections are pinged. */
  readonly pingClock?: Clock | undefined;
}

/** EventSub of the simulated Twitch: subscriptions, conduits, its WebSocket server and webhooks. It loads when it is first used. */
export class EventSub {
  readonly #platform: string;
  readonly #context: SandboxContext;
  readonly #tokens: Tokens;
  readonly #refuse: Refuse;
  readonly #over = new AbortController();
  readonly #subscriptions: Subscriptions;
  readonly #conduits: Conduits;
  readonly #sessions: Sessions;
  readonly #webhooks: Webhooks;
  readonly #notifier: Notifier;
  readonly #feed: EventFeed;
  readonly #endpoints: Readonly<Record<string, (request: EventSubRequest) => EventSubAnswer>>;
  /** What the control API orders. */
  readonly orders: EventSubOrders;

  constructor({ platform, context, tokens, collection, refuse, pingClock = systemClock }: EventSubOptions) {
    const { clock, faults, world } = context;
    const { signal } = this.#over;
    this.#platform = platform;
    this.#context = context;
    this.#tokens = tokens;
    this.#refuse = refuse;
    this.#subscriptions = new Subscriptions({ collection, clock });
    this.#conduits = new Conduits({
      collection,
      clock,
      disabled: (shard) => this.#reportDisabled(shard),
      expired: (conduit) => this.#conduitDeleted(conduit),
    });
    this.#webhooks = new Webhooks({ clock, signal });
    this.#sessions = new Sessions({
      clock,
      pingClock,
      url: () => `${context.url().replace(/^http/u, 'ws')}/${platform}/ws`,
      isUsed: (id) => this.#isUsed(id),
      isSilenced: (id) => faults.take('silentSocket', { platform, method: 'GET', path: `/${platform}/ws/${id}` }) !== undefined,
      ended: (session, status) => this.#sessionEnded(session.id, status),
    });
    const parts = { subscriptions: this.#subscriptions, conduits: this.#conduits, sessions: this.#sessions, webhooks: this.#webhooks };
    this.#notifier = new Notifier({
      ...parts,
      platform,
      clock,
      faults,
      signal,
      failed: (...failed) => this.#notificationFailed(...failed),
    });
    this.orders = new EventSubOrders({ ...parts, notifier: this.#notifier, changed: () => this.#followWorld() });
    this.#feed = new EventFeed({ world, clock, emit: (event) => this.#notifier.emit(toEventSub(event)) });

    const subscriptions = {
      ...parts,
      world,
      tokens,
      limits: () => this.orders.limits,
      created: (subscription: Subscription) => this.#subscribed(subscription),
      deleted: () => this.#followWorld(),
    };
    const conduits = {
      ...parts,
      limits: () => this.orders.limits,
      deleted: (conduit: Conduit) => this.#conduitDeleted(conduit),
      bound: (shard: Shard) => this.#shardBound(shard),
    };
    this.#endpoints = {
      'GET /eventsub/subscriptions': (request) => listSubscriptions(subscriptions, request),
      'POST /eventsub/subscriptions': (request) => createSubscription(subscriptions, request),
      'DELETE /eventsub/subscriptions': (request) => deleteSubscription(subscriptions, request),
      'GET /eventsub/conduits': (request) => listConduits(conduits, request),
      'POST /eventsub/conduits': (request) => createConduit(conduits, request),
      'PATCH /eventsub/conduits': (request) => updateConduit(conduits, request),
      'DELETE /eventsub/conduits': (request) => deleteConduit(conduits, request),
      'GET /eventsub/conduits/shards': (request) => listShards(conduits, request),
      'PATCH /eventsub/conduits/shards': (request) => updateShards(conduits, request),
    };
    this.#endLostConnections();
    this.#followWorld();
  }

  /** Answers an authorized request to an endpoint below `/eventsub`. */
  async answer(c: Context, path: string): Promise<Response> {
    const { method } = c.req;
    const endpoint = this.#endpoints[`${method} ${path}`];
    const token = this.#tokens.ofRequest(c);
    if (!endpoint || !token) return this.#refuse(404, 'Not Found');
    const { faults } = this.#context;
    const body: unknown = await c.req.json().catch(() => undefined);
    try {
      const request: EventSubRequest = {
        token,
        query: new URL(c.req.url).searchParams,
        body,
        fault: (kind) => faults.take(kind, { platform: this.#platform, method, path: c.req.path }),
      };
      const { status, body: answer } = endpoint(request);
      return answer ? Response.json(answer, { status }) : new Response(null, { status });
    } catch (error) {
      if (error instanceof EventSubRefusal) return this.#refuse(error.status, error.message);
      throw error;
    }
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#sessions.upgrade(request, socket, head);
  }

  async close(): Promise<void> {
    this.#over.abort();
    this.#feed.stop();
    await this.#sessions.close();
  }

  #isUsed(sessionId: string): boolean {
    const receiver = `websocket ${sessionId}`;
    return this.#conduits.shardsOfReceiver(receiver).length > 0 || this.#subscriptions.ofReceiver(receiver).length > 0;
  }

  /** Events are computed only while someone is subscribed. */
  #followWorld(): void {
    if (this.#subscriptions.enabled > 0 && !this.#over.signal.aborted) this.#feed.start();
    else this.#feed.stop();
  }

  /** Sessions do not outlast a restart, and neither do challenges. */
  #endLostConnections(): void {
    for (const subscription of this.#subscriptions.all()) {
      const isOpen = subscription.transport.method === 'websocket' && subscription.status === 'enabled';
      if (isOpen) this.#subscriptions.setStatus(subscription, 'websocket_disconnected');
      if (subscription.status === PENDING) this.#subscriptions.setStatus(subscription, FAILED);
    }
    for (const { id } of this.#conduits.all()) {
      for (const shard of this.#conduits.shardsOf(id)) {
        const isOpen = shard.transport.method === 'websocket' && shard.status === 'enabled';
        if (isOpen) this.#conduits.setStatus(shard, 'websocket_disconnected');
        if (shard.status === PENDING) this.#conduits.setStatus(shard, FAILED);
      }
    }
  }

  #sessionEnded(sessionId: string, status: Status): void {
    const receiver = `websocket ${sessionId}`;
    for (const one of this.#subscriptions.ofReceiver(receiver)) if (one.status === 'enabled') this.#subscriptions.setStatus(one, status);
    if (!this.#over.signal.aborted) {
      for (const one of this.#conduits.shardsOfReceiver(receiver)) if (one.status === 'enabled') this.#conduits.setStatus(one, status);
    }
    this.#followWorld();
  }

  #subscribed(subscription: Subscription): void {
    const { transport } = subscription;
    if (transport.method === 'webhook') {
      void this.#verify(transport, subscription, toSubscriptionWire(subscription)).then((status) => {
        const current = this.#subscriptions.find(subscription.id);
        if (current && status) this.#subscriptions.setStatus(current, status);
        this.#followWorld();
      });
    }
    this.#followWorld();
  }

  #shardBound(shard: Shard): void {
    const { transport, conduitId, id } = shard;
    if (transport.method !== 'webhook') return;
    const about = { type: 'conduit.shard', version: '1' };
    const wire: JsonObject = { id: conduitId, ...about, status: shard.status, condition: {}, transport: toTransportWire(transport) };
    void this.#verify(transport, about, wire).then((status) => {
      const current = this.#conduits.shard(conduitId, id);
      if (current?.status === PENDING && status) this.#conduits.setStatus(current, status);
    });
  }

  /** The status after the challenge; undefined if the sandbox stopped. */
  async #verify(webhook: Webhook, about: Pick<Subscription, 'type' | 'version'>, subscription: JsonObject): Promise<Status | undefined> {
    const isVerified = await this.#webhooks.verify(webhook, about, { subscription });
    if (this.#over.signal.aborted) return undefined;
    return isVerified ? 'enabled' : FAILED;
  }

  #notificationFailed(subscription: Subscription, shard: Shard | undefined): void {
    const status = 'notification_failures_exceeded';
    const current = this.#subscriptions.find(subscription.id);
    if (shard) this.#conduits.setStatus(shard, status);
    else if (current?.status === 'enabled') this.#notifier.revoke(this.#subscriptions.setStatus(current, status));
    this.#followWorld();
  }

  #conduitDeleted({ id }: Conduit): void {
    for (const one of this.#subscriptions.ofReceiver(`conduit ${id}`)) this.#subscriptions.setStatus(one, 'conduit_deleted');
    this.#followWorld();
  }

  #reportDisabled({ conduitId, id, status, transport }: Shard): void {
    const client_id = this.#conduits.find(conduitId)?.clientId ?? '';
    this.#notifier.emit({
      type: 'conduit.shard.disabled',
      conditions: [{ client_id }, { client_id, conduit_id: conduitId }],
      event: { conduit_id: conduitId, shard_id: String(id), status, transport: toTransportWire(transport) },
    });
  }
}
