import type { EngineContext } from './engine-context.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { arrived } from './question.ts';
import { withDeliveryMessage } from './reason.ts';

/** The operator's decision on an `unknown` delivery: it was sent, or it has to be sent again. */
export type Resolution = 'sent' | 'again';

/** The change of an `unknown` delivery after the operator's decision. */
export function resolveUnknown(
  delivery: Delivery,
  resolution: Resolution,
  { isQuestion, clock }: Pick<EngineContext, 'isQuestion' | 'clock'>,
): DeliveryChange {
  if (resolution === 'sent') {
    const { result } = delivery;
    return { ...arrived(delivery, { result }, { isQuestion, clock }), ...withDeliveryMessage({ kind: 'saidSent' }) };
  }
  const now = new Date(clock.nowMs());
  return { state: 'pending', dueAt: now, giveUpAt: undefined, ...withDeliveryMessage({ kind: 'saidAgain' }) };
}
