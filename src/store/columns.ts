import type { Explained } from '#src/rules/reasons/reason.ts';
import type { Flag } from './delivery-tables.ts';

/** The JSON of a column; null for an absent value. */
export function toText(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** The escapes of a NUL character and of a lone surrogate, which PostgreSQL does not convert to text. No stored key has either. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/u;

/** The JSON of a list of texts that the database reads. */
export function textsToJson(texts: readonly string[]): string {
  const json = JSON.stringify(texts);
  return UNSTORABLE.test(json) ? JSON.stringify(texts.map((text) => text.toWellFormed().replaceAll('\0', '\uFFFD'))) : json;
}

/** Reads JSON that `toText` wrote. */
export function fromText<T>(text: string): T {
  return JSON.parse(text) as T; // the column keeps nothing but what toText made of a T
}

/** Reads JSON that `toText` wrote, if there is any. */
export function fromOptionalText<T>(text: string | null): T | undefined {
  return text === null ? undefined : fromText<T>(text);
}

/** The columns of a reason and its message. */
export function reasonColumns({ message, reason }: Explained<unknown>): { readonly message: string; readonly reason: string | null } {
  return { message, reason: toText(reason) };
}

export function toMs(date: Date | undefined): number | null {
  return date?.getTime() ?? null;
}

export function toDate(ms: number | null): Date | undefined {
  return ms === null ? undefined : new Date(ms);
}

export function toFlag(value: boolean): Flag {
  return value ? 1 : 0;
}

/** The number of rows in one statement. Any database accepts that many values. */
const CHUNK = 100;

/** Splits rows into parts of one statement each. */
export function* chunks<T>(rows: readonly T[], size = CHUNK): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}
