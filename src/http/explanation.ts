import { STATUS_CODES } from 'node:http';
import { parseJson } from './parse-json.ts';

/** The keys under which APIs explain a refusal, best first. */
const KEYS = ['message', 'error_description', 'detail', 'error', 'errors', 'meta', 'msg', 'title'] as const;
const DEEPEST = 3;
const LONGEST = 300;
/** The first half of a character that a cut splits. */
const HALF = /\p{Surrogate}$/u;
/** Control characters and direction marks. */
const UNSEEN = /[\p{Cc}\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** Explanations that only repeat a status. */
const STATUSES: ReadonlySet<string> = new Set(Object.values(STATUS_CODES).map(normalized));

/** The explanation of a refusal in JSON, as foreign text on one line; undefined without one. */
export function explanationIn(text: string): string | undefined {
  const found = sentenceIn(parseJson(text), 0);
  return found === undefined ? undefined : oneLine(found);
}

/** Adds the explanation of the server to a message. */
export function withExplanation(message: string, explanation: string | undefined, label = 'The reason of the server'): string {
  return explanation === undefined ? message : `${message} ${label}: "${explanation}"`;
}

/** A foreign text on one line, not long, without characters that change the text around it; undefined if nothing is left. */
export function oneLine(text: string): string | undefined {
  const line = text.toWellFormed().replaceAll(/\s+/gu, ' ').replaceAll(UNSEEN, '').trim();
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST).replace(HALF, '').trimEnd()}…` : line;
  return short === '' ? undefined : short;
}

function sentenceIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return /\p{L}/u.test(value) && !STATUSES.has(normalized(value)) ? value : undefined;
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return undefined;
  const parts: Readonly<Record<string, unknown>> = Array.isArray(value) ? { message: value[0] } : { ...value };
  for (const key of KEYS) {
    const found = sentenceIn(parts[key], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function normalized(text: string | undefined): string {
  return (text ?? '').toLowerCase().replaceAll(/[^\p{L}]+/gu, '');
}
