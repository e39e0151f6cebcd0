import { request } from 'undici';
import type { Clock } from '#src/clock.ts';
import type { ClockSetBack } from '#src/rules/episode.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import type { CheckResult } from './check-result.ts';

/** From here on signatures are refused, and slots come at the wrong time. */
const OFF_MS = 30_000;
/** How long the doctor reports that the clock was set back. */
const TOLD_MS = 7 * 86_400_000;
const PATIENCE_MS = 5_000;
/** Dates of answers have whole seconds. */
const SECOND_MS = 1_000;

const SET_BY_ITSELF = 'let the machine set it by itself: timedatectl set-ntp true';

export interface StoredClockOptions {
  readonly storedClock: {
    /** How far the last slot of a rule lies in the future. */
    readonly aheadMs: () => Promise<number>;
    readonly lastSetBack: () => Promise<ClockSetBack | undefined>;
  };
  readonly clock: Clock;
}

/** Whether the clock was set back; nothing where it was not. */
export async function examineStoredClock({ storedClock, clock }: StoredClockOptions): Promise<readonly CheckResult[]> {
  const [aheadMs, setBack, nowMs] = [await storedClock.aheadMs(), await storedClock.lastSetBack(), clock.nowMs()];
  const about = 'the clock';
  if (aheadMs >= OFF_MS) {
    const what = `it is ${formatDuration(aheadMs)} behind the last slot of a rule: it was ahead, or is behind now`;
    return [{ about, state: 'warning', what, remedy: `${SET_BY_ITSELF}; at its next start Fanfare continues from now` }];
  }
  if (!setBack || setBack.byMs < OFF_MS || nowMs - setBack.atMs > TOLD_MS) return [];
  const what = `it was set back by ${formatDuration(setBack.byMs)} at ${new Date(setBack.atMs).toISOString()}: rules continued from there`;
  return [{ about, state: 'warning', what, remedy: SET_BY_ITSELF }];
}

/** Whether this machine's clock goes as those of the platforms at `urls`; nothing where none of them answers. */
export async function examineClock(
  urls: readonly string[],
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly CheckResult[]> {
  for (const url of new Set(urls.map((one) => new URL(one).origin))) {
    const offMs = await offBy(url, clock, signal);
    if (offMs === undefined) continue;
    const seconds = Math.round(Math.abs(offMs) / SECOND_MS);
    const about = 'the clock';
    if (Math.abs(offMs) < OFF_MS) return [{ about, state: 'good', what: `it goes as that of ${new URL(url).host}` }];
    const what = `it is ${seconds} s ${offMs > 0 ? 'ahead of' : 'behind'} that of ${new URL(url).host}`;
    return [{ about, state: 'bad', what, remedy: SET_BY_ITSELF }];
  }
  return [];
}

async function offBy(url: string, clock: Clock, signal: AbortSignal): Promise<number | undefined> {
  try {
    const beforeMs = clock.nowMs();
    const { headers, body } = await request(url, { method: 'HEAD', signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) });
    await body.dump();
    // What was kept on the way has the date at which it was given, and says how long ago that is.
    const theirsMs = Date.parse(String(headers['date'])) + Number(headers['age'] ?? 0) * SECOND_MS;
    // Half of the way there, and half of the second that the date leaves out.
    return Number.isNaN(theirsMs) ? undefined : (beforeMs + clock.nowMs()) / 2 - theirsMs - SECOND_MS / 2;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
