import { PlatformError, type Fault } from '#src/errors.ts';
import type { Answer } from '#src/http/exchange.ts';
import { PLATFORM } from './wire/parts.ts';

/** What a status means to these servers where it means something else than elsewhere. */
export function faultOf({ status }: Answer): Fault | undefined {
  // A route that the server does not have, or something that was there.
  if (status === 405 || status === 410) return 'missing';
  return status === 501 ? 'rejected' : undefined;
}

/** What was asked, by whom. */
export interface Asked {
  readonly account: string;
  readonly method?: string | undefined;
  readonly path: string;
  /** What the token has to be good for. */
  readonly scope?: string | undefined;
  /** Whether a repeat makes another one. */
  readonly creates?: boolean | undefined;
}

/** The same failure with what is to be done about it. */
export function explained(error: unknown, { method = 'GET', path, scope, creates, account }: Asked): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { fault, status, retryAt } = error;
  const again = (message: string, as: Fault = fault): PlatformError =>
    new PlatformError(message, { platform: PLATFORM, fault: as, status, retryAt, cause: error });

  // A server that breaks down, or one in front of it, may have posted before.
  if (creates && fault === 'unavailable') return again(`${error.message} It may have been done all the same.`, 'unanswered');
  if (fault === 'unauthorized' && status !== undefined) {
    return again(
      `${PLATFORM}: the server does not take the token of ${account}: sign in again with \`fanfare auth ${account}\`, or give a new token.`,
    );
  }
  if (fault === 'forbidden') {
    const lacks = scope === undefined ? '' : `; or its token is not good for ${scope}: then sign in again with \`fanfare auth ${account}\``;
    const suspended = 'or the server has suspended it: log in there to see why';
    return again(`${PLATFORM}: ${method} ${path} was refused: ${account} may not do this${lacks}; ${suspended}.`);
  }
  return error;
}

/** Whether an error is a platform's, of one of these faults. */
export function isFault(error: unknown, ...faults: readonly Fault[]): error is PlatformError {
  return error instanceof PlatformError && faults.includes(error.fault);
}

/** Something that is not there. */
export function missing(what: string, cause?: unknown): PlatformError {
  return new PlatformError(`${PLATFORM} has no ${what}.`, { platform: PLATFORM, fault: 'missing', cause });
}

/** Something that the server, or we in its name, do not take. */
export function rejected(message: string, cause?: unknown): PlatformError {
  return new PlatformError(`${PLATFORM}: ${message}`, { platform: PLATFORM, fault: 'rejected', cause });
}
