import { type Fault, PlatformError } from '#src/errors.ts';
import type { ErrorMeaning } from '#src/http/errors.ts';
import type { RawResponse } from '#src/http/exchange.ts';
import { PLATFORM } from './wire/parts.ts';

/** The message for an account that is suspended, not confirmed or not approved. */
const ACCOUNT_REFUSED = /Your login is /u;

/** The fault of a status that has a special meaning on these servers. */
export function faultOf({ status, text }: RawResponse): Fault | ErrorMeaning | undefined {
  if (status === 403 && ACCOUNT_REFUSED.test(text)) return { fault: 'forbidden', refusesAccount: true };
  // 405: the server does not have the route. 410: the record was deleted.
  if (status === 405 || status === 410) return 'missing';
  return status === 501 ? 'rejected' : undefined;
}

/** A failed request of an account. */
interface FailedRequest {
  readonly account: string;
  readonly method?: string | undefined;
  readonly path: string;
  /** The scope that the token needs. */
  readonly scope?: string | undefined;
}

/** The error with advice for the user. */
export function explained(error: unknown, { method = 'GET', path, scope, account }: FailedRequest): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { fault, status, retryAt } = error;
  const reworded = (message: string): PlatformError =>
    new PlatformError(message, { platform: PLATFORM, fault, status, retryAt, cause: error });

  if (fault === 'unauthorized' && status !== undefined) {
    return reworded(
      `${PLATFORM}: the server rejects the token of ${account}: sign in again with \`fanfare auth ${account}\`, or set a new token.`,
    );
  }
  if (fault === 'forbidden') {
    const lacks =
      scope === undefined ? '' : ` If its token does not have the scope ${scope}, sign in again with \`fanfare auth ${account}\`.`;
    const suspended = ' If the server has suspended the account, log in there to see the reason.';
    return reworded(`${PLATFORM}: the server does not allow ${method} ${path} for ${account}.${lacks}${suspended}`);
  }
  return error;
}

/** The error for a record that does not exist. */
export function missing(what: string, cause?: unknown): PlatformError {
  return new PlatformError(`${PLATFORM} has no ${what}.`, { platform: PLATFORM, fault: 'missing', cause });
}

/** The error for a request that the server refuses, or would refuse. */
export function rejected(message: string, cause?: unknown): PlatformError {
  return new PlatformError(`${PLATFORM}: ${message}`, { platform: PLATFORM, fault: 'rejected', cause });
}

/** A server that still shows the effect after this many requests does not undo it. */
const MOST = 10;

/** Calls `undo` until it resolves with false, because nothing is left to undo. */
export async function untilUndone(undo: () => Promise<boolean>, otherwise: string): Promise<true> {
  for (let count = 0; count < MOST; count++) if (!(await undo())) return true;
  throw rejected(`${otherwise}: look there, and undo it by hand.`);
}
