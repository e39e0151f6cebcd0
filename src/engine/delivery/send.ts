import { PlatformError, Postponed } from '#src/errors.ts';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { withoutParts } from '#src/clients/operation/part.ts';
import type { EngineContext } from './engine-context.ts';
import { attemptIdentity } from './attempt-identity.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { draft, type Draft } from './draft.ts';
import type { DeliveryError } from './delivery-error.ts';
import { failureOf } from './failure.ts';
import { latestBeginMs } from './ordering.ts';
import { arrived } from './question.ts';
import { withDeliveryMessage } from './reason.ts';
import { isBeingRemoved } from './role-of-others.ts';
import { afterFailure, afterLimitMs, gaveUp, RETRY_MS } from './retry.ts';
import { searchBefore } from './search-after-restore.ts';
import { removalsOf } from './thread.ts';
import { withoutPart } from './without-part.ts';
import { logFieldsOf } from './log-fields.ts';

/** The shortest pause after a platform postponed a write. */
const SHORTEST_PAUSE_MS = 100;

/** The pause of a role to add while its removal is under way. */
const REMOVED_WITHIN_MS = 1_000;

/** Makes one attempt at a pending delivery, if there is something to send. */
export async function send(delivery: Delivery, context: EngineContext): Promise<void> {
  if (delivery.withdrawn) {
    await context.record(delivery, { state: 'skipped', ...delivery.withdrawn, withdrawn: undefined });
    return;
  }
  // A person may move a post between the search for due deliveries and their reading.
  if (delivery.dueAt.getTime() > context.clock.nowMs()) return;
  const drafted = (await tooLate(delivery, context)) ?? (await draft(delivery, context));
  if ('instead' in drafted) {
    await context.record(delivery, drafted.instead, drafted.parts);
    return;
  }

  const { params, origins, parts } = drafted;
  if (await isBeingRemoved(delivery, params, context.deliveries)) {
    await context.record(delivery, { state: 'pending', dueAt: new Date(context.clock.nowMs() + REMOVED_WITHIN_MS) });
    return;
  }
  const before = await searchBefore(delivery, params, context);
  if (before) {
    const isPending = before.state === 'pending';
    await context.record(delivery, { ...before, ...(!isPending && origins && { origins }) }, isPending ? [] : parts);
    return;
  }
  // Errors in an attempt count as errors of the platform, so it reads nothing from the state.
  const requests = await removalsOf(delivery, withoutParts(params, delivery.omitted), context);
  const now = new Date(context.clock.nowMs());
  const { since = now, retry, giveUpAt = new Date(now.getTime() + (retry?.forMs ?? RETRY_MS)) } = delivery;
  const begun = await context.record(
    delivery,
    {
      state: 'sending',
      attempts: delivery.attempts + 1,
      params,
      ...(origins && { origins }),
      since,
      giveUpAt,
      attemptedAt: now,
      lostAt: undefined,
      error: undefined,
      message: undefined,
      searchSince: undefined,
    },
    parts,
  );
  // Otherwise, it was withdrawn in the meantime.
  if (begun) await makeAttempt(begun, { params, requests, since }, context);
}

/** Makes the first attempt at a delivery that is stored as `sending`, and whose request did not leave. */
export async function sendBegun(begun: Delivery, context: EngineContext): Promise<void> {
  const { params, since, omitted } = begun;
  if (!params || !since) throw new Error(`delivery ${begun.id} was started without parameters`);
  const requests = await removalsOf(begun, withoutParts(params, omitted), context);
  await makeAttempt(begun, { params, requests, since }, context);
}

async function makeAttempt(begun: Delivery, attempted: Attempted, context: EngineContext): Promise<void> {
  const beganMs = context.clock.nowMs();
  const change = await attempt(begun, attempted, context);
  context.onAttempt({ kind: 'attempt', delivery: begun, change, beganMs, endedMs: context.clock.nowMs() });
  await context.record(begun, change);
}

async function tooLate(delivery: Delivery, { deliveries, clock }: EngineContext): Promise<Draft | undefined> {
  const { attempts, giveUpAt, error } = delivery;
  const now = new Date(clock.nowMs());
  const skipped = attempts > 0 ? undefined : await tooLateAt(now, delivery, deliveries);
  if (skipped) return { instead: skipped };
  if (giveUpAt && now > giveUpAt) return { instead: gaveUp(delivery, error) };
  return undefined;
}

