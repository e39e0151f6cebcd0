import { request } from 'undici';
import type { Clock } from '#src/clock.ts';
import type { Finding } from './finding.ts';

/** From here on signatures are refused, and slots come at the wrong time. */
const OFF_MS = 30_000;
const PATIENCE_MS = 5_000;
/** Dates of answers have whole seconds. */
const SECOND_MS = 1_000;

/** Whether this machine's clock goes as those of the platforms at `urls`; nothing where none of them answers. */
export async function examineClock(
  urls: readonly string[],
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly Finding[]> {
  for (const url of new Set(urls.map((one) => new URL(one).origin))) {
    const offMs = await offBy(url, clock, signal);
    if (offMs === undefined) continue;
    const seconds = Math.round(Math.abs(offMs) / SECOND_MS);
    const about = 'the clock';
    if (Math.abs(offMs) < OFF_MS) return [{ about, state: 'good', what: `it goes as that of ${new URL(url).host}` }];
    const what = `it is ${seconds} s ${offMs > 0 ? 'ahead of' : 'behind'} that of ${new URL(url).host}`;
    return [{ about, state: 'bad', what, remedy: 'let the machine set it by itself: timedatectl set-ntp true' }];
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
