import type { Json } from '#src/clients/operation/json.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import type { DeliveryError } from './delivery-error.ts';
import type { Failure } from './failure.ts';
import { withDeliveryMessage } from './reason.ts';

/** How long Fanfare retries by default. */
export const RETRY_MS = 24 * 60 * 60_000;

/** How long after its decision a delivery can fail, if its step has no longer `retry.for`. */
export const FAILS_WITHIN_MS = RETRY_MS + 3_600_000;

/** Pauses double from `firstMs` up to `longestMs`. */
interface Growth {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pauses after failures that need no operator. */
const USUAL_PAUSE: Growth = { firstMs: 2_000, longestMs: 15 * 60_000 };

/** Longer pauses for faults that the operator has to fix. */
const SLOW: Partial<Record<DeliveryError['fault'], Growth>> = {
  unauthorized: { firstMs: 60_000, longestMs: 15 * 60_000 },
};

/** The number of attempts at a read with a price for each call, if the platform may have billed the last one. A step can allow more. */
const BILLED_ATTEMPTS = 4;
const BILLED_PAUSE: Growth = { firstMs: 15_000, longestMs: 15 * 60_000 };

/** The faults after which a write may have been made or not. A write that only sets a state is then made again. */
const LEAVES_OPEN: ReadonlySet<DeliveryError['fault']> = new Set(['unanswered', 'malformed']);

/** How long a platform may take until a new post accepts replies. */
const SHOWS_WITHIN_MS = 10_000;

/** How long Fanfare searches before a person decides: a platform may answer better in a few minutes. */
export const UNCLEAR_FOR_MS = 5 * 60_000;

export interface RetryOptions {
  readonly nowMs: number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Whether the platform deduplicates requests by idempotency key. */
  readonly keepsKeys: boolean;
  /** Whether each attempt has a price, even without a result. */
  readonly isBilled: boolean;
}

/** The change of a delivery after a failed attempt. */
export function afterFailure(
  { error, remedy, retryAt, record }: Failure,
  delivery: Delivery,
  { nowMs, random, keepsKeys, isBilled }: RetryOptions,
): DeliveryChange {
  const { attempts, creates, giveUpAt } = delivery;
  if (record !== undefined) return madeOtherwise(error, record, nowMs);
  // A server may carry out the write before it breaks down.
  const isOpen = creates && !keepsKeys && error.fault === 'unavailable';
  const mayBeBilled = isBilled && LEAVES_OPEN.has(error.fault);
  const again = (remedy === 'repeat' && !isOpen) || (!creates && LEAVES_OPEN.has(error.fault)) || mayStillShow(error, delivery, nowMs);
  if (!again && (remedy === 'stop' || !creates)) return { state: 'failed', error };

  // A jitter would change the order of the deliveries that a rate limit refuses.
  const isLimited = error.fault === 'rateLimited';
  const pauseEndMs = nowMs + spread(retryPauseMs(attempts, mayBeBilled ? BILLED_PAUSE : SLOW[error.fault]), isLimited ? () => 0.5 : random);
  const acceptedMs = retryAt && (isLimited ? afterLimitMs(retryAt) : retryAt.getTime() + spread(1_000, random));
  const dueAt = new Date(Math.max(pauseEndMs, acceptedMs ?? 0));
  if (!again) return { state: 'sending', dueAt, error, lostAt: new Date(nowMs) };
  const limited = mayBeBilled ? withBilledAttempts(delivery) : delivery;
  const isLast = !hasAttemptsLeft(limited) || (giveUpAt && dueAt > giveUpAt);
  return isLast ? gaveUp(limited, error) : { state: 'pending', dueAt, error };
}

/**
 * When deliveries are due that a limit refuses until an instant, in milliseconds since 1970.
 *
 * Each refusal computes the instant again, with differences of milliseconds. Due at the same second, the deliveries keep their order.
 */
export function afterLimitMs(until: Date): number {
  return Math.ceil((until.getTime() + 500) / 1_000) * 1_000;
}

/** The pause after so many attempts, in milliseconds. */
function retryPauseMs(attempts: number, { firstMs, longestMs }: Growth = USUAL_PAUSE): number {
  return Math.min(longestMs, firstMs * 2 ** (attempts - 1));
}

/** The end of a delivery that created another record than the requested one. It is not retried, and later deliveries use the record. */
export function madeOtherwise(error: DeliveryError, record: Json, nowMs: number): DeliveryChange {
  return { state: 'failed', error, result: record, sentAt: new Date(nowMs) };
}

/** Whether the post that it replies to may be too new to be visible. */
function mayStillShow({ fault }: DeliveryError, { params, since }: Delivery, nowMs: number): boolean {
  return fault === 'missing' && params?.['replyTo'] !== undefined && since !== undefined && nowMs - since.getTime() < SHOWS_WITHIN_MS;
}

/** The same delivery with the number of attempts that Fanfare pays for, unless the step has a number. */
export function withBilledAttempts(delivery: Delivery): Delivery {
  return { ...delivery, retry: { attempts: BILLED_ATTEMPTS, ...delivery.retry } };
}

/** Whether the step allows for one more attempt. */
export function hasAttemptsLeft({ attempts, retry }: Delivery): boolean {
  return retry?.attempts === undefined || attempts < retry.attempts;
}

/** The end of a delivery whose time, or number of attempts, is used up. */
export function gaveUp(delivery: Delivery, error: DeliveryError | undefined): DeliveryChange {
  const { attempts, retry } = delivery;
  const limit = hasAttemptsLeft(delivery) ? { withinMs: retry?.forMs ?? RETRY_MS } : { attempts };
  return { state: 'failed', error, ...withDeliveryMessage({ kind: 'retriesExhausted', ...limit }) };
}

/** How long to wait before the next search for an attempt that was lost `sinceMs` ago: each search comes four times as late, because platforms bill reads. */
export function searchAgainMs(sinceMs: number, random: () => number): number {
  return spread(Math.max(USUAL_PAUSE.firstMs, 3 * sinceMs), random);
}

/** The same after a search that failed: twice as late each time. */
export function retrySearchMs(sinceMs: number, random: () => number): number {
  return spread(Math.min(USUAL_PAUSE.longestMs, Math.max(USUAL_PAUSE.firstMs, sinceMs)), random);
}

/** Adds a jitter of up to a quarter, so that retries do not coincide. */
function spread(ms: number, random: () => number): number {
  return Math.round(ms * (0.75 + random() / 2));
}
