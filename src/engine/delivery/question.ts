import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';
import type { EngineContext } from './engine-context.ts';
import { changedParameters } from './changed-parameters.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { isStop, withDeliveryMessage, type DeliveryReason } from './reason.ts';

/** The last instant that a date has. */
const NEVER_MS = 8.64e15;

/** The reason of questions whose rule was deleted. */
const RETIRED = withDeliveryMessage({ kind: 'ruleDeleted' });

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

export function choicesOf({ params }: Pick<Delivery, 'params'>): readonly string[] {
  const choices = params?.['choices'];
  return isJsonList(choices) ? choices.filter((one) => typeof one === 'string') : [];
}

/** How many members have to answer a question. */
export function neededAnswers({ params }: Pick<Delivery, 'params'>): number {
  const needed = params?.['answers'];
  return typeof needed === 'number' ? needed : 1;
}

/** The stored answers of a question, of which some may be missing. */
export function storedAnswers({ params, result }: Pick<Delivery, 'params' | 'result'>): readonly JsonObject[] {
  if (!isJsonObject(result)) return [];
  if (neededAnswers({ params }) === 1) return 'choice' in result ? [result] : [];
  const { answers } = result;
  return isJsonList(answers) ? answers.filter(isJsonObject) : [];
}

/**
 * The change of a question that a person answered; undefined: it has all answers, or its time is over.
 * A question for several members stays open until they all answered. A further answer of a member replaces the earlier one.
 */
export function answered(delivery: Delivery, answer: JsonObject, nowMs: number): DeliveryChange | undefined {
  const { state, since, sentAt = delivery.attemptedAt, result } = delivery;
  // An answer proves that the question arrived, even if the attempt has no known outcome.
  const waits = state === 'asked' || (since !== undefined && (state === 'pending' || state === 'sending' || state === 'unknown'));
  if (!waits) return undefined;
  const before = isJsonObject(result) ? result : {};
  const needed = neededAnswers(delivery);
  if (needed === 1) return { state: 'sent', sentAt, result: { ...before, ...answer }, error: undefined, message: undefined };
  const answers = [...storedAnswers(delivery).filter((one) => personKey(one) !== personKey(answer)), answer];
  if (answers.length < needed) {
    const dueAt = new Date(answerDueMs({ ...delivery, sentAt }, nowMs));
    return { state: 'asked', sentAt, dueAt, result: { ...before, answers }, error: undefined, message: undefined };
  }
  const choice = answer['choice'];
  const isAgreed = answers.every((one) => one['choice'] === choice);
  return { state: 'sent', sentAt, result: { ...before, answers, ...(isAgreed && { choice }) }, error: undefined, message: undefined };
}

/** That the steps behind an answered question were withdrawn before the answer; undefined: they are sent. */
export async function remarkOnAnswer(
  { id, firing }: Delivery,
  deliveries: Pick<DeliveryStore, 'ofFirings' | 'load'>,
): Promise<Explained<DeliveryReason> | undefined> {
  const all = (await deliveries.ofFirings([firing])).map((one) => one.id);
  const later = await deliveries.load(all.slice(all.indexOf(id) + 1));
  const because = later.map(({ reason, withdrawn }) => withdrawn?.reason ?? reason).find(isStop);
  return because && withDeliveryMessage({ kind: 'nextStepsWithdrawn', because });
}

/** Names the person of an answer. */
function personKey({ by }: JsonObject): string {
  return JSON.stringify(isJsonObject(by) ? [by['platform'], by['id']] : by);
}

/** Closes a question whose time is over, or whose rule was deleted. */
export async function closeUnanswered(delivery: Delivery, { record, onUnanswered }: EngineContext): Promise<void> {
  const why = delivery.withdrawn?.reason?.kind === 'ruleDeleted' ? RETIRED : withDeliveryMessage({ kind: 'unanswered' });
  const closed = await record(delivery, { state: 'sent', ...why, withdrawn: undefined });
  if (closed) onUnanswered(closed);
}

/** Whether a change adds an answer to an open question. It is stored only if no other answer was stored in between. */
export function isNextAnswer({ state }: Delivery, change: DeliveryChange): boolean {
  return state === 'asked' && 'result' in change;
}
