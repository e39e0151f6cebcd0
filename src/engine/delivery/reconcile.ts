import type { Json } from '#src/clients/operation/json.ts';
import { withoutParts } from '#src/clients/operation/part.ts';
import type { Inconclusive, Recovery } from '#src/clients/operation/platform.ts';
import { attemptIdentity } from './attempt-identity.ts';
import type { EngineContext } from './engine-context.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { failureOf } from './failure.ts';
import { arrived } from './question.ts';
import { withDeliveryMessage } from './reason.ts';
import { gaveUp, hasAttemptsLeft, madeOtherwise, retrySearchMs, searchAgainMs, UNCLEAR_FOR_MS, withBilledAttempts } from './retry.ts';
import { isTaken } from './search-after-restore.ts';
import { logFieldsOf } from './log-fields.ts';

const NEXT_IN_LINE_MS = 1_000;
/** How long Fanfare searches for a post that its platform refuses as a duplicate. */
const DUPLICATE_SHOWS_WITHIN_MS = 30 * 60_000;

/** Reconciles a delivery that was begun and has no known outcome. The adapter searches the platform: `recover` in its operations. */
export async function reconcile(delivery: Delivery, context: EngineContext): Promise<void> {
  const now = new Date(context.clock.nowMs());
  await context.record(delivery, delivery.creates ? await searchRecord(delivery, context) : repeatAt(now, delivery, context));
}

/** A write that only sets a state may be repeated, and a billed read a few times, because a program that ends in each attempt would pay without end. */
function repeatAt(dueAt: Date, delivery: Delivery, { isBilled }: EngineContext): DeliveryChange {
  const limited = withBilledAttempts({ ...delivery, retry: undefined });
  return !isBilled(delivery.do) || hasAttemptsLeft(limited) ? { state: 'pending', dueAt } : gaveUp(limited, delivery.error);
}

async function searchRecord(delivery: Delivery, context: EngineContext): Promise<DeliveryChange> {
  const { id, do: verb, account, params, since } = delivery;
  const identity = attemptIdentity(delivery, context);
  if (!params || !since) throw new Error(`delivery ${id} was started without parameters`);
  const { deliveries, recover, clock, signal } = context;

  // Of identical deliveries, the oldest one claims the record that is found.
  const alike = (await deliveries.begun(account)).filter((other) => isIdentical(other, delivery));
  const [first] = alike.toSorted(byAttempt);
  if (first && first.id !== id) {
    const firstMs = Math.max(first.dueAt.getTime(), clock.nowMs());
    return { state: 'sending', dueAt: new Date(firstMs + NEXT_IN_LINE_MS) };
  }
  const later: DeliveryChange = { state: 'sending', dueAt: new Date(clock.nowMs() + NEXT_IN_LINE_MS) };
  if (isSentNow(alike, delivery, context)) return later;

  const taken = await deliveries.taken(delivery);
  // The program ended during the attempt: the request may still arrive.
  const searchBeganMs = clock.nowMs();
  const { lostAt = new Date(searchBeganMs) } = delivery;
  const search = async (): Promise<DeliveryChange> => {
    const sent = withoutParts(params, delivery.omitted);
    let recovery: Recovery<Json> | Inconclusive;
    try {
      recovery = await recover({ do: verb, account, params: sent, ...identity, since, taken, lostAt, signal });
    } catch (error) {
      signal.throwIfAborted();
      return { lostAt, ...searchLater(error, { ...delivery, lostAt }, context) };
    }
    // This reads the state, whose errors are not errors of the search.
    return (await mayBeOfAnother(recovery, delivery, context))
      ? later
      : { lostAt, ...conclude(recovery, { ...delivery, lostAt, searchBeganMs }, context) };
  };
  const change = await search();
  context.onAttempt({ kind: 'reconcile', delivery, change, beganMs: searchBeganMs, endedMs: clock.nowMs() });
  return change;
}

function isIdentical(other: Delivery, delivery: Delivery): boolean {
  return other.do === delivery.do && JSON.stringify(other.params) === JSON.stringify(delivery.params);
}

/** Whether one of `alike` is under way: the record that the search finds may be its record. */
function isSentNow(alike: readonly Delivery[], { id: key }: Delivery, { isUnderWay }: EngineContext): boolean {
  return alike.some(({ id }) => id !== key && isUnderWay(id));
}

