import { Optional } from '@marcbachmann/cel-js';
import type { Json } from '#src/clients/operation/json.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import { ExpressionError } from '../expression-error.ts';
import { withoutPlaceholders } from './author-text.ts';
import { FilledRecord } from './record-readers.ts';

/** Converts a result to JSON; undefined if it is absent. Throws an `ExpressionError` if it is nested more deeply than the stack allows. */
export function toJson(value: unknown): Json | undefined {
  try {
    return jsonOf(value);
  } catch (error) {
    if (error instanceof RangeError) throw new ExpressionError('the value is nested too deeply', { at: 0 });
    throw error;
  }
}

function jsonOf(value: unknown): Json | undefined {
  if (value instanceof Optional) return jsonOf(value.orValue(undefined));
  if (value instanceof FilledRecord) return withCleanTexts(FilledRecord.storedOf(value));
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return wholeToJson(value);
  if (Array.isArray(value)) return value.map((one) => jsonOf(one) ?? null);
  if (isDuration(value)) return formatDuration(Number(value.getMilliseconds()));
  if (typeof value === 'object' && value !== null) return entriesToJson(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** A stored record without placeholders in its texts. */
function withCleanTexts(stored: Json): Json {
  if (typeof stored === 'string') return withoutPlaceholders(stored);
  if (typeof stored !== 'object' || stored === null) return stored;
  if (Array.isArray(stored)) return stored.map(withCleanTexts);
  return Object.fromEntries(Object.entries(stored).map(([key, one]: [string, Json | undefined]) => [key, one && withCleanTexts(one)]));
}

/** Whether the value is absent or has no text, elements or fields. */
export function isEmpty(value: unknown): boolean {
  const json = toJson(value);
  if (typeof json === 'object' && json !== null) return Object.keys(json).length === 0;
  return json === undefined || json === null || json === '';
}

/** A duration of the CEL library, which does not export the class. */
export interface CelDuration {
  getMilliseconds(): bigint;
}

/** Whether a value is a duration of the library. */
export function isDuration(value: unknown): value is CelDuration {
  return typeof value === 'object' && value !== null && 'getMilliseconds' in value && !(value instanceof Date);
}

/** A number if it is exact, else its digits as text. */
function wholeToJson(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function entriesToJson(value: object): Json {
  const entries: readonly (readonly [unknown, unknown])[] = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, one]) => [String(key), jsonOf(one)]));
}
