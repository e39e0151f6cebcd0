import { createHash } from 'node:crypto';
import { CursorError } from '#src/errors.ts';

const VERSION = 1;

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
  /** Short hashes of the ids on the page before. */
  readonly before: readonly string[];
  /** How many empty pages in a row led here. */
  readonly empties: number;
}

export const START: Place = { upstream: undefined, before: [], empties: 0 };

/** A short name for an item's id: 48 bits, so that a page's worth fits into a cursor. */
export function shortHash(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 8);
}

/** The opaque form of a place, good for the same call only. */
export function toCursor(scope: CursorScope, { upstream, before, empties }: Place): string {
  const content = { v: VERSION, s: scopeHash(scope), up: upstream, b: before.join(''), e: empties || undefined };
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** The place that a cursor of the same call stands for; any other text is a `CursorError`. */
export function fromCursor(scope: CursorScope, cursor: string): Place {
  const content = parse(cursor);
  if (!isContent(content)) throw new CursorError('This is not a cursor that Fanfare gave out.');
  if (content.v !== VERSION) throw new CursorError('This cursor is from another version of Fanfare: start again without it.');
  if (content.s !== scopeHash(scope)) {
    throw new CursorError(`This cursor belongs to another call than ${scope.operation} with these arguments on ${scope.account}.`);
  }
  return { upstream: content.up, before: content.b.match(/.{8}/g) ?? [], empties: content.e ?? 0 };
}

interface Content {
  readonly v: number;
  readonly s: string;
  readonly up: string;
  readonly b: string;
  readonly e?: number;
}

function isContent(value: unknown): value is Content {
  return (
    typeof value === 'object' &&
    value !== null &&
    'v' in value &&
    's' in value &&
    'up' in value &&
    typeof value.up === 'string' &&
    'b' in value &&
    typeof value.b === 'string' &&
    (!('e' in value) || typeof value.e === 'number')
  );
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function scopeHash({ operation, platform, account, args }: CursorScope): string {
  return createHash('sha256')
    .update(JSON.stringify([operation, platform, account, sorted(args)]))
    .digest('base64url')
    .slice(0, 16);
}

/** The same value whatever the order in which its keys were written. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, sorted(entry)]),
  );
}
