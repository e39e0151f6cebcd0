import { parseInstant } from './instant.ts';

/** The headers of an answer, names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What is left of a budget, as its owner says. */
export interface Rate {
  /** Which headers told of it: windows that overlap have their own. */
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
/** A wait longer than this is a mistake of the server's. */
const LONGEST_MS = 7 * DAY_MS;

/** When the server wants to be asked again: `Retry-After`, else the reset of a budget that is used up. */
export function readRetryAt(headers: Headers, nowMs: number): Date | undefined {
  const after = readReset(one(headers, 'retry-after'), nowMs);
  if (after !== undefined) return new Date(after);
  const resets = readRates(headers, nowMs)
    // What is left tells that it was not this budget that was used up.
    .filter(({ remaining }) => remaining === undefined || remaining <= 0)
    .flatMap(({ resetAtMs }) => resetAtMs ?? []);
  return resets.length > 0 ? new Date(Math.max(...resets)) : undefined;
}

/** All budgets that the headers tell of. */
export function readRates(headers: Headers, nowMs: number): readonly Rate[] {
  const told = FAMILIES.map(({ family, limit, remaining, reset, resetAfter }) => ({
    family,
    limit: readCount(one(headers, limit)),
    remaining: readCount(one(headers, remaining)),
    resetAtMs: readReset(one(headers, resetAfter) ?? one(headers, reset), nowMs),
  }));
  const all = [...told, ...readCombined(headers, nowMs)];
  return all.filter(({ remaining, resetAtMs }) => remaining !== undefined || resetAtMs !== undefined);
}

/** The one header of newer drafts: `limit=100, remaining=50, reset=30`, or `"name";r=50;t=30` for each window. */
function readCombined(headers: Headers, nowMs: number): readonly Rate[] {
  const text = one(headers, 'ratelimit');
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

/** Seconds from now, seconds or milliseconds since 1970, ISO 8601 or an HTTP date; undefined where it is past or absurd. */
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

function one(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
