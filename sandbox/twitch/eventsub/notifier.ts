import { randomUUID } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Faults } from '../../faults.ts';
import { type DeliverWithFaults, faultyDelivery } from '../../notifications/faulty-delivery.ts';
import type { Conduits, Shard } from './conduits.ts';
import type { Sessions } from './sessions.ts';
import { type ShardTransport, type Subscription, toSubscriptionWire } from './subscription.ts';
import type { EventSubEvent } from './topic.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { WebhookMessage, Webhooks } from './webhooks.ts';

/** A notification or a revocation for one subscription. */
type Message = WebhookMessage & { readonly type: 'notification' | 'revocation' };

/** What happened to notifications since the start of the sandbox. */
export interface NotificationCounts {
  /** Notifications that were handed to a connection or accepted by a webhook. */
  readonly sent: number;
  /** Notifications without a shard, a connection or a webhook that takes them. */
  readonly undelivered: number;
}

interface NotifierOptions {
  readonly platform: string;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly subscriptions: Subscriptions;
  readonly conduits: Conduits;
  readonly sessions: Sessions;
  readonly webhooks: Webhooks;
  /** Ends waits. */
  readonly signal: AbortSignal;
  /** Called after a webhook refused a notification too often. */
  readonly failed: (subscription: Subscription, shard: Shard | undefined) => void;
}

/** Sends events to subscribers, with the effects of faults. */
export class Notifier {
  readonly #options: NotifierOptions;
  #sent = 0;
  #undelivered = 0;
  readonly #deliver: DeliverWithFaults;
  /** The shard that receives the next notification, by conduit. */
  readonly #nextShard = new Map<string, number>();

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#deliver = faultyDelivery(options);
  }

  get counts(): NotificationCounts {
    return { sent: this.#sent, undelivered: this.#undelivered };
  }

  /** Sends an event to all its subscriptions. */
  emit({ type, conditions, event }: EventSubEvent): void {
    for (const condition of conditions) {
      for (const subscription of this.#options.subscriptions.of(type, condition)) {
        if (subscription.status === 'enabled') this.#notify(subscription, event);
      }
    }
  }

  /** Tells the subscriber that the subscription has ended. */
  revoke(subscription: Subscription): void {
    this.#send(subscription, messageOf('revocation', subscription));
  }

  #notify(subscription: Subscription, event: JsonObject): void {
    const message = messageOf('notification', subscription, event);
    const { type, condition } = subscription;
    this.#deliver({
      path: `/${this.#options.platform}/eventsub/${type}/${Object.values(condition).join('')}`,
      send: () => this.#send(subscription, message),
      sendForged: () => this.#forge(subscription, message),
      sendForeign: () => this.#send(subscription, messageOf('notification', foreign(subscription), event)),
    });
  }

  #send(subscription: Subscription, message: Message): void {
    const target = this.#targetOf(subscription);
    if (!target) this.#undelivered += 1;
    else if (target.transport.method === 'websocket') this.#sendToSession(target.transport.sessionId, message);
    else void this.#sendToWebhook(subscription, { ...target, transport: target.transport }, message);
  }

  /** A copy by someone else: with a wrong signature, or on a WebSocket for a subscription that does not exist. */
  #forge(subscription: Subscription, message: Message): void {
    const target = this.#targetOf(subscription)?.transport;
    const payload = { ...message.payload, subscription: toSubscriptionWire({ ...subscription, id: randomUUID() }) };
    if (target?.method === 'webhook') void this.#options.webhooks.forge(target, { ...message, id: randomUUID() });
    if (target?.method === 'websocket') this.#options.sessions.find(target.sessionId)?.send({ ...message, id: randomUUID(), payload });
  }

  #sendToSession(sessionId: string, message: Message): void {
    const session = this.#options.sessions.find(sessionId);
    if (session && !session.isSilent) this.#sent += 1;
    else this.#undelivered += 1;
    session?.send(message);
  }

  async #sendToWebhook(
    subscription: Subscription,
    { transport, shard }: { readonly transport: ShardTransport & { readonly method: 'webhook' }; readonly shard: Shard | undefined },
    message: Message,
  ): Promise<void> {
    const isAccepted = await this.#options.webhooks.send(transport, message);
    if (isAccepted === undefined) return;
    if (isAccepted) this.#sent += 1;
    else this.#undelivered += 1;
    if (!isAccepted && message.type === 'notification') this.#options.failed(subscription, shard);
  }

  #targetOf({ transport }: Subscription): { readonly transport: ShardTransport; readonly shard: Shard | undefined } | undefined {
    if (transport.method !== 'conduit') return { transport, shard: undefined };
    const shard = this.#shardOf(transport.conduitId);
    return shard && { transport: shard.transport, shard };
  }

  /** The shards of a conduit take turns. If the due one is not enabled, Twitch tries one other shard, and then drops the notification. */
  #shardOf(conduitId: string): Shard | undefined {
    const { conduits } = this.#options;
    const { shardCount = 1 } = conduits.find(conduitId) ?? {};
    const due = (this.#nextShard.get(conduitId) ?? 0) % shardCount;
    this.#nextShard.set(conduitId, due + 1);
    return [due, (due + 1) % shardCount].flatMap((id) => conduits.shard(conduitId, id) ?? []).find(({ status }) => status === 'enabled');
  }
}

function messageOf(type: Message['type'], subscription: Subscription, event?: JsonObject): Message {
  return {
    id: randomUUID(),
    type,
    subscription: { type: subscription.type, version: subscription.version },
    payload: { subscription: toSubscriptionWire(subscription), ...(event && { event }) },
  };
}

/** The same subscription of another installation. */
function foreign(subscription: Subscription): Subscription {
  return { ...subscription, id: randomUUID(), transport: { method: 'conduit', conduitId: randomUUID() } };
}
