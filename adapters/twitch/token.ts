import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { HttpClient } from '#src/http/client.ts';
import { coalesce } from '#src/http/coalesce.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

const Issued = z
  .object({ access_token: z.string().min(1), expires_in: z.number() })
  .transform((wire) => ({ value: wire.access_token, expiresInMs: wire.expires_in * 1000 }));

interface Held {
  readonly value: string;
  readonly expiresAtMs: number;
}

/** The app's own token, got when it is first needed. */
export interface AppToken {
  /** One that was found good within the last hour. */
  current(signal: AbortSignal | undefined): Promise<string>;
  /** Says that `value` was refused: the next one is another. */
  refuse(value: string): void;
}

export interface AppTokenOptions {
  readonly auth: HttpClient;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock: Clock;
}

export function appToken({ auth, clientId, clientSecret, clock }: AppTokenOptions): AppToken {
  let held: Held | undefined;
  let checkDueMs = 0;

  async function issue(signal: AbortSignal): Promise<Held> {
    const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
    try {
      const response = await auth.request({ method: 'POST', path: '/token', form, idempotent: true, signal });
      const { value, expiresInMs } = response.json(Issued);
      return { value, expiresAtMs: clock.nowMs() + expiresInMs };
    } catch (error) {
      throw isRefusal(error) ? wrongCredentials(error) : error;
    }
  }

  /** Whether Twitch still takes the token; whoever keeps one has to ask at the start and every hour. */
  async function isGood({ value }: Held, signal: AbortSignal): Promise<boolean> {
    const fault = await faultOf(auth.request({ path: '/validate', headers: { authorization: `OAuth ${value}` }, signal }));
    // That nobody answers says nothing about the token: it is used, and asked about again soon.
    const answered = fault === undefined || fault === 'unauthorized';
    checkDueMs = clock.nowMs() + (answered ? HOUR_MS : MINUTE_MS);
    return fault !== 'unauthorized';
  }

  const prepare = coalesce(async (signal) => {
    if (!held || clock.nowMs() >= held.expiresAtMs) held = await issue(signal);
    if (clock.nowMs() >= checkDueMs && !(await isGood(held, signal))) held = await issue(signal);
    return held.value;
  });

  return {
    current: (signal) => prepare(signal),
    refuse(value) {
      if (held?.value === value) held = undefined;
    },
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

function isRefusal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.status !== undefined && ['rejected', 'unauthorized', 'forbidden'].includes(error.fault);
}

function wrongCredentials({ platform, status, cause }: PlatformError): PlatformError {
  return new PlatformError('twitch does not know this client id with this client secret: check both.', {
    platform,
    fault: 'unauthorized',
    status,
    cause,
  });
}
