import type { Delivery, DeliveryState } from './delivery.ts';
import { findDue } from './due.ts';
import type { EngineContext } from './engine-context.ts';
import { byPosition, type OpenDelivery } from './ordering.ts';
import { closeUnanswered } from './question.ts';
import { reconcile } from './reconcile.ts';
import { send } from './send.ts';

const WORK: Readonly<Partial<Record<DeliveryState, (delivery: Delivery, context: EngineContext) => Promise<void>>>> = {
  pending: send,
  sending: reconcile,
  asked: closeUnanswered,
};

/** Sends a delivery that is due, reconciles it, or closes its question. */
export async function workOn(delivery: Delivery, context: EngineContext): Promise<void> {
  await WORK[delivery.state]?.(delivery, context);
}

/** Works on the first due delivery of all accounts. Resolves to false if no delivery is due. */
export async function workOnNext(context: EngineContext): Promise<boolean> {
  const { deliveries, clock } = context;
  let next: OpenDelivery | undefined;
  for (const account of await deliveries.accounts()) {
    const [first] = await findDue(deliveries, account, { nowMs: clock.nowMs(), limit: 1 });
    if (first && (!next || byPosition(first, next) < 0)) next = first;
  }
  const delivery = next && (await deliveries.find(next.id));
  if (!delivery) return false;
  await workOn(delivery, context);
  return true;
}
