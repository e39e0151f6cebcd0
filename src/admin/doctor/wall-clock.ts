import { request } from 'undici';
import type { Clock } from '#src/clock.ts';
import type { ClockSetBack } from '#src/rules/episode.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import type { CheckResult } from './check-result.ts';

/** With a greater difference, platforms reject signatures and slots run at the wrong time. */
const TOLERANCE_MS = 30_000;
/** How long the doctor reports that the clock was set back. */
const REPORTED_MS = 7 * 86_400_000;
const TIMEOUT_MS = 5_000;
/** The dates of responses have whole seconds. */
const SECOND_MS = 1_000;

const SYNC_REMEDY = 'turn on time synchronization: timedatectl set-ntp true';

export interface StoredClockOptions {
  readonly storedClock: {
    /** The distance of the last slot of a rule from now, if it is in the future. */
    readonly aheadMs: () => Promise<number>;
    readonly lastSetBack: () => Promise<ClockSetBack | undefined>;
  };
  readonly clock: Clock;
  /** The name of the clock. */
  readonly about?: string | undefined;
}

/** Checks whether the clock was set back; no result if it was not. */
export async function examineStoredClock({ storedClock, clock, about = 'the clock' }: StoredClockOptions): Promise<readonly CheckResult[]> {
  const [aheadMs, setBack, nowMs] = [await storedClock.aheadMs(), await storedClock.lastSetBack(), clock.nowMs()];
  if (aheadMs >= TOLERANCE_MS) {
    const what = `it is ${formatDuration(aheadMs)} behind the last slot of a rule: it was ahead, or is behind now`;
    const remedy = `${SYNC_REMEDY}; Fanfare continues from now at its next start`;
    return [{ about, state: 'warning', what, remedy, reason: { kind: 'clockBehindSlot', byMs: aheadMs } }];
  }
  if (!setBack || setBack.byMs < TOLERANCE_MS || nowMs - setBack.atMs > REPORTED_MS) return [];
  const what = `it was set back by ${formatDuration(setBack.byMs)} at ${new Date(setBack.atMs).toISOString()}: rules continued from there`;
  return [{ about, state: 'warning', what, remedy: SYNC_REMEDY, reason: { kind: 'clockSetBack', ...setBack } }];
}

/** Compares the clock with the dates of the platforms at `urls`; no result if none responds. */
export async function examineClock(
  urls: readonly string[],
  { clock, about = 'the clock', signal }: Pick<StoredClockOptions, 'clock' | 'about'> & { readonly signal: AbortSignal },
): Promise<readonly CheckResult[]> {
  for (const url of new Set(urls.map((one) => new URL(one).origin))) {
    const offMs = await offBy(url, clock, signal);
    if (offMs === undefined) continue;
    const seconds = Math.round(Math.abs(offMs) / SECOND_MS);
    const { host } = new URL(url);
    if (Math.abs(offMs) < TOLERANCE_MS)
      return [{ about, state: 'good', what: `it agrees with the clock of ${host}`, reason: { kind: 'clockAgrees', host } }];
    const isAhead = offMs > 0;
    const what = `it is ${seconds} s ${isAhead ? 'ahead of' : 'behind'} the clock of ${host}`;
    return [{ about, state: 'bad', what, remedy: SYNC_REMEDY, reason: { kind: 'clockOff', host, seconds, isAhead } }];
  }
  return [];
}

async function offBy(url: string, clock: Clock, signal: AbortSignal): Promise<number | undefined> {
  try {
    const beforeMs = clock.nowMs();
    const { headers, body } = await request(url, { method: 'HEAD', signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    await body.dump();
    // A cached response has an old date, and its age.
    const theirsMs = Date.parse(String(headers['date'])) + Number(headers['age'] ?? 0) * SECOND_MS;
    // The response was made about halfway between request and response, and its date is cut to whole seconds.
    return Number.isNaN(theirsMs) ? undefined : (beforeMs + clock.nowMs()) / 2 - theirsMs - SECOND_MS / 2;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
