import { Optional } from '@marcbachmann/cel-js';
import type { Json } from '#src/operation/json.ts';
import { durationText } from '../../wording/duration-text.ts';
import { withoutStandIns } from './own-text.ts';
import { FilledRecord } from './record-readers.ts';

/** What an expression came to, as it can be written down; undefined where it came to nothing. */
export function toJson(value: unknown): Json | undefined {
  if (value instanceof Optional) return toJson(value.orValue(undefined));
  if (value instanceof FilledRecord) return withCleanTexts(FilledRecord.storedOf(value));
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return wholeToJson(value);
  if (Array.isArray(value)) return value.map((one) => toJson(one) ?? null);
  if (isDuration(value)) return durationText(Number(value.getMilliseconds()));
  if (typeof value === 'object' && value !== null) return entriesToJson(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** A record as stored, with its texts as expressions see them. */
function withCleanTexts(stored: Json): Json {
  if (typeof stored === 'string') return withoutStandIns(stored);
  if (typeof stored !== 'object' || stored === null) return stored;
  if (Array.isArray(stored)) return stored.map(withCleanTexts);
  return Object.fromEntries(Object.entries(stored).map(([key, one]: [string, Json | undefined]) => [key, one && withCleanTexts(one)]));
}

/** Whether there is nothing in it: no text, no elements, no fields, no number. */
export function isEmpty(value: unknown): boolean {
  const json = toJson(value);
  if (typeof json === 'object' && json !== null) return Object.keys(json).length === 0;
  return json === undefined || json === null || json === '';
}

/** A length of time as the library has it; the class itself is not exported. */
export interface CelDuration {
  getMilliseconds(): bigint;
}

function isDuration(value: unknown): value is CelDuration {
  return typeof value === 'object' && value !== null && 'getMilliseconds' in value && !(value instanceof Date);
}

/** A number where it keeps all its digits, else its digits. */
function wholeToJson(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function entriesToJson(value: object): Json {
  const entries: readonly (readonly [unknown, unknown])[] = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, one]) => [String(key), toJson(one)]));
}
