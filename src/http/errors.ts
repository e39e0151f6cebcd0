import { type Fault, PlatformError } from '#src/errors.ts';
import type { NoResponse, RawResponse } from './exchange.ts';
import { type Expectation, isForeign, isPage, meaningOfForeign } from './foreign-answers.ts';
import { parseJson } from './parse-json.ts';
import { explanationIn, withExplanation } from './explanation.ts';
import { faultOfAttempt } from './outcome.ts';
import { readRetryAt } from './rate-headers.ts';

/** Advice about a request without a response, by error code. */
const NETWORK_ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^ECONNREFUSED$/, 'the connection was refused; check the address, and whether the server runs.'],
  [/^ENOTFOUND$/, 'the host name cannot be found; check the network and the address.'],
  [/^EAI_AGAIN$/, 'the DNS lookup failed; check the network and the DNS of this machine.'],
  [/CONNECT_TIMEOUT|^ETIMEDOUT$/, 'the connection timed out; check the address, the network and its firewall.'],
  [/CERT_HAS_EXPIRED/, 'the certificate of the server has expired; its operator has to renew it. Also check the clock of this machine.'],
  [/CERT_NOT_YET_VALID/, 'the certificate of the server is not valid yet; check the clock of this machine.'],
  [/ALTNAME_INVALID/, 'the certificate of the server is for another name; check the address.'],
  [
    /SELF_SIGNED|UNABLE_TO_|CERT_UNTRUSTED|INVALID_CA/,
    'the certificate of the server is not trusted; check the address, or add the certificate with NODE_EXTRA_CA_CERTS if you trust it.',
  ],
  [/CERT_/, 'the certificate of the server is not valid.'],
  [/^(ERR_)?SSL_|^ERR_SSL|^EPROTO$|^ERR_TLS/, 'the server does not use TLS; check whether the address begins with http:// or https://.'],
  [/EXCEEDED_MAX_SIZE/, 'it is too large for a response of an API: check the address of the API.'],
];

/** Advice about a request that failed with this error code, if there is any. */
export function networkHint(code: string): string | undefined {
  return NETWORK_ADVICE.find(([pattern]) => pattern.test(code))?.[1];
}

/** A request, as errors describe it. */
export interface RequestInfo extends Expectation {
  readonly platform: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Whether a repeat is safe, whatever the outcome of the request. */
  readonly idempotent?: boolean | undefined;
  /** Whether a repeat makes another record. */
  readonly creates?: boolean | undefined;
  /** Whether a success is an XML document. */
  readonly answersInXml?: boolean | undefined;
}

/** The meaning of a failed response. */
export interface ErrorMeaning {
  readonly fault: Fault;
  /** Advice for the user; absent: the usual advice for the fault. */
  readonly advice?: string | undefined;
  /** The reason of the platform, for the code of the adapter. */
  readonly cause?: unknown;
  /** See `PlatformError.refusesAccount`. */
  readonly refusesAccount?: boolean | undefined;
}

/** Statuses about the connection or a proxy: 407, a timeout, a request to the wrong server, and one that came too early. */
const OF_CONNECTIONS: ReadonlySet<number> = new Set([407, 408, 421, 425]);

/** The usual meaning of a status; undefined for a success. */
export function faultOfStatus(status: number): Fault | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  if (status === 429) return 'rateLimited';
  if (status >= 500 || OF_CONNECTIONS.has(status)) return 'unavailable';
  return status >= 400 ? 'rejected' : 'malformed';
}

/** A server that is down can only guess when it is back, and all requests of the account wait until then. */
const LONGEST_OUTAGE_PAUSE_MS = 15 * 60_000;

/** When the platform accepts a repeat. A proxy does not know when the platform is back. */
function retryAtOf(
  request: RequestInfo,
  answer: RawResponse,
  { fault, nowMs }: { readonly fault: Fault; readonly nowMs: number },
): Date | undefined {
  if (fault === 'rateLimited') return readRetryAt(answer.headers, nowMs);
  if (fault !== 'unavailable' || isForeign(request, answer)) return undefined;
  const stated = readRetryAt(answer.headers, nowMs);
  return stated && new Date(Math.min(stated.getTime(), nowMs + LONGEST_OUTAGE_PAUSE_MS));
}

/** The error for a failed response. */
export function responseError(request: RequestInfo, answer: RawResponse, meant: Fault | ErrorMeaning, nowMs: number): PlatformError {
  const { status, headers } = answer;
  const meaningOfPlatform: ErrorMeaning = typeof meant === 'string' ? { fault: meant } : meant;
  const refusal: ErrorMeaning = meaningOfForeign(request, answer, meaningOfPlatform.fault) ?? meaningOfPlatform;
  const { fault: reported, cause, refusesAccount } = refusal;
  const retryAt = retryAtOf(request, answer, { fault: reported, nowMs });
  const advice = refusal.advice ?? adviceForResponse(request, { status, headers }, { fault: reported, retryAt });
  const fault = faultOfAttempt({ ...request, phase: 'answered', fault: reported });
  const doubt = fault === reported ? '' : ` ${MAY_BE_DONE}`;
  const explanation = refusal === meaningOfPlatform ? explanationIn(answer.text) : undefined;
  const message = `${describe(request)} was answered with ${status}: ${advice}${doubt}`;
  // If the adapter has its own advice, it knows the reason.
  return new PlatformError(refusal.advice === undefined ? withExplanation(message, explanation) : message, {
    platform: request.platform,
    fault,
    status,
    retryAt,
    explanation,
    cause,
    refusesAccount,
  });
}

