import type { Firing } from '#src/rules/firing.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { Delivery } from './delivery.ts';
import { findDue } from './due.ts';
import { GONE_FOR_MS, isRepeat, mayReturn } from './ordering.ts';
import { prepare, projectDeliveries, type Prepared } from './prepare.ts';

/** The stored deliveries, with the decisions of the ordering. */
export interface DeliveryStore extends DeliveryRows {
  /** The deliveries of an account that may be attempted now: begun ones first, then by position. */
  due(account: string, options: { readonly nowMs: number; readonly limit: number }): Promise<readonly Delivery[]>;
  /** See `DeliveryRows.change`. A repeat of a delivery that was withdrawn during its attempt settles it instead, or waits as long as its rule may return. */
  change: DeliveryRows['change'];
  /** What rendering a delivery needs. */
  prepare(delivery: Delivery): Promise<Prepared>;
  /** See `projectDeliveries`. */
  project(firing: Firing): Promise<readonly Prepared[] | undefined>;
}

function afterMinute(at: Date): Date {
  return new Date(at.getTime() + GONE_FOR_MS);
}

/** Adds the ordering to stored deliveries. */
export function withOrdering(rows: DeliveryRows): DeliveryStore {
  return {
    ...rows,
    async due(account, options) {
      const due = await findDue(rows, account, options);
      if (due.length === 0) return [];
      const found = new Map((await rows.load(due.map(({ id }) => id))).map((delivery) => [delivery.id, delivery]));
      return due.flatMap(({ id }) => found.get(id) ?? []);
    },
    prepare: (delivery) => prepare(rows, delivery),
    project: (firing) => projectDeliveries(rows, firing),
    async change(delivery, change, options) {
      const changed = await rows.change(delivery, change, options);
      if (changed || !isRepeat(delivery, change)) return changed;
      const { withdrawn } = (await rows.find(delivery.id)) ?? {};
      const lease = options?.lease;
      // The rule returned since the change.
      if (!withdrawn) return rows.change(delivery, change, options);
      if (!mayReturn(withdrawn)) return rows.change(delivery, { state: 'skipped', ...withdrawn }, { lease });
      const { dueAt, giveUpAt } = { ...delivery, ...change };
      const later = { dueAt: afterMinute(dueAt), giveUpAt: giveUpAt && afterMinute(giveUpAt) };
      return rows.change(delivery, { ...change, ...later }, { lease, evenIfWithdrawn: true });
    },
  };
}
