import type { Because } from '#src/rules/reasons/because.ts';
import type { Flag } from './tables.ts';

/** JSON as a column keeps it; null where the value is absent. */
export function toText(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** What `toText` wrote. */
export function fromText<T>(text: string): T {
  return JSON.parse(text) as T; // the column keeps nothing but what toText made of a T
}

/** What `toText` wrote where there was something. */
export function fromOptionalText<T>(text: string | null): T | undefined {
  return text === null ? undefined : fromText<T>(text);
}

/** A reason as a sentence, and as what says it in other languages. */
export function becauseColumns({ reason, why }: Because<unknown>): { readonly reason: string; readonly why: string | null } {
  return { reason, why: toText(why) };
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
