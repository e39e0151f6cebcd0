import { type Clock, untilAborted } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { HttpClient } from '#src/http/client.ts';
import type { AccountTokens } from '#src/secrets/account-tokens.ts';
import { notSent } from '#src/http/outcome.ts';
import { isFault } from '#src/http/errors.ts';
import { isIssuedBy, isIssuedFor, Issued, StoredSignIn, toStored } from './stored-sign-in.ts';

/** The error that only a new sign-in cures. */
function signInAgain(
  account: string,
  what: string,
  { status, cause }: { readonly status?: number | undefined; readonly cause?: unknown } = {},
): PlatformError {
  const message = `x: ${what}: the account ${account} must sign in again, with \`fanfare auth ${account}\`.`;
  return new PlatformError(message, { platform: 'x', fault: 'unauthorized', status, cause });
}

interface RefreshOptions {
  /** The address of the API; the sign-in of another one is as good as none. */
  readonly url: string;
  readonly http: HttpClient;
  readonly clientId: string | undefined;
  /** Of an app that can keep a secret; other apps have none. */
  readonly clientSecret: string | undefined;
  readonly account: string;
  readonly clock: Clock;
}

/** Statuses for a wrong token or a wrong app; other statuses say nothing about the sign-in. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

/**
 * The sign-in that X gives in exchange for the refresh token, which is spent with it.
 *
 * Where no answer came it is asked once more: if X had made the exchange, the new tokens were lost with its answer and nothing is left to
 * lose, and a refusal, now or later, says so.
 */
async function refresh(before: StoredSignIn, options: RefreshOptions): Promise<StoredSignIn> {
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

async function exchange(
  refreshToken: string,
  before: StoredSignIn,
  { http, url, clientId, clientSecret, clock }: RefreshOptions,
): Promise<StoredSignIn> {
  const secret = clientId !== undefined && clientSecret !== undefined ? basic(clientId, clientSecret) : undefined;
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
function meaningOf(error: PlatformError, { account }: RefreshOptions, what = 'X did not renew the sign-in'): PlatformError {
  if (error.fault !== 'unavailable' && REFUSALS.has(error.status)) {
    const orApp = error.status === 401 ? ', or does not know its client id with this client secret' : '';
    return signInAgain(account, what + orApp, { status: error.status, cause: error });
  }
  // The sign-in may still be valid.
  return error.fault === 'unreachable' || error.fault === 'rateLimited' ? error : notSent(error);
}

/** HTTP's own way to say a name and a secret. */
export function basic(name: string, secret: string): string {
  const encoded = [name, secret].map(encodeURIComponent).join(':');
  return `Basic ${Buffer.from(encoded).toString('base64')}`;
}

/** A token is renewed when it has no more than this left. */
const SPARE_MS = 5 * 60_000;
/** A refusal is believed for so long. */
const REFUSED_MS = 15 * 60_000;

interface UserTokenOptions extends RefreshOptions {
  readonly tokens: AccountTokens;
}

/** The token of a signed-in account, renewed when it is needed. */
export interface UserToken {
  /** Whether somebody signed in. */
  isThere(): Promise<boolean>;
  /** The number of the sign-in: the next one once somebody signed in anew, and the same while its tokens are renewed here. */
  signIn(): Promise<number>;
  /** Sends with the token. If the platform refuses it, sends once more with a new token. */
  authorized<T>(signal: AbortSignal | undefined, send: (token: string) => Promise<T>): Promise<T>;
}

/** The token of the account, out of `tokens`. */
export function userToken(options: UserTokenOptions): UserToken {
  const { tokens, clientSecret, account, clock } = options;
  /** As it was last read or saved. */
  let signedIn: StoredSignIn | undefined;
  let signIns = 0;
  /** Given out, and not saved yet. */
  let unsaved: StoredSignIn | undefined;
  /** The refresh token that X, or something in front of it, refused a short while ago. */
  let refused: { readonly token: string | undefined; readonly error: unknown; readonly untilMs: number } | undefined;
  let renewing: Promise<StoredSignIn> | undefined;

  async function load(): Promise<StoredSignIn | undefined> {
    const stored = await tokens.load();
    if (stored === undefined) return undefined;
    const parsed = StoredSignIn.safeParse(stored);
    if (!parsed.success) throw signInAgain(account, 'What is kept of the sign-in cannot be read');
    return isIssuedBy(parsed.data, options) ? parsed.data : undefined;
  }

  /** What is kept by now; tokens that were not got here may be of another sign-in. */
  async function reload(): Promise<StoredSignIn | undefined> {
    const found = await load();
    if (found?.accessToken !== signedIn?.accessToken) signIns += 1;
    signedIn = found;
    return found;
  }

  /** Whether somebody signed in anew; what could not be saved is of the sign-in before then. */
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
    if (!found) throw signInAgain(account, 'Nobody signed in');
    if (isFresh(found) && found.accessToken !== bad) return found;
    if (refused && refused.token === found.refreshToken && clock.nowMs() < refused.untilMs) throw refused.error;
    const next = await refresh(found, options).catch((error: unknown) => {
      if (isFault(error, 'unauthorized')) refused = { token: found.refreshToken, error, untilMs: clock.nowMs() + REFUSED_MS };
      throw error;
    });
    // Kept before it is used: the one before it is spent.
    return save(next);
  }

  /** One exchange for all who wait. None of them aborts it: its answer would be lost, and the sign-in with it. */
  function renewed(bad: string | undefined, signal: AbortSignal | undefined): Promise<StoredSignIn> {
    renewing ??= tokens.alone(() => renew(bad)).finally(() => (renewing = undefined));
    renewing.catch(() => undefined);
    return untilAborted(renewing, signal);
  }

  /** A new sign-in counts at once, although the previous one may be valid for hours. */
  async function current(): Promise<StoredSignIn | undefined> {
    return (await areOthers()) || !signedIn ? reload() : signedIn;
  }

  /** Good for a while; a changed client secret has to prove right first, which X tells at a renewal. */
  function isFresh(stored: StoredSignIn): boolean {
    return stored.expiresAt.getTime() - clock.nowMs() > SPARE_MS && isIssuedFor(stored, clientSecret);
  }

  return {
    isThere: async () => (signedIn ?? unsaved ?? (await load())) !== undefined,

    async signIn() {
      await current();
      return signIns;
    },

    async authorized(signal, send) {
      signal?.throwIfAborted();
      const found = await current();
      const before = found && isFresh(found) ? found : await renewed(undefined, signal);
      try {
        return await send(before.accessToken);
      } catch (error) {
        if (!isFault(error, 'unauthorized')) throw error;
      }
      const after = await renewed(before.accessToken, signal);
      return send(after.accessToken).catch((error: unknown) => {
        throw isFault(error, 'unauthorized') ? signInAgain(account, 'X refuses a sign-in that was just renewed', error) : error;
      });
    },
  };
}
