import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { HttpClient } from './client.ts';
import { coalesce } from './coalesce.ts';

const Issued = z
  .object({ access_token: z.string().min(1), expires_in: z.coerce.number() })
  .transform((wire) => ({ value: wire.access_token, expiresInMs: wire.expires_in * 1000 }));

interface Held {
  readonly value: string;
  readonly expiresAtMs: number;
}

export interface AppTokenOptions {
  readonly platform: string;
  readonly auth: HttpClient;
  /** Where tokens are given out, below the address of `auth`. */
  readonly path: `/${string}`;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock: Clock;
  /** Whether the platform still takes a token, where one has to ask: called before each use. */
  readonly isGood?: ((value: string, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Learns what no line may say. */
  readonly log?: Pick<Log, 'conceal'> | undefined;
}

/** An app's own token by OAuth's client credentials, got when it is first needed and shared by all requests. */
export interface AppToken {
  /** Sends with the token, and once more with a new one if that is refused. */
  authorized<T>(signal: AbortSignal | undefined, send: (value: string) => Promise<T>): Promise<T>;
}

/** The token of one app. */
export function appToken({ platform, auth, path, clientId, clientSecret, clock, isGood, log }: AppTokenOptions): AppToken {
  let held: Held | undefined;

  async function issue(signal: AbortSignal): Promise<Held> {
    const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
    try {
      const response = await auth.request({ method: 'POST', path, form, idempotent: true, signal });
      const { value, expiresInMs } = response.json(Issued);
      log?.conceal(platform, [value]);
      return { value, expiresAtMs: clock.nowMs() + expiresInMs };
    } catch (error) {
      throw explained(error, platform);
    }
  }

  const current = coalesce(async (signal) => {
    if (!held || clock.nowMs() >= held.expiresAtMs) held = await issue(signal);
    if (isGood && !(await isGood(held.value, signal))) held = await issue(signal);
    return held.value;
  });

  return {
    async authorized(signal, send) {
      const value = await current(signal);
      try {
        return await send(value);
      } catch (error) {
        if (!(error instanceof PlatformError) || error.fault !== 'unauthorized') throw error;
        if (held?.value === value) held = undefined;
        return send(await current(signal));
      }
    },
  };
}

/** What OAuth servers answer where they do not know an app. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

/** What is wrong where no token was given out: nothing that was asked for is missing, and nothing of it was refused. */
function explained(error: unknown, platform: string): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { message, fault, status } = error;
  if (fault !== 'unavailable' && REFUSALS.has(status)) return wrongCredentials(platform, error);
  return fault === 'missing' || fault === 'rejected'
    ? new PlatformError(message, { platform, fault: 'malformed', status, cause: error })
    : error;
}

function wrongCredentials(platform: string, { status, cause }: PlatformError): PlatformError {
  const message = `${platform} does not know this client id with this client secret: check both.`;
  return new PlatformError(message, { platform, fault: 'unauthorized', status, cause });
}
