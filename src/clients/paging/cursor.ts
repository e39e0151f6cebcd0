import { hash } from 'node:crypto';
import { z } from 'zod';
import { CursorError } from '#src/errors.ts';

/** The length of a short hash. */
const SHORT_HASH = 8;

/** A hash of 48 bits for an id or a cursor. The hashes of a page fit into a cursor. */
export function shortHash(text: string): string {
  return digest(text, SHORT_HASH);
}

/** The first characters of the SHA-256 of a text. */
function digest(text: string, length: number): string {
  return hash('sha256', text, 'base64url').slice(0, length);
}

/** The ids of the page before. */
export interface Before {
  has(id: string): boolean;
  /** Their short hashes, for a cursor. */
  hashes(): readonly string[];
}

/** The ids before the first page. */
const nothingBefore: Before = { has: () => false, hashes: () => [] };

/** The ids of a page. They are hashed when a cursor needs them, and the page's records are not kept. */
export function beforeOf(ids: readonly string[]): Before {
  let known: ReadonlySet<string> | undefined;
  return { has: (id) => (known ??= new Set(ids)).has(id), hashes: () => ids.map(shortHash) };
}

/** The ids from the hashes of a cursor. */
function beforeFrom(hashes: readonly string[]): Before {
  const known = new Set(hashes);
  return { has: (id) => known.has(shortHash(id)), hashes: () => hashes };
}

const VERSION = 1;
const CHECKSUM_LENGTH = 6;

/** The call that a cursor belongs to. Other calls refuse it. */
export interface CursorScope {
  readonly operation: string;
  readonly platform: string;
  readonly account: string;
  /** The arguments of the call, without pages, waitTime and cursor. */
  readonly args: unknown;
}

/** A position between two pages. */
export interface Place {
  /** The platform's cursor; absent at the start. */
  readonly upstream: string | undefined;
  readonly before: Before;
  /** The number of empty pages in a row before this position. */
  readonly empties: number;
  /** Short hashes of the latest upstream cursors, this position included. */
  readonly met: readonly string[];
}

export const START: Place = { upstream: undefined, before: nothingBefore, empties: 0, met: [] };

/** Creates the opaque cursor of a position. */
export function toCursor(scope: CursorScope, { upstream, before, empties, met }: Place): string {
  const content = { v: VERSION, s: scopeHash(scope), up: upstream, b: before.hashes().join(''), e: empties, m: met.join('') };
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return text + digest(text, CHECKSUM_LENGTH);
}

/** Reads a cursor of the same call; throws a `CursorError` for any other text. */
export function fromCursor(scope: CursorScope, cursor: string): Place {
  const content = contentOf(cursor);
  if (content?.v !== VERSION) throw new CursorError('This is not a cursor that this version of Fanfare gave out: start again without it.');
  if (content.s !== scopeHash(scope)) {
    throw new CursorError(`This cursor belongs to another call than ${scope.operation} with these arguments on ${scope.account}.`);
  }
  return { upstream: content.up, before: beforeFrom(hashesIn(content.b)), empties: content.e, met: hashesIn(content.m) };
}

const Content = z.object({ v: z.int(), s: z.string(), up: z.string(), b: z.string(), e: z.int(), m: z.string() });

function contentOf(cursor: string): z.output<typeof Content> | undefined {
  const text = cursor.slice(0, -CHECKSUM_LENGTH);
  if (cursor !== text + digest(text, CHECKSUM_LENGTH)) return undefined;
  try {
    return Content.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

function hashesIn(joined: string): readonly string[] {
  return joined.match(new RegExp(`.{${SHORT_HASH}}`, 'g')) ?? [];
}

function scopeHash({ operation, platform, account, args }: CursorScope): string {
  return digest(JSON.stringify([operation, platform, account, sorted(args)]), 16);
}

/** The value with sorted keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}
