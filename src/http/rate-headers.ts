import { parseInstant } from './parse-instant.ts';

/** The headers of an answer, names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The remaining part of a budget, from response headers. */
export interface Rate {
  /** The family of headers that describe it; overlapping windows have different families. */
  readonly family: string;
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  readonly resetAtMs: number | undefined;
}

const FAMILIES = ['ratelimit', 'x-ratelimit', 'x-rate-limit', 'x-app-limit-24hour', 'x-user-limit-24hour'].map((family) => ({
  family,
  limit: `${family}-limit`,
  remaining: `${family}-remaining`,
  reset: `${family}-reset`,
  resetAfter: `${family}-reset-after`,
}));
const DAY_MS = 24 * 3600 * 1000;
/** `Date` has whole seconds, and a response takes time. The same reset would change with each response. */
const DATE_PRECISION_MS = 3000;
/** A longer wait is an error of the server. */
const LONGEST_MS = 7 * DAY_MS;

/** The instant of the next allowed request: `Retry-After`, or the reset of a used-up budget. */
export function readRetryAt(headers: Headers, nowMs: number): Date | undefined {
  const after = readReset(headerOf(headers, 'retry-after'), clocksOf(headers, nowMs));
  if (after !== undefined) return new Date(after);
  const resets = readRates(headers, nowMs)
    // A budget with requests left did not cause the refusal.
    .filter(({ remaining }) => remaining === undefined || remaining <= 0)
    .flatMap(({ resetAtMs }) => resetAtMs ?? []);
  return resets.length > 0 ? new Date(Math.max(...resets)) : undefined;
}

/** All budgets in the headers. */
export function readRates(headers: Headers, nowMs: number): readonly Rate[] {
  const clocks = clocksOf(headers, nowMs);
  const separate = FAMILIES.map(({ family, limit, remaining, reset, resetAfter }) => ({
    family,
    limit: readLimit(headerOf(headers, limit)),
    remaining: readCount(headerOf(headers, remaining)),
    resetAtMs: readReset(headerOf(headers, resetAfter) ?? headerOf(headers, reset), clocks),
  }));
  const all = [...separate, ...readCombined(headers, clocks)];
  return all.filter(({ remaining, resetAtMs }) => remaining !== undefined || resetAtMs !== undefined);
}

/** The one header of newer drafts: `limit=100, remaining=50, reset=30`, or `"name";r=50;t=30` for each window. */
function readCombined(headers: Headers, clocks: Clocks): readonly Rate[] {
  const text = headerOf(headers, 'ratelimit');
  if (text === undefined) return [];
  const windows = text.includes(';') ? text.split(',') : [text];
  return windows.map((window, index) => {
    const parts = new Map(window.split(/[;,]/u).map((part) => [part.split('=')[0]?.trim(), part.split('=')[1]]));
    return {
      family: `ratelimit ${index}`,
      limit: readLimit(parts.get('limit')),
      remaining: readCount(parts.get('remaining') ?? parts.get('r')),
      resetAtMs: readReset(parts.get('reset') ?? parts.get('t'), clocks),
    };
  });
}

/** A limit of zero is no limit: a request would wait for each next window, and never be sent. */
function readLimit(text: string | undefined): number | undefined {
  return readCount(text) || undefined;
}

function readCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number.parseInt(text, 10);
  return count >= 0 ? count : undefined;
}

/** The time of a response on two clocks, in milliseconds since 1970. */
interface Clocks {
  /** On the clock of this machine, which may be wrong. */
  readonly nowMs: number;
  /** On the clock of the server, if it states the time. */
  readonly serverMs: number;
}

function clocksOf(headers: Headers, nowMs: number): Clocks {
  return { nowMs, serverMs: serverTime(headers, nowMs) };
}

/** The time of a response on the clock of its server, in milliseconds since 1970; `nowMs` if the server does not state it, or if both are nearly the same. */
export function serverTime(headers: Headers, nowMs: number): number {
  const date = parseInstant(headerOf(headers, 'date') ?? '');
  // A cached response has an old date, and its age.
  const ageMs = (readCount(headerOf(headers, 'age')) ?? 0) * 1000;
  const serverMs = date ? date.getTime() + ageMs : nowMs;
  return Math.abs(serverMs - nowMs) < DATE_PRECISION_MS ? nowMs : serverMs;
}

/** Parses seconds from now, seconds or milliseconds since 1970, ISO 8601 or an HTTP date; undefined if it is past or too far away. */
function readReset(text: string | undefined, { nowMs, serverMs }: Clocks): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const number = Number(text);
  const atMs = Number.isNaN(number) ? parseInstant(text)?.getTime() : fromNumber(number, serverMs);
  if (atMs === undefined) return undefined;
  const waitMs = atMs - serverMs;
  return waitMs >= 0 && waitMs <= LONGEST_MS ? nowMs + waitMs : undefined;
}

function fromNumber(number: number, serverMs: number): number {
  if (number >= 1e12) return number;
  return number >= 1e9 ? number * 1000 : serverMs + number * 1000;
}

function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
