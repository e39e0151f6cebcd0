import { z } from 'zod';
import type { Journal } from '../journal.ts';
import type { WorldOrder } from './world.ts';

const HOUR_MS = 3_600_000;
/** How long `goLive` and `end` keep somebody out of the schedule. */
export const HOLDS_MS = 24 * HOUR_MS;
const FORGOTTEN_AFTER_MS = 7 * 24 * HOUR_MS;
const COLLECTION = 'world.orders';

const StoredOrder = z.object({
  /** Grows from order to order. */
  number: z.int(),
  atMs: z.number(),
  do: z.enum(['goLive', 'end', 'changeGame', 'changeTitle', 'setViewers'] satisfies WorldOrder['do'][]),
  personId: z.string(),
  /** The stream that it makes, takes up again, ends or changes; absent where `end` met nobody live. */
  broadcastId: z.string().optional(),
  /** `goLive`: takes up a stream that there was before. */
  resumes: z.boolean(),
  gameId: z.string().optional(),
  title: z.string().optional(),
  viewers: z.number().optional(),
});

/** A stored order. */
export interface StoredOrder extends z.output<typeof StoredOrder> {}

/** The orders that were given, each person's in the order of their instants. */
export class OrderBook {
  readonly #journal: Journal;
  readonly #byPerson = new Map<string, StoredOrder[]>();
  #lastNumber = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#file(StoredOrder.parse(document));
  }

  /** Ids of all who have orders. */
  people(): Iterable<string> {
    return this.#byPerson.keys();
  }

  of(personId: string): readonly StoredOrder[] {
    return this.#byPerson.get(personId) ?? [];
  }

  /** The `goLive` that made the stream with this id. */
  maker(broadcastId: string): StoredOrder | undefined {
    for (const orders of this.#byPerson.values()) {
      const maker = orders.find((order) => order.do === 'goLive' && !order.resumes && order.broadcastId === broadcastId);
      if (maker) return maker;
    }
    return undefined;
  }

  /** The number of the order that comes next. Never one that a forgotten order had. */
  nextNumber(atMs: number): number {
    return Math.max(Math.floor(atMs / 1000), this.#lastNumber + 1);
  }

  add(order: StoredOrder): void {
    this.#forgetBefore(order.atMs - FORGOTTEN_AFTER_MS);
    this.#journal.put(COLLECTION, String(order.number), { ...order });
    this.#file(order);
  }

  #file(order: StoredOrder): void {
    const orders = [...this.of(order.personId), order].toSorted((a, b) => a.atMs - b.atMs);
    this.#byPerson.set(order.personId, orders);
    this.#lastNumber = Math.max(this.#lastNumber, order.number);
  }

  #forgetBefore(atMs: number): void {
    for (const [personId, orders] of this.#byPerson) {
      const kept = orders.filter((order) => order.atMs >= atMs);
      if (kept.length === orders.length) continue;
      for (const order of orders) if (order.atMs < atMs) this.#journal.drop(COLLECTION, String(order.number));
      if (kept.length > 0) this.#byPerson.set(personId, kept);
      else this.#byPerson.delete(personId);
    }
  }
}
