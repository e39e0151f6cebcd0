import { PlatformError } from '#src/errors.ts';
import type { Clock } from '#src/clock.ts';
import type { HttpClient } from '#src/http/client.ts';
import { neverSent } from '../before-sending.ts';
import { Issued, toKept, type Kept } from './kept.ts';
import { signInAgain } from './sign-in-again.ts';

export interface RefreshOptions {
  /** The address of the API; the sign-in of another one is as good as none. */
  readonly url: string;
  readonly http: HttpClient;
  readonly clientId: string | undefined;
  /** Of an app that can keep a secret; other apps have none. */
  readonly clientSecret: string | undefined;
  readonly account: string;
  readonly clock: Clock;
}

/** What an OAuth server answers a wrong token with, or a wrong app; anything else says nothing of the sign-in. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

/**
 * The sign-in that X gives in exchange for the refresh token, which is spent with it.
 *
 * Where no answer came it is asked once more: if X had made the exchange, the new tokens were lost with its answer and nothing is left to
 * lose, and a refusal, now or later, says so.
 */
export async function refresh(before: Kept, options: RefreshOptions): Promise<Kept> {
  const { refreshToken } = before;
  if (refreshToken === undefined) throw signInAgain(options.account, 'The sign-in is over, and X gave nothing to renew it with');
  try {
    return await exchange(refreshToken, before, options);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.fault !== 'unanswered') throw meaningOf(error, options);
    return await exchange(refreshToken, before, options).catch((second: unknown) => {
      throw second instanceof PlatformError ? meaningOf(second, options, 'The answer to the renewal of the sign-in was lost') : second;
    });
  }
}

async function exchange(refreshToken: string, before: Kept, { http, url, clientId, clientSecret, clock }: RefreshOptions): Promise<Kept> {
  const secret = clientId !== undefined && clientSecret !== undefined ? basic(clientId, clientSecret) : undefined;
  const response = await http.request({
    method: 'POST',
    path: '/2/oauth2/token',
    form: { grant_type: 'refresh_token', refresh_token: refreshToken, ...(clientId !== undefined && { client_id: clientId }) },
    headers: secret === undefined ? {} : { authorization: secret },
    budget: 'sign-in',
  });
  return toKept(response.json(Issued), { url, clientId, clientSecret, nowMs: clock.nowMs(), before });
}

/** What a failed renewal means to a request that waits for it, and was not sent. */
function meaningOf(error: PlatformError, { account }: RefreshOptions, what = 'X did not renew the sign-in'): PlatformError {
  if (error.fault !== 'unavailable' && REFUSALS.has(error.status)) {
    const orApp = error.status === 401 ? ', or does not know its client id with this client secret' : '';
    return signInAgain(account, what + orApp, { status: error.status, cause: error });
  }
  // As far as anybody knows the sign-in is as good as before.
  return error.fault === 'unreachable' || error.fault === 'rateLimited' ? error : neverSent(error);
}

/** HTTP's own way to say a name and a secret. */
export function basic(name: string, secret: string): string {
  const encoded = [name, secret].map(encodeURIComponent).join(':');
  return `Basic ${Buffer.from(encoded).toString('base64')}`;
}
