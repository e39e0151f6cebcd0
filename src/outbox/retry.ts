import type { Delivery, DeliveryChange, DeliveryError } from './delivery.ts';
import type { Failure } from './failure.ts';

/** How long attempts go on after the first. */
export const RETRY_MS = 24 * 60 * 60_000;

interface Growth {
  readonly firstMs: number;
  readonly longestMs: number;
}

const USUAL: Growth = { firstMs: 2_000, longestMs: 15 * 60_000 };

/** Where somebody has to do something first, or time itself. */
const SLOW: Partial<Record<DeliveryError['fault'], Growth>> = {
  unauthorized: { firstMs: 60_000, longestMs: 15 * 60_000 },
  quotaExhausted: { firstMs: 15 * 60_000, longestMs: 60 * 60_000 },
};

export interface Moment {
  readonly nowMs: number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

/** What becomes of a delivery after a failed attempt. */
export function afterFailure(
  { error, remedy, retryAt }: Failure,
  { attempts, creates, giveUpAt }: Delivery,
  { nowMs, random }: Moment,
): DeliveryChange {
  // What makes nothing new may be done twice: unanswered, it is simply done again.
  const again = remedy === 'repeat' || (error.fault === 'unanswered' && !creates);
  if (!again && (remedy === 'stop' || !creates)) return { state: 'failed', error };

  const { firstMs, longestMs } = SLOW[error.fault] ?? USUAL;
  const pauseEndMs = nowMs + spread(Math.min(longestMs, firstMs * 2 ** (attempts - 1)), random);
  if (!again) return { state: 'sending', dueAt: new Date(pauseEndMs), error };
  const dueAt = new Date(Math.max(pauseEndMs, retryAt ? retryAt.getTime() + spread(1_000, random) : 0));
  return giveUpAt && dueAt > giveUpAt ? gaveUp(error) : { state: 'pending', dueAt, error };
}

/** The end of a delivery whose time ran out. */
export function gaveUp(error: DeliveryError | undefined): DeliveryChange {
  return { state: 'failed', error, reason: 'no attempt succeeded within 24 hours' };
}

/** How long to wait before asking again what became of an attempt that began `sinceMs` ago: twice as long each time. */
export function askAgainMs(sinceMs: number, random: () => number): number {
  return spread(Math.min(USUAL.longestMs, Math.max(USUAL.firstMs, sinceMs)), random);
}

/** A quarter more or less, so that not everybody comes back at once. */
function spread(ms: number, random: () => number): number {
  return Math.round(ms * (0.75 + random() / 2));
}
