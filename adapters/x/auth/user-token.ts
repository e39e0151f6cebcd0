import { type Clock, untilAborted } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { HttpClient } from '#src/http/client.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { notSent } from '#src/http/outcome.ts';
import { basicAuthorization } from '#src/http/request-parts.ts';
import { isFault } from '#src/http/errors.ts';
import type { Authorize, Refused } from './authorize.ts';
import { isIssuedBy, isIssuedFor, Issued, StoredSignIn, toStored } from './stored-sign-in.ts';

/** The error that only a new sign-in resolves. */
function signInAgain(
  account: string,
  what: string,
  { status, cause }: { readonly status?: number | undefined; readonly cause?: unknown } = {},
): PlatformError {
  const message = `x: ${what}: the account ${account} must sign in again, with \`npx fanfare auth ${account}\`.`;
  return new PlatformError(message, { platform: 'x', fault: 'unauthorized', status, cause });
}

interface RefreshOptions {
  /** The address of the API. Tokens of another API do not count. */
  readonly url: string;
  readonly http: HttpClient;
  readonly clientId: string | undefined;
  /** The client secret of a confidential app; public apps have none. */
  readonly clientSecret: string | undefined;
  readonly account: string;
  readonly clock: Clock;
}

/** Statuses for a wrong token or a wrong app. Other statuses do not concern the sign-in. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

/**
 * Exchanges the refresh token, which is valid once, for a new sign-in.
 *
 * If the response is lost, the exchange is repeated once. If X had completed the first exchange, the new tokens are lost anyway, and X
 * refuses the second one.
 */
async function refresh(before: StoredSignIn, options: RefreshOptions): Promise<StoredSignIn> {
  const { refreshToken } = before;
  if (refreshToken === undefined) throw signInAgain(options.account, 'The sign-in has expired, and X issued no refresh token');
  try {
    return await exchange(refreshToken, before, options);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.fault !== 'unanswered') throw meaningOf(error, options);
    return await exchange(refreshToken, before, options).catch((second: unknown) => {
      throw second instanceof PlatformError ? meaningOf(second, options, 'The response to the refresh of the sign-in was lost') : second;
    });
  }
}

async function exchange(
  refreshToken: string,
  before: StoredSignIn,
  { http, url, clientId, clientSecret, clock }: RefreshOptions,
): Promise<StoredSignIn> {
  const secret = clientId !== undefined && clientSecret !== undefined ? basicAuthorization(clientId, clientSecret) : undefined;
  const response = await http.request({
    method: 'POST',
    path: '/2/oauth2/token',
    form: { grant_type: 'refresh_token', refresh_token: refreshToken, ...(clientId !== undefined && { client_id: clientId }) },
    headers: secret === undefined ? {} : { authorization: secret },
    budget: 'sign-in',
  });
  return toStored(response.json(Issued), { url, clientId, clientSecret, nowMs: clock.nowMs(), before });
}

/** The error of a request that was not sent because the renewal failed. */
function meaningOf(error: PlatformError, { account }: RefreshOptions, what = 'X did not refresh the sign-in'): PlatformError {
  if (error.fault !== 'unavailable' && error.fault !== 'malformed' && REFUSALS.has(error.status)) {
    const orApp = error.status === 401 ? ', or rejects the client id and the client secret' : '';
    return signInAgain(account, what + orApp, { status: error.status, cause: error });
  }
  // The sign-in may still be valid.
  return error.fault === 'unreachable' || error.fault === 'rateLimited' ? error : notSent(error);
}

/** A token is renewed when it is valid for less than this. */
const SPARE_MS = 5 * 60_000;
/** A token that has expired for this long is renewed without a request that needs it: X forgets a refresh token after half a year. */
const UNUSED_MS = 30 * 86_400_000;
/** After a refusal, the same refresh token is not sent again for this time. */
const REFUSED_MS = 15 * 60_000;

interface UserTokenOptions extends RefreshOptions {
  readonly tokens: AccountTokens;
  /** Whether X names the account of a token; undefined if it does not answer. */
  readonly isAccepted: (authorize: Authorize, signal: AbortSignal | undefined) => Promise<boolean | undefined>;
}

/** Sends in another way, or throws the error for a token that X refused. */
type Otherwise<T> = (refusal: PlatformError, refused: Refused) => Promise<T>;

/** The token of a signed-in account, renewed when it is needed. */
export interface UserToken {
  /** Whether the account is signed in. */
  isThere(): Promise<boolean>;
  /** The number of the sign-in. It changes with a new sign-in, but not with a renewal here. */
  signIn(): Promise<number>;
  /** Sends with the token. If X refuses it, sends once more with a new token, unless a new token did not help before. */
  authorized<T>(signal: AbortSignal | undefined, send: (token: string) => Promise<T>, otherwise: Otherwise<T>): Promise<T>;
  /** Renews a token that was not used for a month. */
  keep(signal: AbortSignal | undefined): Promise<void>;
}

