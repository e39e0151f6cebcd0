import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { AppToken } from '#src/http/app-token.ts';
import { isFault } from '#src/http/errors.ts';
import { oauth1Header, type OAuth1Keys, type Signed } from './oauth1.ts';
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

/** The `Authorization` header of a request. */
type Authorize = (request: Signed) => string;

/** The credentials of an account. */
export interface Access {
  /** Identifies the sign-in behind the first available way. It changes with every new sign-in, which may be of another user. */
  signIn(ways: readonly Way[]): Promise<string>;
  /** Sends with the first available way. If X refuses the token, sends once more with a new token. */
  authorized<T>(ways: readonly Way[], signal: AbortSignal | undefined, send: (authorize: Authorize, way: Way) => Promise<T>): Promise<T>;
}

interface AccessOptions {
  readonly user: UserToken | undefined;
  readonly keys: OAuth1Keys | undefined;
  readonly app: AppToken | undefined;
  readonly account: string;
  readonly clock: Clock;
}

/** Advice on how to add one of these sign-ins. */
function curesOf(ways: readonly Way[], account: string): string {
  const cures: Readonly<Record<Way, string>> = {
    oauth2: `\`fanfare auth ${account}\``,
    oauth1: 'the four keys of OAuth 1.0a (X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN, X_ACCESS_SECRET)',
    app: 'X_BEARER_TOKEN',
  };
  return ways.map((way) => cures[way]).join(' or ');
}

/** Creates the access of an account from its credentials. */
export function accessBy({ user, keys, app, account, clock }: AccessOptions): Access {
  async function find(ways: readonly Way[]): Promise<Way> {
    if (ways.includes('oauth2') && (await user?.isThere())) return 'oauth2';
    if (ways.includes('oauth1') && keys) return 'oauth1';
    if (ways.includes('app') && app) return 'app';
    const message = `x: the account ${account} cannot do this yet: it needs ${curesOf(ways, account)}.`;
    throw new PlatformError(message, { platform: 'x', fault: 'unauthorized' });
  }

  return {
    async signIn(ways) {
      const way = await find(ways);
      return way === 'oauth2' && user ? `${way} ${await user.signIn()}` : way;
    },

    async authorized(ways, signal, send) {
      const way = await find(ways);
      const bearer = (token: string) => send(() => `Bearer ${token}`, way);
      if (way === 'oauth2' && user) return user.authorized(signal, bearer);
      if (way === 'app' && app)
        return app.authorized(signal, bearer).catch(explain('X rejects the token of the app: check X_BEARER_TOKEN'));
      if (!keys) throw new Error(`x has no OAuth 1.0a keys for ${way}`);
      const sign: Authorize = (request) => oauth1Header(request, { keys, clock });
      return send(sign, way).catch(explain('X rejects the signature: check the four keys of OAuth 1.0a, and the clock of this machine'));
    },
  };
}

function explain(what: string): (error: unknown) => never {
  return (error) => {
    if (!isFault(error, 'unauthorized')) throw error;
    throw new PlatformError(`x: ${what}.`, { platform: 'x', fault: 'unauthorized', status: error.status, cause: error });
  };
}

/** The app-only token from the developer portal. */
export function fixedBearer(token: string): AppToken {
  return { authorized: (_signal, send) => send(token) };
}
