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
/** A longer wait is an error of the server. */
const LONGEST_MS = 7 * DAY_MS;

/** The instant of the next allowed request: `Retry-After`, or the reset of a used-up budget. */
export function readRetryAt(headers: Headers, nowMs: number): Date | undefined {
  const after = readReset(headerOf(headers, 'retry-after'), nowMs);
  if (after !== undefined) return new Date(after);
  const resets = readRates(headers, nowMs)
    // A budget with requests left did not cause the refusal.
    .filter(({ remaining }) => remaining === undefined || remaining <= 0)
    .flatMap(({ resetAtMs }) => resetAtMs ?? []);
  return resets.length > 0 ? new Date(Math.max(...resets)) : undefined;
}

/** All budgets in the headers. */
export function readRates(headers: Headers, nowMs: number): readonly Rate[] {
  const separate = FAMILIES.map(({ family, limit, remaining, reset, resetAfter }) => ({
    family,
    limit: readCount(headerOf(headers, limit)),
    remaining: readCount(headerOf(headers, remaining)),
    resetAtMs: readReset(headerOf(headers, resetAfter) ?? headerOf(headers, reset), nowMs),
  }));
  const all = [...separate, ...readCombined(headers, nowMs)];
  return all.filter(({ remaining, resetAtMs }) => remaining !== undefined || resetAtMs !== undefined);
}

/** The one header of newer drafts: `limit=100, remaining=50, reset=30`, or `"name";r=50;t=30` for each window. */
function readCombined(headers: Headers, nowMs: number): readonly Rate[] {
  const text = headerOf(headers, 'ratelimit');
  if (text === undefined) return [];
  const windows = text.includes(';') ? text.split(',') : [text];
  return windows.map((window, index) => {
    const parts = new Map(window.split(/[;,]/u).map((part) => [part.split('=')[0]?.trim(), part.split('=')[1]]));
    return {
      family: `ratelimit ${index}`,
      limit: readCount(parts.get('limit')),
      remaining: readCount(parts.get('remaining') ?? parts.get('r')),
      resetAtMs: readReset(parts.get('reset') ?? parts.get('t'), nowMs),
    };
  });
}

function readCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number.parseInt(text, 10);
  return count >= 0 ? count : undefined;
}

/** Parses seconds from now, seconds or milliseconds since 1970, ISO 8601 or an HTTP date; undefined if it is past or too far away. */
function readReset(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const number = Number(text);
  const atMs = Number.isNaN(number) ? parseInstant(text)?.getTime() : fromNumber(number, nowMs);
  return atMs !== undefined && atMs >= nowMs && atMs <= nowMs + LONGEST_MS ? atMs : undefined;
}

function fromNumber(number: number, nowMs: number): number {
  if (number >= 1e12) return number;
  return number >= 1e9 ? number * 1000 : nowMs + number * 1000;
}

function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
