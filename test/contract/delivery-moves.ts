import type { Delivery, DeliveryChange } from '#src/outbox/delivery.ts';
import type { Store } from '#src/store/store.ts';

const SINCE = new Date('2026-11-20T18:00:01Z');

/** The delivery with this key. */
export async function find(store: Store, id: string | undefined): Promise<Delivery> {
  const delivery = await store.deliveries.find(id ?? '');
  if (!delivery) throw new Error(`there is no delivery ${id}`);
  return delivery;
}

/** Begins a delivery, as the outbox does. */
export async function begin(store: Store, id: string | undefined, more: Partial<DeliveryChange> = {}): Promise<Delivery> {
  const begun = { state: 'sending', attempts: 1, params: { text: 'hello' }, since: SINCE, attemptedAt: SINCE, ...more } as const;
  const delivery = await store.deliveries.change(await find(store, id), begun);
  if (!delivery) throw new Error(`delivery ${id} could not be begun`);
  return delivery;
}

/** Begins a delivery and brings it to its end. */
export async function settle(store: Store, id: string | undefined, end: DeliveryChange, more: Partial<DeliveryChange> = {}): Promise<void> {
  await store.deliveries.change(await begin(store, id, more), end);
}

/** All deliveries in the order of their commits: account, occasion and state. */
export async function states(store: Store): Promise<readonly (readonly [string, string, string])[]> {
  const { items } = await store.deliveryLog.list({ limit: 1_000, idle: true });
  return items.toReversed().map(({ account, occasion, state }) => [account, occasion, state]);
}
