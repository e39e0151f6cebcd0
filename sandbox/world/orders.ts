import { z } from 'zod';
import type { Journal } from '../journal.ts';
import { StoredMap } from '../stored-map.ts';
import type { WorldOrder } from './world.ts';

const HOUR_MS = 3_600_000;
/** `goLive` and `end` replace the schedule of a person for this time. */
export const HOLDS_MS = 24 * HOUR_MS;
const RETENTION_MS = 7 * 24 * HOUR_MS;

const StoredOrder = z.object({
  /** A later order has a greater number. */
  number: z.int(),
  atMs: z.number(),
  do: z.enum(['goLive', 'end', 'changeGame', 'changeTitle', 'setViewers'] satisfies WorldOrder['do'][]),
  personId: z.string(),
  /** The stream that the order creates, resumes, ends or changes; absent if `end` found no stream. */
  broadcastId: z.string().optional(),
  /** Whether `goLive` resumes an earlier stream. */
  resumes: z.boolean(),
  gameId: z.string().optional(),
  title: z.string().optional(),
  viewers: z.number().optional(),
});

/** A stored order. */
export interface StoredOrder extends z.output<typeof StoredOrder> {}

/** The orders, sorted by time for each person. */
export class OrderBook {
  readonly #stored: StoredMap<StoredOrder>;
  readonly #byPerson: (personId: string) => readonly StoredOrder[];

  constructor(journal: Journal) {
    this.#stored = new StoredMap({ journal, collection: 'world.orders', schema: StoredOrder, keyOf: ({ number }) => String(number) });
    this.#byPerson = this.#stored.index(({ personId }) => personId);
  }

  /** The ids of all people with orders. */
  people(): ReadonlySet<string> {
    return new Set(this.#stored.all().map(({ personId }) => personId));
  }

  of(personId: string): readonly StoredOrder[] {
    return this.#byPerson(personId).toSorted((a, b) => a.atMs - b.atMs);
  }

  /** The `goLive` order that created a stream. */
  maker(broadcastId: string): StoredOrder | undefined {
    return this.#stored.all().find((order) => order.do === 'goLive' && !order.resumes && order.broadcastId === broadcastId);
  }

  /** The number of the next order. It contains the time, so that numbers of deleted orders are not reused. */
  nextNumber(atMs: number): number {
    return Math.max(
      Math.floor(atMs / 1000),
      this.#stored.nextNumber(({ number }) => number),
    );
  }

  add(order: StoredOrder): void {
    const old = this.#stored.all().filter(({ atMs }) => atMs < order.atMs - RETENTION_MS);
    for (const { number } of old) this.#stored.delete(String(number));
    this.#stored.put(order);
  }
}
