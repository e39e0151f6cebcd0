import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { type Fault, PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { HttpClient } from './client.ts';
import { coalesce } from './coalesce.ts';
import { isFault, reworded } from './errors.ts';
import { basicAuthorization } from './request-parts.ts';

/** X states no lifetime: its tokens are valid until they are revoked. */
const Issued = z
  .object({ access_token: z.string().min(1), expires_in: z.coerce.number().optional() })
  .transform((wire) => ({ value: wire.access_token, expiresInMs: (wire.expires_in ?? Infinity) * 1000 }));

interface CachedToken {
  readonly value: string;
  readonly expiresAtMs: number;
}

/** The token of an app by OAuth client credentials, requested once and shared by all requests. */
export interface AppToken {
  /** Sends with the token. If the platform refuses it, sends once more with a new token. */
  authorized<T>(signal: AbortSignal | undefined, send: (value: string) => Promise<T>): Promise<T>;
}

/** The token of one app. */
export function appToken({
  platform,
  auth,
  path,
  clientId,
  clientSecret,
  registeredAt,
  credentialsIn = 'form',
  clock,
  isGood,
  log,
}: {
  readonly platform: string;
  readonly auth: HttpClient;
  /** The path of the token endpoint below the address of `auth`. */
  readonly path: `/${string}`;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The page with the client id and the secret. */
  readonly registeredAt: string;
  /** Where the request contains the client id and the secret. */
  readonly credentialsIn?: 'form' | 'header' | undefined;
  readonly clock: Clock;
  /** Whether the token is still valid; called before each use. */
  readonly isGood?: ((value: string, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Hides the token in log lines. */
  readonly log?: Pick<Log, 'conceal'> | undefined;
}): AppToken {
  let cached: CachedToken | undefined;

  async function issue(signal: AbortSignal): Promise<CachedToken> {
    const inForm = credentialsIn === 'form';
    const form = { ...(inForm && { client_id: clientId, client_secret: clientSecret }), grant_type: 'client_credentials' };
    const headers = inForm ? {} : { authorization: basicAuthorization(clientId, clientSecret) };
    try {
      const response = await auth.request({ method: 'POST', path, form, headers, idempotent: true, signal });
      const { value, expiresInMs } = response.json(Issued);
      log?.conceal(`${platform}, app`, [value]);
      return { value, expiresAtMs: clock.nowMs() + expiresInMs };
    } catch (error) {
      throw explained(error, { platform, registeredAt });
    }
  }

  const current = coalesce(async (signal) => {
    if (!cached || clock.nowMs() >= cached.expiresAtMs) cached = await issue(signal);
    if (isGood && !(await isGood(cached.value, signal))) cached = await issue(signal);
    return cached.value;
  });

  return {
    async authorized(signal, send) {
      const value = await current(signal);
      try {
        return await send(value);
      } catch (error) {
        if (!isFault(error, 'unauthorized')) throw error;
        if (cached?.value === value) cached = undefined;
        return send(await current(signal));
      }
    },
  };
}

/** Faults of an answer that the OAuth server may not have sent. */
const NOT_REFUSED: ReadonlySet<Fault> = new Set(['unavailable', 'malformed']);
/** Statuses of OAuth servers for an unknown app. */
const REFUSED_STATUSES: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

interface RegisteredApp {
  readonly platform: string;
  readonly registeredAt: string;
}

/** The error for a failed token request, which must not look like a failure of the request that needs the token. */
function explained(error: unknown, app: RegisteredApp): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { message, fault, status } = error;
  if (!NOT_REFUSED.has(fault) && REFUSED_STATUSES.has(status)) return wrongCredentials(app, error);
  return fault === 'missing' || fault === 'rejected'
    ? new PlatformError(message, { platform: app.platform, fault: 'malformed', status, cause: error })
    : error;
}

function wrongCredentials({ platform, registeredAt }: RegisteredApp, error: PlatformError): PlatformError {
  return reworded(error, `${platform} rejects this client id and client secret: check both at ${registeredAt}.`, 'unauthorized');
}
