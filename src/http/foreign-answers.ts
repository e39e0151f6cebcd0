import type { Fault } from '#src/errors.ts';
import type { RawResponse } from './exchange.ts';
import { parseJson } from './parse-json.ts';

/** The form in which a platform refuses requests. */
export interface Expectation {
  /** Whether the platform refuses in JSON or with an empty body. A proxy sent any other body. */
  readonly refusesInJson?: boolean | undefined;
  /** Whether the platform refuses with web pages. Otherwise, a proxy sent a page. */
  readonly refusesInPages?: boolean | undefined;
  /** The host of the API, for example `api.example.org`. */
  readonly host?: string | undefined;
}

/** Faults that end a write, or that let Fanfare renew a token. A web page of a proxy proves none of them. */
const CONCLUSIONS: ReadonlySet<Fault> = new Set(['unauthorized', 'forbidden', 'missing', 'rejected', 'duplicate', 'quotaExhausted']);

/** Statuses that are often those of a proxy while the platform is down. */
const OFTEN_PASSING: ReadonlySet<number> = new Set([403, 404]);

/** Whether a proxy or firewall, which knows nothing about the platform, sent a failure instead of it. */
export function isForeign({ refusesInJson, refusesInPages }: Expectation, { status, headers, text }: RawResponse): boolean {
  // Some platforms refuse a token with a text.
  const isHtml = String(headers['content-type']).startsWith('text/html') && text.trim() !== '' && !isJson(text);
  if (isPage(text) || isHtml) return refusesInPages !== true;
  return refusesInJson === true && status !== 401 && text.trim() !== '' && !isJson(text);
}

/** The fault and the advice for a failure that a proxy or firewall sent instead of the platform; undefined: the platform may have sent it. */
export function meaningOfForeign(
  expectation: Expectation,
  answer: RawResponse,
  fault: Fault,
): { readonly fault: Fault; readonly advice: string } | undefined {
  if (!CONCLUSIONS.has(fault)) return undefined;
  const { refusesInJson, host = 'this' } = expectation;
  const { status, headers } = answer;
  // https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
  if (headers['cf-mitigated'] !== undefined) return { fault: 'unavailable', advice: CHALLENGED };
  if (!isForeign(expectation, answer)) return undefined;
  const passes = status >= 500 || (refusesInJson && OFTEN_PASSING.has(status));
  const advice = `the response does not come from the platform but from a proxy, or ${host} is not the address of the API; try again later.`;
  return { fault: passes ? 'unavailable' : 'malformed', advice };
}

const CHALLENGED =
  'Cloudflare, in front of it, lets only browsers through; try again later, or ask the operator of the server to allow this machine.';

/** Whether the text is HTML: no API sends it, but a proxy does while the platform is down. */
export function isPage(text: string): boolean {
  return text.trimStart().startsWith('<');
}

/** Whether the text is a JSON object or list: a bare number is also JSON. */
function isJson(text: string): boolean {
  return typeof parseJson(text) === 'object';
}
