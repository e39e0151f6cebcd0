import { type Fault, PlatformError } from '#src/errors.ts';
import type { RawResponse } from '#src/http/exchange.ts';
import { PLATFORM } from './wire/parts.ts';

/** What a status means to these servers where it means something else than elsewhere. */
export function faultOf({ status }: RawResponse): Fault | undefined {
  // A route that the server does not have, or something that was there.
  if (status === 405 || status === 410) return 'missing';
  return status === 501 ? 'rejected' : undefined;
}

/** What was asked, by whom. */
interface FailedRequest {
  readonly account: string;
  readonly method?: string | undefined;
  readonly path: string;
  /** The scope that the token needs. */
  readonly scope?: string | undefined;
}

/** The same failure with what is to be done about it. */
export function explained(error: unknown, { method = 'GET', path, scope, account }: FailedRequest): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { fault, status, retryAt } = error;
  const reworded = (message: string): PlatformError =>
    new PlatformError(message, { platform: PLATFORM, fault, status, retryAt, cause: error });

  if (fault === 'unauthorized' && status !== undefined) {
    return reworded(
      `${PLATFORM}: the server does not take the token of ${account}: sign in again with \`fanfare auth ${account}\`, or give a new token.`,
    );
  }
  if (fault === 'forbidden') {
    const lacks = scope === undefined ? '' : `; or its token is not good for ${scope}: then sign in again with \`fanfare auth ${account}\``;
    const suspended = 'or the server has suspended it: log in there to see why';
    return reworded(`${PLATFORM}: ${method} ${path} was refused: ${account} may not do this${lacks}; ${suspended}.`);
  }
  return error;
}

/** Something that is not there. */
export function missing(what: string, cause?: unknown): PlatformError {
  return new PlatformError(`${PLATFORM} has no ${what}.`, { platform: PLATFORM, fault: 'missing', cause });
}

/** Something that the server, or we in its name, do not take. */
export function rejected(message: string, cause?: unknown): PlatformError {
  return new PlatformError(`${PLATFORM}: ${message}`, { platform: PLATFORM, fault: 'rejected', cause });
}

/** A server that still shows the effect after so many requests does not undo it. */
const MOST = 10;

/** Undoes something until `undo` answers that nothing of it is left. */
export async function untilUndone(undo: () => Promise<boolean>, otherwise: string): Promise<true> {
  for (let count = 0; count < MOST; count++) if (!(await undo())) return true;
  throw rejected(`${otherwise}: look there, and undo it by hand.`);
}
