import { z } from 'zod';
import { parseInstant } from './parse-instant.ts';

// Readers of the values in long lists. A schema for each value would take most of the time of a response.

/** An object of a response, by key. */
export type WireObject = Readonly<Record<string, unknown>>;

/** The value as an object; undefined for any other value. */
export function objectIn(wire: unknown): WireObject | undefined {
  return typeof wire === 'object' && wire !== null && !Array.isArray(wire) ? (wire as WireObject) : undefined; // an object has keys
}

/** The text; undefined for any other value. */
export function textIn(wire: unknown): string | undefined {
  return typeof wire === 'string' ? wire : undefined;
}

/** The text; undefined if it is empty, and for any other value. */
export function filledIn(wire: unknown): string | undefined {
  return typeof wire === 'string' && wire !== '' ? wire : undefined;
}

export function flagIn(wire: unknown): boolean | undefined {
  return typeof wire === 'boolean' ? wire : undefined;
}

/** The whole number from 0 on; undefined for any other value. */
export function countIn(wire: unknown): number | undefined {
  return typeof wire === 'number' && Number.isSafeInteger(wire) && wire >= 0 ? wire : undefined;
}

/** The instant as servers write it; undefined for any other value. */
export function instantIn(wire: unknown): Date | undefined {
  return typeof wire === 'string' ? parseInstant(wire) : undefined;
}

const NO_ROWS: readonly never[] = Object.freeze([]);

/** The rows that `read` can read. */
export function rowsIn<T>(wire: unknown, read: (row: unknown) => T | undefined): readonly T[] {
  if (!Array.isArray(wire)) return NO_ROWS;
  const rows: T[] = [];
  for (const row of wire as readonly unknown[]) {
    const found = read(row);
    if (found !== undefined) rows.push(found);
  }
  return rows;
}

/** The rows that `read` can read; undefined for any other value, and for a list without a readable row. */
export function listIn<T>(wire: unknown, read: (row: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(wire)) return undefined;
  const rows = rowsIn(wire, read);
  return rows.length === 0 && wire.length > 0 ? undefined : rows;
}

/** A row lacks a value that it needs. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly key: string;

  constructor(key: string) {
    super(`${key} is not as expected`);
    this.key = key;
  }
}

/** The value, which a row needs under this key. */
export function needed<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new Unreadable(key);
  return value;
}

/** Reads an object that a row needs under this key. */
export function neededObject<T>(wire: unknown, key: string, read: (row: WireObject) => T): T {
  try {
    return read(needed(objectIn(wire), ''));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new Unreadable(error.key === '' ? key : `${key}.${error.key}`);
  }
}

/** The schema of a row that `read` reads value by value. A row that lacks a needed value does not fit. */
export function rowOf<T>(read: (row: WireObject) => T): z.ZodType<T> {
  return z.transform((wire: unknown, context) => {
    try {
      return read(needed(objectIn(wire), ''));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const path = error.key === '' ? [] : error.key.split('.');
      context.addIssue({ code: 'invalid_type', expected: path.length === 0 ? 'object' : 'nonoptional', input: wire, path });
      return z.NEVER;
    }
  });
}