/** The end of a delivery that is not begun before an instant, if that is too late. */
async function tooLateAt(
  instant: Date,
  { id, expiresAt, maxAgeMs }: Delivery,
  deliveries: Pick<EngineContext['deliveries'], 'needs'>,
): Promise<DeliveryChange | undefined> {
  if (!expiresAt || instant <= expiresAt) return undefined;
  const untilMs = latestBeginMs({ expiresMs: expiresAt.getTime(), maxAgeMs }, await deliveries.needs([id]));
  return untilMs !== undefined && instant.getTime() > untilMs
    ? { state: 'skipped', ...withDeliveryMessage({ kind: 'tooLate', untilMs }) }
    : undefined;
}

interface Attempted {
  readonly params: JsonObject;
  /** The parameters of each request, in order. */
  readonly requests: readonly JsonObject[];
  readonly since: Date;
}

async function attempt(delivery: Delivery, { params, requests, since }: Attempted, context: EngineContext): Promise<DeliveryChange> {
  const { do: verb, account, beginsAt: plannedAt = delivery.createdAt } = delivery;
  const identity = attemptIdentity(delivery, context);
  const { perform, keepsKeys, isBilled, clock, random, log, signal } = context;
  try {
    let result: Json = null;
    for (const one of requests) {
      result = await perform({ do: verb, account, params: one, ...identity, plannedAt, since, signal });
    }
    return arrived(delivery, { result, sentAt: new Date(clock.nowMs()) }, context);
  } catch (error) {
    // The end of the program cut the attempt off: the next start reconciles it.
    signal.throwIfAborted();
    if (error instanceof Postponed) return postponed(postponedWrite(error, delivery), delivery, context);
    const without = withoutPart(error, { delivery, params }, context);
    // Nothing was written, so it does not count as an attempt.
    if (without) return { ...without, attempts: delivery.attempts - 1 };
    const failure = failureOf(error);
    if (failure.remedy === 'repeat' && error instanceof PlatformError && error.sentNothing && error.retryAt) {
      const { giveUpAt, retry } = delivery;
      const dueMs = afterLimitMs(error.retryAt);
      return postponed({ dueMs, error: failure.error, lastAt: giveUpAt, giveUpAt, retry }, delivery, context);
    }
    if (failure.error.fault === 'defect') log.error({ ...logFieldsOf(delivery), error }, 'an attempt failed because of a defect');
    const options = { nowMs: clock.nowMs(), random, keepsKeys: keepsKeys(account, verb), isBilled: isBilled(verb) };
    return afterFailure(failure, delivery, options);
  }
}

/** A request that was not sent because of a limit. */
interface Unsent {
  readonly dueMs: number;
  readonly error: DeliveryError;
  /** The latest time of the next attempt. */
  readonly lastAt: Date | undefined;
  readonly giveUpAt: Date | undefined;
  readonly retry: Delivery['retry'];
}

/** The platform accepts the write later, so the time for attempts starts again. Without an end, a queue would only grow under constant overload. */
function postponedWrite({ until, message }: Postponed, { since, attemptedAt, retry }: Delivery): Unsent {
  const forMs = Math.max(RETRY_MS, retry?.forMs ?? 0);
  const endsAt = since && new Date(since.getTime() + forMs);
  // A person may repeat an unknown delivery later than that.
  const lastAt = endsAt && attemptedAt && attemptedAt <= endsAt ? endsAt : undefined;
  return { dueMs: until.getTime(), error: { fault: 'rateLimited', message }, lastAt, giveUpAt: undefined, retry: { ...retry, forMs } };
}

/** It does not count as an attempt. */
async function postponed(
  { dueMs, error, lastAt, giveUpAt, retry }: Unsent,
  delivery: Delivery,
  { deliveries, clock }: Pick<EngineContext, 'deliveries' | 'clock'>,
): Promise<DeliveryChange> {
  const dueAt = new Date(Math.max(dueMs, clock.nowMs() + SHORTEST_PAUSE_MS));
  const attempts = delivery.attempts - 1;
  const skipped = attempts === 0 ? await tooLateAt(dueAt, delivery, deliveries) : undefined;
  if (skipped) return skipped;
  if (lastAt && dueAt > lastAt) return { ...gaveUp({ ...delivery, attempts, retry }, error), attempts };
  return { state: 'pending', attempts, dueAt, giveUpAt, ...withDeliveryMessage({ kind: 'postponed', message: error.message }) };
}
