import type { Delivery, DeliveryChange } from '#src/engine/delivery/delivery.ts';
import type { Commit, RuleStates } from '#src/engine/scheduler/rule-states.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import type { ManualClock } from '../support/manual-clock.ts';

/** As much of a store as keeps deliveries. */
export interface StoredDeliveries {
  readonly ruleStates: { commit(commit: Commit): ReturnType<RuleStates['commit']> };
  readonly deliveries: DeliveryStore;
  readonly deliveryLog: {
    list(filter?: { readonly limit?: number; readonly idle?: boolean }): Promise<{ readonly items: readonly Delivery[] }>;
  };
}

/** New, empty deliveries. */
export type OpenDeliveries = (clock: ManualClock) => Promise<StoredDeliveries & AsyncDisposable>;

const SINCE = new Date('2026-11-20T18:00:01Z');

/** The delivery with this key. */
export async function find(store: StoredDeliveries, id: string | undefined): Promise<Delivery> {
  const delivery = await store.deliveries.find(id ?? '');
  if (!delivery) throw new Error(`there is no delivery ${id}`);
  return delivery;
}

/** Begins a delivery, as the delivery engine does. */
export async function begin(store: StoredDeliveries, id: string | undefined, more: Partial<DeliveryChange> = {}): Promise<Delivery> {
  const begun = { state: 'sending', attempts: 1, params: { text: 'hello' }, since: SINCE, attemptedAt: SINCE, ...more } as const;
  const delivery = await store.deliveries.change(await find(store, id), begun);
  if (!delivery) throw new Error(`delivery ${id} could not be begun`);
  return delivery;
}

/** Begins a delivery and brings it to its end. */
export async function settle(
  store: StoredDeliveries,
  id: string | undefined,
  end: DeliveryChange,
  more: Partial<DeliveryChange> = {},
): Promise<void> {
  await store.deliveries.change(await begin(store, id, more), end);
}

/** All deliveries in the order of their commits: account, occasion and state. */
export async function states(store: StoredDeliveries): Promise<readonly (readonly [string, string, string])[]> {
  const { items } = await store.deliveryLog.list({ limit: 1_000, idle: true });
  return items.toReversed().map(({ account, occasion, state }) => [account, occasion, state]);
}
