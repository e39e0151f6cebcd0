import { PlatformError, type Fault } from '#src/errors.ts';

/** How far a request came: it was never sent, it was sent without a response, or it has a response. */
export type Phase = 'notSent' | 'sent' | 'answered';

/** A request, as far as its outcome depends on it. */
export interface Attempt {
  readonly method: string;
  readonly phase: Phase;
  /** Whether a repeat makes another record, because the platform does not deduplicate the request. */
  readonly creates?: boolean | undefined;
  /** The fault that the response, or its absence, stands for. */
  readonly fault: Fault;
}

/** Faults after which the platform may have carried out a request. */
const OPEN: ReadonlySet<Fault> = new Set(['unanswered', 'unavailable', 'malformed']);

/**
 * The fault to report for a failed request.
 *
 * A server that fails may have created a record before. Such a request is `unanswered`: Fanfare searches for the record before it repeats the request.
 */
export function faultOfAttempt({ method, phase, creates = false, fault }: Attempt): Fault {
  if (phase === 'notSent') return 'unreachable';
  const isCreated = method !== 'GET' && creates;
  return isCreated && fault === 'unavailable' ? 'unanswered' : fault;
}

/** Whether the platform may have carried out the request that failed with this error. */
export function mayHaveHappened(error: unknown): boolean {
  return !(error instanceof PlatformError) || OPEN.has(error.fault);
}

/** Waits for what a request needs, for example its token. If that fails, the error says that the request itself was not sent. */
export async function beforeWrite<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof PlatformError && !error.part && mayHaveHappened(error) ? notSent(error) : error;
  }
}

/** The error for a request that was not sent because another request failed. */
export function notSent({ message, platform, status, retryAt, cause }: PlatformError): PlatformError {
  return new PlatformError(`${message} The request that needs it was not sent.`, {
    platform,
    fault: 'unreachable',
    status,
    retryAt,
    cause,
  });
}

const NO_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS.*|ERR_SSL.*|CERT_.*|.*SELF_SIGNED.*|UNABLE_TO_.*)$/;

/** Whether a request that failed with `error` was never sent, because there was no connection. */
export function isNotSent(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && NO_CONNECTION.test(error.code);
}
