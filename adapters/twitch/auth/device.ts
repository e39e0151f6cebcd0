import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { httpClient } from '#src/http/client.ts';
import type { DeviceSignIn } from '#src/http/secrets/sign-in.ts';
import { Issued, type StoredChannel, Validated } from './issued.ts';
import { needsChannel, scopesFor } from './scopes.ts';

const Begun = z.object({
  device_code: z.string().min(1),
  user_code: z.string().min(1),
  verification_uri: z.url(),
  expires_in: z.coerce.number(),
  interval: z.coerce.number(),
});

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** The code with which Twitch answers until the person has confirmed. */
const PENDING = /\bauthorization_pending\b/u;

interface DeviceOptions {
  readonly clientId: string;
  readonly authUrl: string;
  readonly clock: Clock;
  /** The operations that rules call. */
  readonly operations: ReadonlySet<string>;
}

/** The sign-in of a channel by device code. */
export function signInAsChannel({ clientId, authUrl, clock, operations }: DeviceOptions): DeviceSignIn {
  const wanted = scopesFor(operations);
  const scopes = wanted.map(({ name }) => name).join(' ');

  return {
    scopes: wanted,
    isNeeded: needsChannel(operations),
    async begin(signal) {
      await using begins = httpClient({ platform: 'twitch', baseUrl: authUrl, clock });
      const answer = await begins.request({
        method: 'POST',
        path: '/device',
        form: { client_id: clientId, scopes },
        idempotent: true,
        signal,
      });
      const { device_code, user_code, verification_uri, expires_in, interval } = answer.json(Begun);
      const untilMs = clock.nowMs() + expires_in * 1000;

      return {
        url: verification_uri,
        code: user_code,
        expiresAt: new Date(untilMs),
        async finish(stopping) {
          await using http = httpClient({ platform: 'twitch', baseUrl: authUrl, clock });
          const form = { client_id: clientId, scopes, device_code, grant_type: GRANT };
          const issued = await confirmed(async () => {
            const response = await http.request({ method: 'POST', path: '/token', form, idempotent: true, signal: stopping });
            return response.json(Issued);
          }, stopping);
          const headers = { authorization: `OAuth ${issued.access_token}` };
          const {
            login,
            user_id,
            scopes: granted,
          } = (await http.request({ path: '/validate', headers, signal: stopping })).json(Validated);
          const tokens: StoredChannel = {
            accessToken: issued.access_token,
            refreshToken: issued.refresh_token,
            expiresAt: new Date(clock.nowMs() + issued.expires_in * 1000),
            scopes: granted ?? issued.scope ?? [],
            userId: user_id,
            login,
            clientId,
            authUrl,
          };
          return { tokens: { ...tokens, expiresAt: tokens.expiresAt.toISOString() }, scopes: tokens.scopes, who: login };
        },
      };

      /** Asks for the tokens until the person has confirmed, or the code has expired. */
      async function confirmed<T>(ask: () => Promise<T>, stopping: AbortSignal | undefined): Promise<T> {
        for (;;) {
          try {
            return await ask();
          } catch (error) {
            if (!(error instanceof PlatformError) || !PENDING.test(error.message)) throw error;
            if (clock.nowMs() > untilMs) throw expired(error);
          }
          await clock.sleep(interval * 1000, stopping);
        }
      }
    },
  };
}

function expired(cause: PlatformError): PlatformError {
  const message = 'twitch: the code has expired: sign in again, and enter the new code.';
  return new PlatformError(message, { platform: 'twitch', fault: 'rejected', cause });
}
