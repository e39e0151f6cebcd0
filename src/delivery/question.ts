import { isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { EngineContext } from './engine-context.ts';
import { changedParameters } from './changed-parameters.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { withDeliveryMessage } from './reason.ts';

/** The last instant that a date has. */
const NEVER_MS = 8.64e15;

/** The reason of questions whose rule was deleted. */
export const RETIRED = withDeliveryMessage({ kind: 'retired' });

/** The change of a delivery that arrived. A question waits for its answer. */
export function arrived(
  delivery: Delivery,
  { result, sentAt = delivery.attemptedAt }: { readonly result: Json | undefined; readonly sentAt?: Date | undefined },
  { isQuestion, clock }: Pick<EngineContext, 'isQuestion' | 'clock'>,
): DeliveryChange {
  const changed = changedParameters(delivery, result);
  const omitted = changed.length > 0 && { omitted: [...(delivery.omitted ?? []), ...changed] };
  if (!isQuestion(delivery.do)) return { state: 'sent', sentAt, result, error: undefined, ...omitted };
  const dueAt = new Date(answerDueMs({ ...delivery, sentAt }, clock.nowMs()));
  return { state: 'asked', sentAt, dueAt, result, error: undefined };
}

/** When the time for the answer to a question is over. */
export function answerDueMs({ maxAgeMs, answerWithinMs = maxAgeMs, attemptedAt, sentAt = attemptedAt }: Delivery, nowMs: number): number {
  return answerWithinMs === undefined ? NEVER_MS : (sentAt?.getTime() ?? nowMs) + answerWithinMs;
}

/** The change of a question that a person answered; undefined: it has an answer, or its time is over. */
export function answered(delivery: Delivery, answer: JsonObject): DeliveryChange | undefined {
  const { state, since, sentAt = delivery.attemptedAt, result } = delivery;
  // An answer proves that the question arrived, even if the attempt has no known outcome.
  const waits = state === 'asked' || (since !== undefined && (state === 'pending' || state === 'sending' || state === 'unknown'));
  if (!waits) return undefined;
  return { state: 'sent', sentAt, result: { ...(isJsonObject(result) && result), ...answer }, error: undefined, message: undefined };
}

/** Closes a question whose time is over, or whose rule was deleted. */
export async function closeUnanswered(delivery: Delivery, { record, onUnanswered }: EngineContext): Promise<void> {
  const why = delivery.withdrawn?.reason?.kind === 'retired' ? RETIRED : withDeliveryMessage({ kind: 'unanswered' });
  const closed = await record(delivery, { state: 'sent', ...why, withdrawn: undefined });
  if (closed) onUnanswered(closed);
}
