import type { OutboxContext } from './context.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { arrived } from './question.ts';
import { deliveryBecause } from './reason.ts';

/** The operator's word on a delivery that nobody knows the end of: it is there, or it is not and shall be sent again. */
export type OperatorWord = 'sent' | 'again';

/** What becomes of an `unknown` delivery by the operator's word. */
export function resolution(
  delivery: Delivery,
  word: OperatorWord,
  { isQuestion, clock }: Pick<OutboxContext, 'isQuestion' | 'clock'>,
): DeliveryChange {
  if (word === 'sent') {
    const { result } = delivery;
    return { ...arrived(delivery, { result }, { isQuestion, clock }), ...deliveryBecause({ kind: 'saidSent' }) };
  }
  const now = new Date(clock.nowMs());
  return { state: 'pending', dueAt: now, giveUpAt: undefined, ...deliveryBecause({ kind: 'saidAgain' }) };
}
