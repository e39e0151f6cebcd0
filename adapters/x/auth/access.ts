import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { AppToken } from '#src/http/app-token.ts';
import type { HttpClient } from '#src/http/client.ts';
import { ignoreFaults, isFault } from '#src/http/errors.ts';
import { urlOf } from '#src/http/request-parts.ts';
import { type Authorize, type Refused, RefusedRequest } from './authorize.ts';
import { oauth1Header, type OAuth1Keys } from './oauth1.ts';
import type { UserToken } from './user-token.ts';

/** A kind of credentials: two for a signed-in account, and one for the app alone. */
export type Way = 'oauth2' | 'oauth1' | 'app';

/** The kinds of credentials that endpoints accept. */
export const WAYS = {
  /** Public data. A signed-in account also sees its relations. */
  anybody: ['oauth2', 'oauth1', 'app'],
  user: ['oauth2', 'oauth1'],
  /** A few endpoints accept no signatures. */
  token: ['oauth2', 'app'],
  oauth2: ['oauth2'],
  app: ['app'],
} as const satisfies Record<string, readonly Way[]>;

/** The credentials of an account. */
export interface Access {
  /** Identifies the sign-in behind the first available way. It changes with every new sign-in, which may be of another user. */
  signIn(ways: readonly Way[]): Promise<string>;
  /**
   * Sends with the first available way. If X refuses the token, sends once more with a new token, and then as the app if the endpoint accepts
   * it. The error blames the sign-in only if X also refuses to name its account.
   */
  authorized<T>(request: AccessRequest, send: (authorize: Authorize, way: Way) => Promise<T>): Promise<T>;
}

