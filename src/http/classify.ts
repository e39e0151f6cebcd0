import { PlatformError, type Fault } from '#src/errors.ts';
import type { Answer, NoAnswer } from './exchange.ts';
import { adviceInFront, type Expected } from './in-front.ts';
import { readRetryAt } from './rate-headers.ts';
import { adviceOfSilence } from './silence.ts';

/** What a failure is about. */
export interface Asked extends Expected {
  readonly platform: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Whether it may be asked again, whatever became of it. */
  readonly idempotent?: boolean | undefined;
}

/** What an answer means that is no success, and what its platform says beside. */
export interface Refusal {
  readonly fault: Fault;
  /** What to do about it, where that is more than what the fault says. */
  readonly advice?: string | undefined;
  /** What the platform gave as its reason. */
  readonly cause?: unknown;
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
export function errorOfAnswer(asked: Asked, answer: Answer, meant: Fault | Refusal, nowMs: number): PlatformError {
  const { status, headers } = answer;
  const inFront = adviceInFront(asked, answer);
  const own: Refusal = typeof meant === 'string' ? { fault: meant } : meant;
  const refusal: Refusal = inFront === undefined ? own : { fault: 'unavailable', advice: inFront };
  const { fault, cause } = refusal;
  const retryAt = fault === 'rateLimited' || fault === 'unavailable' ? readRetryAt(headers, nowMs) : undefined;
  const advice = refusal.advice ?? adviceOfAnswer(asked, { status, headers }, { fault, retryAt });
  return new PlatformError(`${say(asked)} was answered with ${status}: ${advice}`, {
    platform: asked.platform,
    fault,
    status,
    retryAt,
    cause,
  });
}

/** The error for a request without an answer. */
export function errorOfSilence(asked: Asked, { message, sent, garbled, cause }: NoAnswer): PlatformError {
  const fault = garbled ? 'malformed' : sent ? 'unanswered' : 'unreachable';
  const advice = fault === 'unanswered' ? (asked.idempotent ? 'try again later.' : undefined) : adviceOfSilence(message);
  return new PlatformError(`${say(asked)}${at(asked)} got no answer (${message}): ${advice ?? ADVICE[fault]}`, {
    platform: asked.platform,
    fault,
    cause,
  });
}

/** The error for an answer that cannot be read; `what` names the place, never the value. */
export function errorOfContent(asked: Asked, status: number, what: string): PlatformError {
  return new PlatformError(`${say(asked)}${at(asked)} was answered with something else than expected: ${what}`, {
    platform: asked.platform,
    fault: 'malformed',
    status,
  });
}

/** The error for a success that is a page: a proxy answers so while the platform is away, and no API does. */
export function errorOfPage(asked: Asked, { status, text }: Answer): PlatformError | undefined {
  return text.trimStart().startsWith('<') ? errorOfContent(asked, status, NO_JSON) : undefined;
}

/** What to do about an answer of which its platform says no more than its status. */
function adviceOfAnswer(
  asked: Asked,
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  { fault, retryAt }: { readonly fault: Fault; readonly retryAt: Date | undefined },
): string {
  if (fault === 'rateLimited' && retryAt) return `too many requests; nothing more is taken until ${retryAt.toISOString()}.`;
  const { location } = headers;
  if (status >= 300 && status < 400 && typeof location === 'string' && URL.canParse(location)) {
    return `it sends whoever asks to ${new URL(location).origin}; is that the address of the API, and not ${asked.host ?? 'this'}?`;
  }
  // A page is for people: an API says in other ways that there is nothing.
  const isPage = String(headers['content-type']).startsWith('text/html');
  if ((fault === 'missing' || fault === 'rejected') && (isPage || status === 405)) {
    return `${ADVICE[fault].slice(0, -1)}, or ${asked.host ?? 'this'} is not the address of the API.`;
  }
  return ADVICE[fault];
}

/** The fault of an answer that is a page or broken. */
export const NO_JSON = 'no JSON; is this the address of the API?';

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

/** Whom it was asked of, where that may be what is wrong. */
function at({ host }: Asked): string {
  return host === undefined ? '' : ` at ${host}`;
}

function say({ platform, method, path }: Asked): string {
  return `${platform}: ${method} ${path}`;
}
