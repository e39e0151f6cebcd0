import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { HttpClient } from '#src/http/client.ts';
import { coalesce } from '#src/http/coalesce.ts';

const Issued = z
  .object({ access_token: z.string().min(1), expires_in: z.coerce.number() })
  .transform((wire) => ({ value: wire.access_token, expiresInMs: wire.expires_in * 1000 }));

interface Held {
  readonly value: string;
  readonly expiresAtMs: number;
}

/** The app's own token, got when it is first needed. */
export interface AppToken {
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

  const prepare = coalesce(async (signal) => {
    if (!held || clock.nowMs() >= held.expiresAtMs) held = await issue(signal);
    return held.value;
  });

  async function issue(signal: AbortSignal): Promise<Held> {
    const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
    try {
      const response = await auth.request({ method: 'POST', path: '/oauth/token', form, idempotent: true, signal });
      const { value, expiresInMs } = response.json(Issued);
      return { value, expiresAtMs: clock.nowMs() + expiresInMs };
    } catch (error) {
      throw isRefusal(error) ? wrongCredentials(error) : error;
    }
  }

  return {
    current: (signal) => prepare(signal),
    refuse(value) {
      if (held?.value === value) held = undefined;
    },
  };
}

function isRefusal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.status !== undefined && ['rejected', 'unauthorized', 'forbidden'].includes(error.fault);
}

function wrongCredentials({ platform, status, cause }: PlatformError): PlatformError {
  return new PlatformError('kick does not know this client id with this client secret: check both.', {
    platform,
    fault: 'unauthorized',
    status,
    cause,
  });
}
