import { z } from 'zod';
import { CursorError } from '#src/errors.ts';
import { beforeFrom, nothingBefore, type Before } from './before.ts';
import { digest, SHORT_HASH } from './digest.ts';

const VERSION = 1;
const CHECKSUM_LENGTH = 6;

/** What a cursor belongs to; another call's cursor is refused. */
export interface CursorScope {
  readonly operation: string;
  readonly platform: string;
  readonly account: string;
  /** The call's arguments, without pages, waitTime and cursor. */
  readonly args: unknown;
}

/** A place between two pages. */
export interface Place {
  /** The platform's own cursor; absent at the start. */
  readonly upstream: string | undefined;
  readonly before: Before;
  /** How many pages in a row that gave nothing led here. */
  readonly empties: number;
  /** Short hashes of the last upstream cursors that led here, this place's own included. */
  readonly met: readonly string[];
}

export const START: Place = { upstream: undefined, before: nothingBefore, empties: 0, met: [] };

/** The opaque form of a place, good for the same call only. */
export function toCursor(scope: CursorScope, { upstream, before, empties, met }: Place): string {
  const content = { v: VERSION, s: scopeHash(scope), up: upstream, b: before.hashes().join(''), e: empties, m: met.join('') };
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return text + digest(text, CHECKSUM_LENGTH);
}

/** The place that a cursor of the same call stands for; any other text is a `CursorError`. */
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

/** The same value whatever the order in which its keys were written. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}