/** Whether an identical delivery that was sent during the search may have made the record that was found. */
async function mayBeOfAnother(recovery: Recovery<Json> | Inconclusive, delivery: Delivery, context: EngineContext): Promise<boolean> {
  if (typeof recovery !== 'object' || 'conclusiveAt' in recovery) return false;
  const { deliveries } = context;
  const begun = await deliveries.begun(delivery.account);
  const alike = begun.filter((other) => isIdentical(other, delivery));
  if (isSentNow(alike, delivery, context)) return true;
  return isTaken(recovery.found, await deliveries.taken(delivery));
}

function byAttempt(one: Delivery, other: Delivery): number {
  return attemptedMs(one) - attemptedMs(other);
}

function attemptedMs({ attemptedAt }: Pick<Delivery, 'attemptedAt'>): number {
  return attemptedAt?.getTime() ?? 0;
}

interface Lost extends Delivery {
  readonly lostAt: Date;
}

/** A search shows the platform at its start: a record that becomes visible during the search may be missing from the answer. */
function conclude(
  recovery: Recovery<Json> | Inconclusive,
  delivery: Lost & { readonly searchBeganMs: number },
  context: EngineContext,
): DeliveryChange {
  const { visibleAfterMs, clock, random } = context;
  const { account, error, lostAt, searchBeganMs } = delivery;
  if (typeof recovery === 'object' && 'found' in recovery) return arrived(delivery, { result: recovery.found }, context);

  const nowMs = clock.nowMs();
  const waitedMs = searchBeganMs - lostAt.getTime();
  const isDuplicate = error?.fault === 'duplicate';
  // The platform has the same content from somewhere else: this delivery has made nothing yet.
  if (isDuplicate && isFirstAttempt(delivery)) return { state: 'failed' };
  const showsWithinMs = isDuplicate ? DUPLICATE_SHOWS_WITHIN_MS : visibleAfterMs(account, delivery.do);
  const searchedForMs = recovery === 'cannotTell' ? Math.max(showsWithinMs, UNCLEAR_FOR_MS) : showsWithinMs;
  const leftMs = typeof recovery === 'object' ? recovery.conclusiveAt.getTime() - searchBeganMs : searchedForMs - waitedMs;
  if (leftMs > 0) return { state: 'sending', dueAt: new Date(nowMs + Math.min(leftMs, searchAgainMs(waitedMs, random))) };

  if (isDuplicate) return { state: 'unknown', ...withDeliveryMessage({ kind: 'notFound', account }) };
  if (recovery !== 'absent') return { state: 'unknown', ...withDeliveryMessage({ kind: 'notSearchable', account }) };
  // A repeat would end in the same defect.
  if (error?.fault === 'defect') return { state: 'failed' };
  return hasAttemptsLeft(delivery) ? { state: 'pending', dueAt: new Date(nowMs) } : gaveUp(delivery, error);
}

/** Whether no earlier attempt can have made the record. An operator's resolution keeps `since`, and a restored state may lack an attempt. */
function isFirstAttempt({ since, searchSince, ...delivery }: Delivery): boolean {
  return since !== undefined && searchSince === undefined && since.getTime() === attemptedMs(delivery);
}

/** The change after a search that failed. */
function searchLater(error: unknown, delivery: Lost, { clock, random, log }: EngineContext): DeliveryChange {
  const { account, giveUpAt, lostAt } = delivery;
  const failure = failureOf(error);
  if (failure.record !== undefined) return madeOtherwise(failure.error, failure.record, clock.nowMs());
  const defect = failure.error.fault === 'defect';
  if (defect) log.error({ ...logFieldsOf(delivery), error }, 'the search for a delivery failed because of a defect');
  const nowMs = clock.nowMs();
  const pauseEndMs = nowMs + retrySearchMs(nowMs - lostAt.getTime(), random);
  const dueAt = new Date(Math.max(pauseEndMs, failure.retryAt?.getTime() ?? 0));
  const hopeless = failure.remedy === 'stop' || defect || (giveUpAt && dueAt > giveUpAt);
  if (!hopeless)
    log.warn(
      { ...logFieldsOf(delivery), account, why: failure.error.message },
      'the platform could not be searched for this delivery; Fanfare retries',
    );
  return hopeless
    ? { state: 'unknown', ...withDeliveryMessage({ kind: 'searchFailed', account, error: failure.error.message }) }
    : { state: 'sending', dueAt };
}
