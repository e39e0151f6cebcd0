import type { Json } from '#src/operation/json.ts';
import { withoutParts } from '#src/operation/part.ts';
import type { Inconclusive, Recovery } from '#src/operation/platform.ts';
import type { OutboxContext } from './context.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { failureOf } from './failure.ts';
import { arrived } from './question.ts';
import { deliveryBecause } from './reason.ts';
import { gaveUp, hasAttemptsLeft, madeOtherwise, retrySearchMs, searchAgainMs } from './retry.ts';
import { isTaken } from './search.ts';

const NEXT_IN_LINE_MS = 1_000;
/** How long Fanfare searches for a post that its platform refuses as a duplicate. */
const DUPLICATE_SHOWS_WITHIN_MS = 30 * 60_000;

/** Finds out what became of a delivery that was begun and has no known end. */
export async function findOut(delivery: Delivery, context: OutboxContext): Promise<void> {
  const now = new Date(context.clock.nowMs());
  // What makes nothing new may simply be done again.
  await context.record(delivery, delivery.creates ? await ask(delivery, context) : { state: 'pending', dueAt: now });
}

async function ask(delivery: Delivery, context: OutboxContext): Promise<DeliveryChange> {
  const { id: key, do: verb, account, params, since } = delivery;
  if (!params || !since) throw new Error(`delivery ${key} was begun without parameters`);
  const { deliveries, recover, clock, signal } = context;

  // Of several that say the same the one that was begun first has the first choice, else one record could do for two.
  const alike = (await deliveries.begun(account)).filter((other) => saysTheSame(other, delivery));
  const [first] = alike.toSorted(byAttempt);
  if (first && first.id !== key) {
    const firstMs = Math.max(first.dueAt.getTime(), clock.nowMs());
    return { state: 'sending', dueAt: new Date(firstMs + NEXT_IN_LINE_MS) };
  }
  const later: DeliveryChange = { state: 'sending', dueAt: new Date(clock.nowMs() + NEXT_IN_LINE_MS) };
  if (isSentNow(alike, delivery, context)) return later;

  const taken = await deliveries.taken(delivery);
  // The program ended with the attempt: what was on its way then may still arrive.
  const { lostAt = new Date(clock.nowMs()) } = delivery;
  try {
    const sent = withoutParts(params, delivery.omitted);
    const recovery = await recover({ do: verb, account, params: sent, key, since, taken, lostAt, signal });
    return (await mayBeOfAnother(recovery, delivery, context))
      ? later
      : { lostAt, ...conclude(recovery, { ...delivery, lostAt }, context) };
  } catch (error) {
    signal.throwIfAborted();
    return { lostAt, ...askLater(error, { ...delivery, lostAt }, context) };
  }
}

function saysTheSame(other: Delivery, delivery: Delivery): boolean {
  return other.do === delivery.do && JSON.stringify(other.params) === JSON.stringify(delivery.params);
}

/** Whether one of `alike` is under way: the record that would be found may be the one it is about to report. */
function isSentNow(alike: readonly Delivery[], { id: key }: Delivery, { isUnderWay }: OutboxContext): boolean {
  return alike.some(({ id }) => id !== key && isUnderWay(id));
}

/** Whether an identical delivery that was sent during the search may have made the record that was found. */
async function mayBeOfAnother(recovery: Recovery<Json> | Inconclusive, delivery: Delivery, context: OutboxContext): Promise<boolean> {
  if (typeof recovery !== 'object' || 'conclusiveAt' in recovery) return false;
  const { deliveries } = context;
  const begun = await deliveries.begun(delivery.account);
  const alike = begun.filter((other) => saysTheSame(other, delivery));
  if (isSentNow(alike, delivery, context)) return true;
  return isTaken(recovery.found, await deliveries.taken(delivery));
}

function byAttempt(one: Delivery, other: Delivery): number {
  return attemptedMs(one) - attemptedMs(other);
}

function attemptedMs({ attemptedAt }: Delivery): number {
  return attemptedAt?.getTime() ?? 0;
}

interface Lost extends Delivery {
  readonly lostAt: Date;
}

function conclude(recovery: Recovery<Json> | Inconclusive, delivery: Lost, context: OutboxContext): DeliveryChange {
  const { visibleAfterMs, clock, random } = context;
  const { account, error, lostAt } = delivery;
  if (typeof recovery === 'object' && 'found' in recovery) return arrived(delivery, { result: recovery.found }, context);

  const nowMs = clock.nowMs();
  const waitedMs = nowMs - lostAt.getTime();
  const isDuplicate = error?.fault === 'duplicate';
  const showsWithinMs = isDuplicate ? DUPLICATE_SHOWS_WITHIN_MS : visibleAfterMs(account, delivery.do);
  const leftMs = typeof recovery === 'object' ? recovery.conclusiveAt.getTime() - nowMs : showsWithinMs - waitedMs;
  if (leftMs > 0) return { state: 'sending', dueAt: new Date(nowMs + Math.min(leftMs, searchAgainMs(waitedMs, random))) };

  if (isDuplicate) return { state: 'unknown', ...deliveryBecause({ kind: 'notFound', account }) };
  if (recovery !== 'absent') return { state: 'unknown', ...deliveryBecause({ kind: 'cannotTell', account }) };
  // A repeat would end in the same defect.
  if (error?.fault === 'defect') return { state: 'failed' };
  return hasAttemptsLeft(delivery) ? { state: 'pending', dueAt: new Date(nowMs) } : gaveUp(delivery, error);
}

/** The question itself failed. */
function askLater(error: unknown, delivery: Lost, { clock, random, log }: OutboxContext): DeliveryChange {
  const { account, giveUpAt, lostAt } = delivery;
  const failure = failureOf(error);
  if (failure.record !== undefined) return madeOtherwise(failure.error, failure.record, clock.nowMs());
  const defect = failure.error.fault === 'defect';
  if (defect) log.error({ delivery: delivery.id, error }, 'looking for a delivery ended in a defect');
  const nowMs = clock.nowMs();
  const pauseEndMs = nowMs + retrySearchMs(nowMs - lostAt.getTime(), random);
  const dueAt = new Date(Math.max(pauseEndMs, failure.retryAt?.getTime() ?? 0));
  const hopeless = failure.remedy === 'stop' || defect || (giveUpAt && dueAt > giveUpAt);
  if (!hopeless)
    log.warn({ rule: delivery.rule, account, why: failure.error.message }, 'it could not be asked whether this was sent; asking again');
  return hopeless
    ? { state: 'unknown', ...deliveryBecause({ kind: 'notAsked', account, error: failure.error.message }) }
    : { state: 'sending', dueAt };
}
