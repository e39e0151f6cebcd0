import { z } from 'zod';
import { PlatformError } from '#src/errors.ts';
import type { HttpClient } from '#src/http/client.ts';
import { coalesce } from '#src/http/coalesce.ts';
import type { Log } from '#src/log.ts';
import { basic } from './refresh.ts';

const Issued = z.object({ access_token: z.string().min(1) });

/** An app's own token: it reads what everybody may read. */
export interface AppBearer {
  authorized<T>(signal: AbortSignal | undefined, send: (token: string) => Promise<T>): Promise<T>;
}

/** The token that the developer portal shows. */
export function fixedBearer(token: string): AppBearer {
  return { authorized: (_signal, send) => send(token) };
}

export interface IssuedBearerOptions {
  readonly http: HttpClient;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Learns what no line may say. */
  readonly log: Pick<Log, 'conceal'> | undefined;
}

/** The token that X gives for the key and the secret of the app; it holds until somebody revokes it. */
export function issuedBearer({ http, apiKey, apiSecret, log }: IssuedBearerOptions): AppBearer {
  let held: string | undefined;

  const current = coalesce(async (signal) => {
    if (held !== undefined) return held;
    const response = await http.request({
      method: 'POST',
      path: '/oauth2/token',
      form: { grant_type: 'client_credentials' },
      headers: { authorization: basic(apiKey, apiSecret) },
      idempotent: true,
      budget: 'sign-in',
      signal,
    });
    held = response.json(Issued).access_token;
    log?.conceal('x, app', [held]);
    return held;
  });

  return {
    async authorized(signal, send) {
      const token = await current(signal);
      try {
        return await send(token);
      } catch (error) {
        if (!(error instanceof PlatformError) || error.fault !== 'unauthorized') throw error;
        if (held === token) held = undefined;
        return send(await current(signal));
      }
    },
  };
}
