import type { Delivery, DeliveryState } from '#src/delivery/delivery.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Store } from '#src/store/store.ts';

const PAGE = 500;
/** Of so many it is looked up what people call them. */
const MOST_NAMED = 1000;

/** When the rule decided or said something first, as far as that is kept; undefined: it never ran. */
export async function firstTrace(
  { id: rule }: Rule,
  { decisions, deliveryLog }: Pick<Store, 'decisions' | 'deliveryLog'>,
): Promise<number | undefined> {
  const traces: number[] = [];
  for (let cursor: string | undefined; ;) {
    const listing = await decisions.list({ rule, cursor, limit: PAGE });
    traces.push(...listing.items.map(({ atMs }) => atMs));
    cursor = listing.cursor;
    if (cursor === undefined) break;
  }
  for (let cursor: string | undefined; ;) {
    const listing = await deliveryLog.list({ rule, cursor, limit: PAGE });
    traces.push(...listing.items.map(({ createdAt }) => createdAt.getTime()));
    cursor = listing.cursor;
    if (cursor === undefined) break;
  }
  return traces.reduce<number | undefined>((first, ms) => Math.min(first ?? ms, ms), undefined);
}

/** What people call those that the rule followed, by key. */
export async function namesOf({ id: rule }: Rule, { episodes }: Pick<Store, 'episodes'>): Promise<ReadonlyMap<string, string>> {
  const followed = await episodes.list({ rule, sinceMs: 0, limit: MOST_NAMED });
  return new Map(followed.map(({ key, item }) => [key, nameOf(item, key)]));
}

/** The deliveries of a rule that were decided since an instant and stand so, in their order. */
export async function deliveriesSince(
  { id: rule }: Rule,
  { deliveryLog, state, sinceMs }: Pick<Store, 'deliveryLog'> & { readonly state: DeliveryState; readonly sinceMs: number },
): Promise<readonly Delivery[]> {
  const found: Delivery[] = [];
  for (let cursor: string | undefined; ;) {
    const listing = await deliveryLog.list({ rule, state, cursor, limit: PAGE });
    found.push(...listing.items.filter(({ createdAt }) => createdAt.getTime() >= sinceMs));
    cursor = listing.cursor;
    const oldest = listing.items.at(-1);
    if (cursor === undefined || !oldest || oldest.createdAt.getTime() < sinceMs) break;
  }
  return found.toReversed();
}
