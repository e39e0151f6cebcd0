import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { OpenCollection, StoredMap } from '../../stored-map.ts';
import { MultiMap } from './multi-map.ts';
import { receiverOf, ShardTransport, STATUSES, type Status } from './subscription.ts';

/** Twitch deletes a conduit whose shards were all disabled for this time. */
const UNUSED_MS = 72 * 3_600_000;

const Conduit = z.object({
  id: z.string(),
  clientId: z.string(),
  shardCount: z.int(),
  /** Since when no shard is enabled; absent if one is. */
  unusedSinceMs: z.number().optional(),
});
/** A conduit of an app. It has no name. */
export interface Conduit extends z.output<typeof Conduit> {}

const Shard = z.object({ conduitId: z.string(), id: z.int(), transport: ShardTransport, status: z.enum(STATUSES) });
/** A shard with a transport. */
export interface Shard extends z.output<typeof Shard> {}

const keyOf = ({ conduitId, id }: Pick<Shard, 'conduitId' | 'id'>): string => `${conduitId} ${id}`;

interface ConduitsOptions {
  readonly collection: OpenCollection;
  readonly clock: Clock;
  /** Called after a shard was disabled. */
  readonly disabled: (shard: Shard) => void;
  /** Called after Twitch has deleted an unused conduit. */
  readonly expired: (conduit: Conduit) => void;
}

/** The conduits and their shards. */
export class Conduits {
  readonly #options: ConduitsOptions;
  readonly #conduits: StoredMap<Conduit>;
  readonly #shards: StoredMap<Shard>;
  readonly #keysByReceiver = new MultiMap<string>();
  readonly #keysByConduit = new MultiMap<string>();
  readonly #enabled = new Map<string, number>();

  constructor(options: ConduitsOptions) {
    const { collection } = options;
    this.#options = options;
    this.#conduits = collection({ collection: 'twitch.eventsub.conduits', schema: Conduit, keyOf: ({ id }) => id });
    this.#shards = collection({ collection: 'twitch.eventsub.shards', schema: Shard, keyOf });
    for (const shard of this.#shards.all()) this.#index(shard);
  }

  /** The conduits of an app, oldest first. */
  of(clientId: string): readonly Conduit[] {
    this.#expire();
    return this.#conduits.all().filter((conduit) => conduit.clientId === clientId);
  }

  all(): readonly Conduit[] {
    this.#expire();
    return this.#conduits.all();
  }

  find(id: string): Conduit | undefined {
    return this.#conduits.get(id);
  }

  create(clientId: string, shardCount: number): Conduit {
    return this.#conduits.put({ id: randomUUID(), clientId, shardCount, unusedSinceMs: this.#options.clock.nowMs() });
  }

  /** Changes the number of shards. Shards beyond the number are removed. */
  resize(conduit: Conduit, shardCount: number): Conduit {
    for (const shard of this.shardsOf(conduit.id)) if (shard.id >= shardCount) this.#remove(shard);
    return this.#conduits.put({ ...conduit, shardCount });
  }

  delete(conduit: Conduit): void {
    for (const shard of this.shardsOf(conduit.id)) this.#remove(shard);
    this.#conduits.delete(conduit.id);
  }

  /** The shards of a conduit that have a transport, by id. */
  shardsOf(conduitId: string): readonly Shard[] {
    const shards = this.#keysByConduit.of(conduitId).flatMap((key) => this.#shards.get(key) ?? []);
    return shards.toSorted((a, b) => a.id - b.id);
  }

  shard(conduitId: string, id: number): Shard | undefined {
    return this.#shards.get(keyOf({ conduitId, id }));
  }

  /** The shards with a callback or a session. */
  shardsOfReceiver(receiver: string): readonly Shard[] {
    return this.#keysByReceiver.of(receiver).flatMap((key) => this.#shards.get(key) ?? []);
  }

  /** Binds a transport to a shard. */
  bind(shard: Shard): Shard {
    return this.#put(shard);
  }

  /** Changes the status of a shard. A shard that receives nothing from now on is reported. */
  setStatus(shard: Shard, status: Status): Shard {
    const { transport } = shard;
    const isLost = transport.method === 'websocket' && status !== 'enabled';
    const changed = this.#put({
      ...shard,
      status,
      transport: isLost ? { ...transport, disconnectedAtMs: this.#options.clock.nowMs() } : transport,
    });
    if (shard.status === 'enabled' && status !== 'enabled') this.#options.disabled(changed);
    return changed;
  }

  #put(shard: Shard): Shard {
    const before = this.#shards.get(keyOf(shard));
    if (before) this.#unindex(before);
    this.#shards.put(shard);
    this.#index(shard);
    this.#noteUse(shard.conduitId);
    return shard;
  }

  #remove(shard: Shard): void {
    this.#unindex(shard);
    this.#shards.delete(keyOf(shard));
    this.#noteUse(shard.conduitId);
  }

  #index(shard: Shard): void {
    const key = keyOf(shard);
    this.#keysByReceiver.add(receiverOf(shard.transport), key);
    this.#keysByConduit.add(shard.conduitId, key);
    if (shard.status === 'enabled') this.#enabled.set(shard.conduitId, (this.#enabled.get(shard.conduitId) ?? 0) + 1);
  }

  #unindex(shard: Shard): void {
    const key = keyOf(shard);
    this.#keysByReceiver.delete(receiverOf(shard.transport), key);
    this.#keysByConduit.delete(shard.conduitId, key);
    if (shard.status === 'enabled') this.#enabled.set(shard.conduitId, (this.#enabled.get(shard.conduitId) ?? 0) - 1);
  }

  /** Stores since when a conduit has no enabled shard. */
  #noteUse(conduitId: string): void {
    const conduit = this.#conduits.get(conduitId);
    const isUsed = (this.#enabled.get(conduitId) ?? 0) > 0;
    if (!conduit || isUsed === (conduit.unusedSinceMs === undefined)) return;
    this.#conduits.put({ ...conduit, unusedSinceMs: isUsed ? undefined : this.#options.clock.nowMs() });
  }

  #expire(): void {
    const sinceMs = this.#options.clock.nowMs() - UNUSED_MS;
    for (const conduit of this.#conduits.all()) {
      if (conduit.unusedSinceMs === undefined || conduit.unusedSinceMs > sinceMs) continue;
      this.delete(conduit);
      this.#options.expired(conduit);
    }
  }
}
