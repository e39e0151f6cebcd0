import type { Controls, DeliveryList, ShownDelivery } from '#src/discord/controls/controls.ts';
import type { Delivery, DeliveryState } from '#src/outbox/delivery.ts';
import { POST_RULE } from '#src/outbox/posts.ts';
import type { Latest } from '#src/store/delivery-log.ts';
import type { Store } from '#src/store/store.ts';
import type { RuleBook } from '../reload/rule-book.ts';
import { keptStepPlace, type StepPlace } from '../step-name.ts';

/** What stands together on the pages, in this order: what somebody has to look at, what is still to come, what is over. */
const GROUPS: readonly (readonly DeliveryState[])[] = [['unknown'], ['failed'], ['pending', 'sending', 'asked'], ['sent', 'skipped']];

/** What steps are called is in their rules. */
interface Rules {
  readonly now: Pick<RuleBook['now'], 'rules'>;
}

export interface DeliveryPageOptions {
  readonly book: Rules;
  readonly store: Pick<Store, 'deliveryLog'>;
  /** Servers whose people's posts are not shown. */
  readonly except?: readonly string[] | undefined;
}

/** Some of the deliveries: those that somebody has to look at first, then the open ones, then the newest; the edits of one card are one. */
export async function deliveryPage(
  { rule, state, offset, limit }: Omit<Parameters<Controls['deliveries']>[0], 'server'>,
  { book, store: { deliveryLog }, except }: DeliveryPageOptions,
): Promise<DeliveryList> {
  const end = offset + limit + 1;
  const all: Latest[] = [];
  for (const states of state === undefined ? GROUPS : [[state]]) {
    if (all.length < end) all.push(...(await deliveryLog.latest({ rule, states, except, limit: end - all.length })));
  }
  const shown = all.slice(offset, offset + limit);
  return { items: shown.map(({ delivery, times }) => ({ ...shownDelivery(delivery, book), times })), more: all.length === end };
}

/** A delivery with what its step is called, and who had it posted where that was a person. */
export function shownDelivery(delivery: Delivery, { now }: Rules): ShownDelivery {
  const rule = now.rules.find(({ id }) => id === delivery.rule);
  return {
    ...delivery,
    place: rule ? keptStepPlace(rule, delivery) : placeAlone(delivery),
    ...(delivery.rule === POST_RULE && { postedBy: delivery.occasion }),
  };
}

/** Where a step stood in a rule that is no more; waits before it are not known. */
function placeAlone({ section, step }: Delivery): StepPlace {
  return /^\d+$/u.test(step) ? { section, number: Number(step) + 1 } : { id: step, section, number: 0 };
}
