import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { Listing, ListingOptions } from '#src/clients/operation/listing.ts';
import { MOST_DECISIONS, type DecisionLog } from '#src/rules/decision-log.ts';
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
  /** The slots of the announcements that a person prevented or delayed with a pause or a mute before they were decided. */
  readonly preventedMs: readonly number[];
  /** Since when all of these announcements are known: only the latest decisions of each outcome are stored. */
  readonly allSinceMs: number;
}

/** Reads the stored decisions of a rule, and its oldest delivery. */
export async function tracesOf(
  { id: rule }: Rule,
  { decisions, deliveryLog }: { readonly decisions: DecisionLog; readonly deliveryLog: DeliveryLog },
): Promise<Traces> {
  let firstMs = Infinity;
  const preventedMs: number[] = [];
  const blocked = { suppressed: { count: 0, firstMs: 0 }, deferred: { count: 0, firstMs: 0 } };
  for await (const items of pagesOf((page) => decisions.list({ rule, ...page })))
    for (const { atMs, outcome, reason } of items) {
      firstMs = Math.min(firstMs, atMs);
      if (outcome !== 'suppressed' && outcome !== 'deferred') continue;
      blocked[outcome] = { count: blocked[outcome].count + 1, firstMs: atMs };
      const by = reason && suppressionOf(reason)?.kind;
      if (by === 'paused' || by === 'muted') preventedMs.push(atMs);
    }
  // The decisions of a rule are few, but it can have a million deliveries.
  const oldest = await deliveryLog.list({ rule, order: 'oldest', limit: 1 });
  for (const { createdAt } of oldest.items) firstMs = Math.min(firstMs, createdAt.getTime());
  const full = Object.values(blocked).filter(({ count }) => count >= MOST_DECISIONS);
  // Of the slot of the oldest stored decision, others may be deleted.
  const allSinceMs = Math.max(-Infinity, ...full.map((outcome) => outcome.firstMs + 1));
  return { beganMs: firstMs === Infinity ? undefined : firstMs, preventedMs, allSinceMs };
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
