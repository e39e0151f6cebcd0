import type { Controls, DeliveryList, ShownDelivery } from '#src/discord/controls/controls.ts';
import type { Delivery } from '#src/outbox/delivery.ts';
import { POST_RULE } from '#src/outbox/posts.ts';
import type { Store } from '#src/store/store.ts';
import type { RuleBook } from '../reload/rule-book.ts';
import { keptStepName } from '../step-name.ts';

/** Those that somebody has to look at, in this order. */
const URGENT = ['unknown', 'failed'] as const;
const MOST_URGENT = 100;

export interface DeliveryPageOptions {
  readonly book: RuleBook;
  readonly store: Pick<Store, 'deliveryLog'>;
}

/** Some of the deliveries: those that somebody has to look at first, then the newest. */
export async function deliveryPage(
  { rule, state, offset, limit }: Parameters<Controls['deliveries']>[0],
  { book, store: { deliveryLog } }: DeliveryPageOptions,
): Promise<DeliveryList> {
  const end = offset + limit + 1;
  const urgent =
    state === undefined ? await Promise.all(URGENT.map((each) => deliveryLog.list({ rule, state: each, limit: MOST_URGENT }))) : [];
  const first = urgent.flatMap(({ items }) => items);
  const ids = new Set(first.map(({ id }) => id));
  const rest = first.length >= end ? [] : (await deliveryLog.list({ rule, state, limit: end + ids.size })).items;
  const all = [...first, ...rest.filter(({ id }) => !ids.has(id))].slice(offset, end);
  return { items: all.slice(0, limit).map((delivery) => shownDelivery(delivery, book)), more: all.length > limit };
}

/** A delivery with what its step is called, and who had it posted where that was a person. */
export function shownDelivery(delivery: Delivery, { now }: RuleBook): ShownDelivery {
  const rule = now.rules.find(({ id }) => id === delivery.rule);
  return {
    ...delivery,
    stepName: rule ? keptStepName(rule, delivery) : delivery.step,
    ...(delivery.rule === POST_RULE && { postedBy: delivery.occasion }),
  };
}
