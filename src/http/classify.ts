import { PlatformError, type Fault } from '#src/errors.ts';
import type { Answer, NoAnswer } from './exchange.ts';
import { readRetryAt } from './rate-headers.ts';

/** What a failure is about. */
export interface Asked {
  readonly platform: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/** What a status means; undefined for a success. */
export function faultOfStatus(status: number): Fault | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  if (status === 429) return 'rateLimited';
  if (status >= 500) return 'unavailable';
  return status >= 400 ? 'rejected' : 'malformed';
}

/** The error for an answer that is a failure. */
export function errorOfAnswer(asked: Asked, { status, headers }: Answer, fault: Fault, nowMs: number): PlatformError {
  const retryAt = fault === 'rateLimited' || fault === 'unavailable' ? readRetryAt(headers, nowMs) : undefined;
  return new PlatformError(`${say(asked)} was answered with ${status}: ${ADVICE[fault]}`, {
    platform: asked.platform,
    fault,
    status,
    retryAt,
  });
}

/** The error for a request without an answer. */
export function errorOfSilence(asked: Asked, { message, sent, garbled, cause }: NoAnswer): PlatformError {
  const fault = garbled ? 'malformed' : sent ? 'unanswered' : 'unreachable';
  return new PlatformError(`${say(asked)} got no answer (${message}): ${ADVICE[fault]}`, { platform: asked.platform, fault, cause });
}

/** The error for an answer that cannot be read; `what` names the place, never the value. */
export function errorOfContent(asked: Asked, status: number, what: string): PlatformError {
  return new PlatformError(`${say(asked)} was answered with something else than expected: ${what}`, {
    platform: asked.platform,
    fault: 'malformed',
    status,
  });
}

const ADVICE: Readonly<Record<Fault, string>> = {
  unreachable: 'it never left; check the network and the address.',
  unanswered: 'nobody knows what became of it.',
  unavailable: 'the platform is out of order; try again later.',
  rateLimited: 'too many requests; try again later.',
  quotaExhausted: 'the quota of the account is used up.',
  unauthorized: 'the credentials are not, or no longer, good.',
  forbidden: 'the account may not do this.',
  missing: 'there is no such thing.',
  rejected: 'the platform does not take it as it is.',
  duplicate: 'it was there already.',
  malformed: 'is this the address of the API?',
};

function say({ platform, method, path }: Asked): string {
  return `${platform}: ${method} ${path}`;
}
