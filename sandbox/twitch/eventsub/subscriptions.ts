import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { OpenCollection, StoredMap } from '../../stored-map.ts';
import { MultiMap } from './multi-map.ts';
import { receiverOf, type Status, Subscription } from './subscription.ts';
import { type Condition, topicOf } from './topic.ts';

/** Twitch lists subscriptions of a lost WebSocket for this time. */
const LISTED_MS = 3_600_000;

/** The journal keeps 2,000 documents of a collection, so each document has all subscriptions whose ids begin with the same digits. */
const Bucket = z.object({ key: z.string(), subscriptions: z.array(Subscription) });
type Bucket = z.output<typeof Bucket>;
const bucketOf = (id: string): string => id.slice(0, 2);

/** The number and the cost of the subscriptions of an app, or of a user of the app. */
export interface Totals {
  readonly total: number;
  readonly totalCost: number;
}

/** Whose limits a subscription counts against. */
export function ownerOf({ clientId, userId }: Pick<Subscription, 'clientId' | 'userId'>): string {
  return userId === undefined ? clientId : `${clientId} ${userId}`;
}

interface SubscriptionsOptions {
  readonly collection: OpenCollection;
  readonly clock: Clock;
}

/** All subscriptions. Reads by topic, receiver or owner do not depend on the number of other subscriptions. */
export class Subscriptions {
  readonly #clock: Clock;
  readonly #stored: StoredMap<Bucket>;
  readonly #byId = new Map<string, Subscription>();
  readonly #idsByTopic = new MultiMap<string>();
  readonly #idsByReceiver = new MultiMap<string>();
  readonly #idsByOwner = new MultiMap<string>();
  readonly #idsByBucket = new MultiMap<string>();
  readonly #totals = new Map<string, Totals>();
  #enabled = 0;
  /** Lost subscriptions of WebSockets, oldest first. */
  #lost: { readonly id: string; readonly atMs: number }[] = [];

  constructor({ collection, clock }: SubscriptionsOptions) {
    this.#clock = clock;
    this.#stored = collection({ collection: 'twitch.eventsub.subscriptions', schema: Bucket, keyOf: ({ key }) => key });
    const stored = this.#stored.all().flatMap(({ subscriptions }) => subscriptions);
    for (const subscription of stored.toSorted((a, b) => a.createdAtMs - b.createdAtMs)) this.#enter(subscription);
  }

  /** The number of subscriptions that receive notifications. */
  get enabled(): number {
    return this.#enabled;
  }

  find(id: string): Subscription | undefined {
    return this.#byId.get(id);
  }

  /** All subscriptions, oldest first. */
  all(): readonly Subscription[] {
    return [...this.#byId.values()];
  }

  /** The subscriptions to a type with a condition, of all clients. */
  of(type: string, condition: Condition): readonly Subscription[] {
    return this.#found(this.#idsByTopic.of(topicOf(type, condition)));
  }

  /** The subscriptions of a callback, a session or a conduit. */
  ofReceiver(receiver: string): readonly Subscription[] {
    return this.#found(this.#idsByReceiver.of(receiver));
  }

  /** The subscriptions of an app, or of a user of the app, oldest first. */
  ofOwner(owner: string): readonly Subscription[] {
    this.#forgetLost();
    return this.#found(this.#idsByOwner.of(owner));
  }

  totals(owner: string): Totals {
    this.#forgetLost();
    return this.#totals.get(owner) ?? { total: 0, totalCost: 0 };
  }

  create(subscription: Omit<Subscription, 'id' | 'createdAtMs'>): Subscription {
    return this.#put({ ...subscription, id: randomUUID(), createdAtMs: this.#clock.nowMs() });
  }

  /** Changes the status. The subscription of a lost WebSocket is deleted after an hour. */
  setStatus(subscription: Subscription, status: Status): Subscription {
    const { transport } = subscription;
    if (transport.method !== 'websocket' || status === 'enabled') return this.#put({ ...subscription, status });
    const atMs = this.#clock.nowMs();
    this.#lost.push({ id: subscription.id, atMs });
    return this.#put({ ...subscription, status, transport: { ...transport, disconnectedAtMs: atMs } });
  }

  /** Whether the subscription existed. */
  delete(id: string): boolean {
    const subscription = this.#byId.get(id);
    if (!subscription) return false;
    this.#leave(subscription);
    this.#store(bucketOf(id));
    return true;
  }

  #put(subscription: Subscription): Subscription {
    const before = this.#byId.get(subscription.id);
    if (before) this.#count(before, -1);
    else this.#index(subscription);
    this.#byId.set(subscription.id, subscription);
    this.#count(subscription, 1);
    this.#store(bucketOf(subscription.id));
    return subscription;
  }

  #enter(subscription: Subscription): void {
    this.#byId.set(subscription.id, subscription);
    this.#index(subscription);
    this.#count(subscription, 1);
  }

  #leave(subscription: Subscription): void {
    const { id, type, condition, transport } = subscription;
    this.#byId.delete(id);
    this.#idsByTopic.delete(topicOf(type, condition), id);
    this.#idsByReceiver.delete(receiverOf(transport), id);
    this.#idsByOwner.delete(ownerOf(subscription), id);
    this.#idsByBucket.delete(bucketOf(id), id);
    this.#count(subscription, -1);
  }

  #index(subscription: Subscription): void {
    const { id, type, condition, transport } = subscription;
    this.#idsByTopic.add(topicOf(type, condition), id);
    this.#idsByReceiver.add(receiverOf(transport), id);
    this.#idsByOwner.add(ownerOf(subscription), id);
    this.#idsByBucket.add(bucketOf(id), id);
  }

  #count(subscription: Subscription, sign: 1 | -1): void {
    const owner = ownerOf(subscription);
    const { total, totalCost } = this.#totals.get(owner) ?? { total: 0, totalCost: 0 };
    const isCharged = subscription.status === 'enabled' || subscription.status === 'webhook_callback_verification_pending';
    this.#totals.set(owner, { total: total + sign, totalCost: totalCost + (isCharged ? sign * subscription.cost : 0) });
    if (subscription.status === 'enabled') this.#enabled += sign;
  }

  #found(ids: readonly string[]): readonly Subscription[] {
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  #forgetLost(): void {
    const sinceMs = this.#clock.nowMs() - LISTED_MS;
    const kept = this.#lost.findIndex(({ atMs }) => atMs > sinceMs);
    const old = kept === -1 ? this.#lost : this.#lost.slice(0, kept);
    if (old.length === 0) return;
    this.#lost = this.#lost.slice(old.length);
    for (const { id } of old) this.delete(id);
  }

  #store(key: string): void {
    const subscriptions = this.#found(this.#idsByBucket.of(key));
    this.#stored.put({ key, subscriptions: [...subscriptions] });
  }
}