interface AccessRequest {
  /** The accepted kinds of credentials. */
  readonly ways: readonly Way[];
  /** The path in the notation of X. */
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

interface AccessOptions {
  readonly user: UserToken | undefined;
  readonly keys: OAuth1Keys | undefined;
  readonly app: AppToken | undefined;
  /** Whether the API key and its secret get the token of the app. */
  readonly hasAppKeys: boolean;
  /** Whether X names the account of a sign-in; undefined if it does not answer. */
  readonly isAccepted: (authorize: Authorize, signal: AbortSignal | undefined) => Promise<boolean | undefined>;
  readonly account: string;
  readonly clock: Clock;
}

/** Advice on how to add one of these sign-ins. */
function curesOf(ways: readonly Way[], account: string): string {
  const cures: Readonly<Record<Way, string>> = {
    oauth2: `\`npx fanfare auth ${account}\``,
    oauth1:
      'the four keys of OAuth 1.0a (apiKey, apiSecret, accessToken and accessSecret; or X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET)',
    app: 'the token of the app (bearerToken, or X_BEARER_TOKEN)',
  };
  return ways.map((way) => cures[way]).join(' or ');
}

/** Creates the access of an account from its credentials. */
export function accessBy({ user, keys, app, hasAppKeys, isAccepted, account, clock }: AccessOptions): Access {
  async function find(ways: readonly Way[]): Promise<Way> {
    if (ways.includes('oauth2') && (await user?.isThere())) return 'oauth2';
    if (ways.includes('oauth1') && keys) return 'oauth1';
    if (ways.includes('app') && app) return 'app';
    const message = `x: the account ${account} cannot do this yet: it needs ${curesOf(ways, account)}.`;
    const isSignedIn = keys !== undefined || (await user?.isThere());
    throw new (isSignedIn ? RefusedRequest : PlatformError)(message, { platform: 'x', fault: 'unauthorized' });
  }

  return {
    async signIn(ways) {
      const way = await find(ways);
      return way === 'oauth2' && user ? `${way} ${await user.signIn()}` : way;
    },

    async authorized({ ways, path, signal }, send) {
      const way = await find(ways);
      const asApp = (token: string) => send(() => `Bearer ${token}`, 'app');
      if (way === 'app' && app) {
        return app.authorized(signal, asApp).catch(explain(hasAppKeys ? WRONG_KEYS : WRONG_TOKEN));
      }

      /** Sends as the app, or throws the error for a sign-in that X refused. */
      async function otherwise(refusal: PlatformError, { authorize, blame }: Refused): ReturnType<typeof asApp> {
        if (ways.includes('app') && app) {
          const sent = await ignoreFaults(
            app.authorized(signal, asApp).then((answer) => ({ answer })),
            'unauthorized',
          );
          if (sent) return sent.answer;
        }
        // A refusal of this read itself needs no second opinion.
        const accepted = path !== ME && (await isAccepted(authorize, signal));
        if (accepted === undefined) throw refusal;
        throw accepted ? notHere(account, refusal) : blame();
      }

      if (way === 'oauth2' && user) return user.authorized(signal, (token) => send(() => `Bearer ${token}`, way), otherwise);
      if (!keys) throw new Error(`x has no OAuth 1.0a keys for ${way}`);
      const authorize: Authorize = (request) => oauth1Header(request, { keys, clock });
      return send(authorize, way).catch((error: unknown) => {
        if (!isFault(error, 'unauthorized')) throw error;
        const blame = () =>
          rejected(
            'X rejects the signature: check the four keys of OAuth 1.0a, and the clock of this machine. The keys are in “Keys and tokens” of your app at https://console.x.com',
            {
              status: error.status,
              cause: error,
            },
          );
        return otherwise(error, { authorize, blame });
      });
    },
  };
}

const WRONG_KEYS = 'X rejects the API key and its secret: check apiKey and apiSecret, or X_API_KEY and X_API_SECRET';
const WRONG_TOKEN = 'X rejects the token of the app: check bearerToken, or X_BEARER_TOKEN';

/** The read that names the account of a sign-in. */
const ME = '/2/users/me';
/** How long the answer to it counts. */
const ACCEPTED_MS = 15 * 60_000;

/** Asks X for the account of a sign-in. An answer counts for a while. */
export function signInCheck({
  http,
  url,
  clock,
}: {
  readonly http: HttpClient;
  readonly url: string;
  readonly clock: Clock;
}): AccessOptions['isAccepted'] {
  let accepted: { readonly by: string; readonly untilMs: number } | undefined;
  return async (authorize, signal) => {
    const signed = { method: 'GET', url: urlOf(url, ME) };
    const bearer = authorize(signed);
    // A signature of OAuth 1.0a differs in each request.
    const by = bearer.startsWith('Bearer ') ? bearer : 'oauth1';
    if (accepted?.by === by && clock.nowMs() < accepted.untilMs) return true;
    try {
      await http.request({ path: ME, headers: () => ({ authorization: authorize(signed) }), budget: `user GET ${ME}`, signal });
      accepted = { by, untilMs: clock.nowMs() + ACCEPTED_MS };
      return true;
    } catch (error) {
      signal?.throwIfAborted();
      return isFault(error, 'unauthorized') ? false : undefined;
    }
  };
}

/** The error for a request that X refuses although it accepts the sign-in. */
function notHere(account: string, { message, status, cause }: PlatformError): PlatformError {
  const advice = `The sign-in of ${account} is valid, so the plan or the permissions of the app may not include this request.`;
  return new RefusedRequest(`${message} ${advice}`, { platform: 'x', fault: 'unauthorized', status, cause });
}

function rejected(what: string, { status, cause }: { readonly status: number | undefined; readonly cause?: unknown }): PlatformError {
  return new PlatformError(`x: ${what}.`, { platform: 'x', fault: 'unauthorized', status, cause });
}

function explain(what: string): (error: unknown) => never {
  return (error) => {
    if (!isFault(error, 'unauthorized')) throw error;
    throw rejected(what, { status: error.status, cause: error });
  };
}

/** The app-only token from the developer portal. */
export function fixedBearer(token: string): AppToken {
  return { authorized: (_signal, send) => send(token) };
}