/** The same failure in the words of an adapter, with the explanation of the platform. */
export function reworded(error: PlatformError, message: string, fault: Fault = error.fault): PlatformError {
  const { platform, status, retryAt, explanation } = error;
  return new PlatformError(withExplanation(message, explanation), { platform, fault, status, retryAt, cause: error });
}

/** The error for a request without a response. */
export function networkError(request: RequestInfo, { message, sent, garbled, cause }: NoResponse): PlatformError {
  const fault = faultOfAttempt({ ...request, phase: sent ? 'sent' : 'notSent', fault: garbled ? 'malformed' : 'unanswered' });
  const advice = fault === 'unanswered' ? (request.idempotent ? 'try again later.' : undefined) : networkHint(message);
  return new PlatformError(`${describe(request)}${atHost(request)} got no answer (${message}): ${advice ?? ADVICE[fault]}`, {
    platform: request.platform,
    fault,
    cause,
  });
}

/** The error for a response that cannot be read; `what` names the path in the data, never the value. */
export function contentError(request: RequestInfo, status: number, what: string): PlatformError {
  return new PlatformError(`${describe(request)}${atHost(request)} returned an unexpected response: ${what}`, {
    platform: request.platform,
    fault: 'malformed',
    status,
  });
}

/** The error for a success that no API sends, but a proxy does while the platform is down: a web page, or a text in answer to a write. */
export function pageError(request: RequestInfo, { status, text }: RawResponse): PlatformError | undefined {
  // Reads parse their answers anyway.
  const isText = request.refusesInJson && request.method !== 'GET' && text.trim() !== '' && parseJson(text) === undefined;
  const isExpected = request.answersInXml && text.trimStart().startsWith('<?xml');
  return (isPage(text) && !isExpected) || isText ? contentError(request, status, NO_JSON) : undefined;
}

/** Advice for a response whose platform gives no more than a status. */
function adviceForResponse(
  request: RequestInfo,
  { status, headers }: Pick<RawResponse, 'status' | 'headers'>,
  { fault, retryAt }: { readonly fault: Fault; readonly retryAt: Date | undefined },
): string {
  if (fault === 'rateLimited' && retryAt) return `too many requests; no request is accepted until ${retryAt.toISOString()}.`;
  const { location } = headers;
  if (status >= 300 && status < 400 && typeof location === 'string' && URL.canParse(location)) {
    return `it redirects to ${new URL(location).origin}; is that the address of the API, and not ${request.host ?? 'this'}?`;
  }
  if (status === 413) return 'the platform accepts no request of this size: use a smaller file or a shorter text.';
  if (status === 405) return `${ADVICE[fault].slice(0, -1)}, or ${request.host ?? 'this'} is not the address of the API.`;
  return ADVICE[fault];
}

/** The message for a response that is a web page or broken JSON. */
export const NO_JSON = 'it is not JSON: check the address of the API.';

/** Added to the message of a write whose outcome is open. */
const MAY_BE_DONE = 'It may have been done: Fanfare searches for it before it sends it again.';

const ADVICE: Readonly<Record<Fault, string>> = {
  unreachable: 'it was not sent; check the network and the address.',
  unanswered: 'the outcome is unknown.',
  unavailable: 'the platform is unavailable; try again later.',
  rateLimited: 'too many requests; try again later.',
  quotaExhausted: 'the quota of the account is used up: check its plan.',
  unauthorized: 'the credentials are not valid, or no longer valid: check them.',
  forbidden: 'the account does not have this permission: check the account and its credentials.',
  missing: 'it does not exist, or the account cannot see it.',
  rejected: 'the platform rejects the request: check its parameters.',
  duplicate: 'it already exists.',
  malformed: 'check the address of the API.',
};

/** The host, for errors that a wrong address may cause. */
function atHost({ host }: RequestInfo): string {
  return host === undefined ? '' : ` at ${host}`;
}

function describe({ platform, method, path }: RequestInfo): string {
  return `${platform}: ${method} ${path}`;
}

/** Awaits `work`; undefined if it fails with one of these faults. */
export async function ignoreFaults<T>(work: Promise<T>, ...faults: readonly Fault[]): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (isFault(error, ...faults)) return undefined;
    throw error;
  });
}

/** Whether an error is a `PlatformError` with one of these faults. */
export function isFault(error: unknown, ...faults: readonly Fault[]): error is PlatformError {
  return error instanceof PlatformError && faults.includes(error.fault);
}
