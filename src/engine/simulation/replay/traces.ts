import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { Listing, ListingOptions } from '#src/clients/operation/listing.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import { suppressionOf } from '#src/rules/reasons/reason.ts';
import type { Rule } from '#src/rules/rule.ts';

const PAGE = 500;
/** The number of episodes whose names are looked up. */
const MAX_NAMED = 1000;

/** What the stored history of a rule shows. */
interface Traces {
  /** The time of the oldest stored decision or delivery; undefined: the rule never ran. */
  readonly beganMs: number | undefined;
  /** The slots of the announcements that a person prevented with a pause or a mute before they were decided. */
  readonly preventedMs: readonly number[];
}

/** Reads the stored decisions of a rule, and its oldest delivery. */
export async function tracesOf(
  { id: rule }: Rule,
  { decisions, deliveryLog }: { readonly decisions: DecisionLog; readonly deliveryLog: DeliveryLog },
): Promise<Traces> {
  let firstMs = Infinity;
  const preventedMs: number[] = [];
  for await (const items of pagesOf((page) => decisions.list({ rule, ...page })))
    for (const { atMs, outcome, reason } of items) {
      firstMs = Math.min(firstMs, atMs);
      const by = outcome === 'suppressed' && reason ? suppressionOf(reason)?.kind : undefined;
      if (by === 'paused' || by === 'muted') preventedMs.push(atMs);
    }
  // The decisions of a rule are few, but it can have a million deliveries.
  const oldest = await deliveryLog.list({ rule, order: 'oldest', limit: 1 });
  for (const { createdAt } of oldest.items) firstMs = Math.min(firstMs, createdAt.getTime());
  return { beganMs: firstMs === Infinity ? undefined : firstMs, preventedMs };
}

/** The display names of the items of a rule, by key. */
export async function namesOf({ id: rule }: Rule, episodes: EpisodeLog): Promise<ReadonlyMap<string, string>> {
  const followed = await episodes.list({ rule, sinceMs: 0, limit: MAX_NAMED });
  return new Map(followed.map(({ key, item }) => [key, nameOf(item, key)]));
}

/** The deliveries of a rule that were decided since an instant, oldest first, with steps that only read. */
export async function deliveriesSince(
  { id: rule }: Rule,
  { deliveryLog, sinceMs }: { readonly deliveryLog: DeliveryLog; readonly sinceMs: number },
): Promise<readonly Delivery[]> {
  const found: Delivery[] = [];
  for await (const items of pagesOf((page) => deliveryLog.list({ rule, ...page }))) {
    found.push(...items.filter(({ createdAt }) => createdAt.getTime() >= sinceMs));
    if ((items.at(-1)?.createdAt.getTime() ?? 0) < sinceMs) break;
  }
  return found.toReversed();
}

async function* pagesOf<T>(list: (page: ListingOptions) => Promise<Listing<T>>): AsyncGenerator<readonly T[], void> {
  for (let cursor: string | undefined; ;) {
    const listing = await list({ cursor, limit: PAGE });
    yield listing.items;
    ({ cursor } = listing);
    if (cursor === undefined) return;
  }
}