/** Creates the token of the account from its stored sign-in. */
export function userToken(options: UserTokenOptions): UserToken {
  const { tokens, clientSecret, account, clock, isAccepted } = options;
  /** The last loaded or saved sign-in. */
  let signedIn: StoredSignIn | undefined;
  let signIns = 0;
  /** Issued, but not saved yet. */
  let unsaved: StoredSignIn | undefined;
  /** The refresh token that X, or a proxy, refused recently. */
  let refused: { readonly token: string | undefined; readonly error: unknown; readonly untilMs: number } | undefined;
  /** The token that X refused in a request right after its renewal: another renewal would not help. */
  let refusedAgain: string | undefined;
  let renewing: Promise<StoredSignIn> | undefined;

  async function load(): Promise<StoredSignIn | undefined> {
    const stored = await tokens.load();
    if (stored === undefined) return undefined;
    const parsed = StoredSignIn.safeParse(stored);
    if (!parsed.success) throw signInAgain(account, 'The stored sign-in cannot be read');
    return isIssuedBy(parsed.data, options) ? parsed.data : undefined;
  }

  /** Loads the stored sign-in. Tokens that were not issued here may belong to a new sign-in. */
  async function reload(): Promise<StoredSignIn | undefined> {
    const found = await load();
    if (found?.accessToken !== signedIn?.accessToken) signIns += 1;
    signedIn = found;
    return found;
  }

  /** Whether there is a new sign-in. Unsaved tokens then belong to the previous one. */
  async function areOthers(): Promise<boolean> {
    const are = await tokens.areOthers();
    if (are) unsaved = undefined;
    return are;
  }

  async function save(stored: StoredSignIn): Promise<StoredSignIn> {
    unsaved = stored;
    await tokens.save({ ...stored, expiresAt: stored.expiresAt.toISOString() });
    unsaved = undefined;
    signedIn = stored;
    return stored;
  }

  /** A token other than `bad`, renewed here or by another process. */
  async function renew(bad: string | undefined): Promise<StoredSignIn> {
    // A new sign-in is not overwritten.
    if (unsaved && !(await areOthers())) return save(unsaved);
    const found = await reload();
    if (!found) throw signInAgain(account, 'No one is signed in');
    if (isFresh(found) && found.accessToken !== bad) return found;
    if (refused && refused.token === found.refreshToken && clock.nowMs() < refused.untilMs) throw refused.error;
    const next = await refresh(found, options).catch((error: unknown) => {
      if (isFault(error, 'unauthorized')) refused = { token: found.refreshToken, error, untilMs: clock.nowMs() + REFUSED_MS };
      throw error;
    });
    // Saved before its first use, because the previous refresh token is no longer valid.
    return save(next);
  }

  /** Shares one exchange between all callers. No caller aborts it, because the new tokens would be lost with the response. */
  function renewed(bad: string | undefined, signal: AbortSignal | undefined): Promise<StoredSignIn> {
    renewing ??= tokens.alone(() => renew(bad)).finally(() => (renewing = undefined));
    renewing.catch(() => undefined);
    return untilAborted(renewing, signal);
  }

  /** The stored sign-in. A new sign-in counts at once, although the previous tokens may be valid for hours. */
  async function current(): Promise<StoredSignIn | undefined> {
    return (await areOthers()) || !signedIn ? reload() : signedIn;
  }

  /** Whether the token is valid for a while. After a change of the client secret, a renewal must prove the new one first. */
  function isFresh(stored: StoredSignIn): boolean {
    return stored.expiresAt.getTime() - clock.nowMs() > SPARE_MS && isIssuedFor(stored, clientSecret);
  }

  return {
    isThere: async () => (signedIn ?? unsaved ?? (await load())) !== undefined,

    async signIn() {
      await current();
      return signIns;
    },

    async keep(signal) {
      const found = await current();
      if (found?.refreshToken !== undefined && clock.nowMs() - found.expiresAt.getTime() > UNUSED_MS) await renewed(undefined, signal);
    },

    async authorized(signal, send, otherwise) {
      signal?.throwIfAborted();
      const found = await current();
      const before = found && isFresh(found) ? found : await renewed(undefined, signal);
      const tried = await sendUnlessRefused(before.accessToken);
      if (!('refusal' in tried)) return tried.answer;
      const isUseless = before.accessToken === refusedAgain && (await isAccepted(bearerOf(before.accessToken), signal)) !== false;
      if (isUseless) return otherwise(tried.refusal, refusedBy(before.accessToken));
      const after = await renewed(before.accessToken, signal);
      const triedAgain = await sendUnlessRefused(after.accessToken);
      if (!('refusal' in triedAgain)) return triedAgain.answer;
      refusedAgain = after.accessToken;
      return otherwise(triedAgain.refusal, refusedBy(after.accessToken));

      async function sendUnlessRefused(token: string) {
        try {
          return { answer: await send(token) };
        } catch (error) {
          if (!isFault(error, 'unauthorized')) throw error;
          return { refusal: error };
        }
      }

      function refusedBy(token: string): Refused {
        return { authorize: bearerOf(token), blame: () => signInAgain(account, 'X rejects a sign-in that was just refreshed') };
      }
    },
  };
}

function bearerOf(token: string): Authorize {
  return () => `Bearer ${token}`;
}
