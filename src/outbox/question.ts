import { isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { OutboxContext } from './context.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { deliveryBecause } from './reason.ts';

/** The last instant that there is. */
const NEVER = new Date(8.64e15);

/** Why nobody waits any more for what a rule asked that is no more. */
export const RETIRED = deliveryBecause({ kind: 'retired' });

/** What becomes of a delivery that is on its platform: a question waits there for its answer, as long as the step says. */
export function arrived(
  { do: verb, maxAgeMs, attemptedAt }: Delivery,
  { result, sentAt = attemptedAt }: { readonly result: Json | undefined; readonly sentAt?: Date | undefined },
  { isQuestion, clock }: Pick<OutboxContext, 'isQuestion' | 'clock'>,
): DeliveryChange {
  if (!isQuestion(verb)) return { state: 'sent', sentAt, result, error: undefined };
  const dueAt = maxAgeMs === undefined ? NEVER : new Date((sentAt?.getTime() ?? clock.nowMs()) + maxAgeMs);
  return { state: 'asked', sentAt, dueAt, result, error: undefined };
}

/** A question with its answer; undefined: it has one, or waits for none any more. */
export function answered(delivery: Delivery, answer: JsonObject): DeliveryChange | undefined {
  const { state, since, sentAt = delivery.attemptedAt, result } = delivery;
  // Whoever answers has seen it, also where nobody here knows yet that it is there.
  const waits = state === 'asked' || (since !== undefined && (state === 'pending' || state === 'sending' || state === 'unknown'));
  if (!waits) return undefined;
  return { state: 'sent', sentAt, result: { ...(isJsonObject(result) && result), ...answer }, error: undefined, reason: undefined };
}

/** Closes a question whose time is over, or that nobody waits for any more. */
export async function closeUnanswered(delivery: Delivery, { record, onUnanswered }: OutboxContext): Promise<void> {
  const why = delivery.reason === RETIRED.reason ? RETIRED : deliveryBecause({ kind: 'unanswered' });
  const closed = await record(delivery, { state: 'sent', ...why });
  if (closed) onUnanswered(closed);
}
