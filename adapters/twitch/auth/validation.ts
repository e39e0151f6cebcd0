import type { Clock } from '#src/clock.ts';
import { type Fault, PlatformError } from '#src/errors.ts';
import type { HttpClient } from '#src/http/client.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

/** Whether a token is still valid. Twitch requires this check at the start and every hour. */
export function hourlyValidation(auth: HttpClient, clock: Clock): (value: string, signal: AbortSignal) => Promise<boolean> {
  let dueMs = 0;
  return async (value, signal) => {
    if (clock.nowMs() < dueMs) return true;
    const fault = await faultOf(auth.request({ path: '/validate', headers: { authorization: `OAuth ${value}` }, signal }));
    // Without an answer, the token stays in use, and the next check comes soon.
    const answered = fault === undefined || fault === 'unauthorized';
    dueMs = clock.nowMs() + (answered ? HOUR_MS : MINUTE_MS);
    return fault !== 'unauthorized';
  };
}

async function faultOf(request: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (error instanceof PlatformError) return error.fault;
    throw error;
  }
}
