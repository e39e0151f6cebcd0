import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { FaultKind, FaultOrder } from '../../faults.ts';
import { Refusal } from '../../refusal.ts';
import type { World } from '../../world/world.ts';
import type { Token } from '../access.ts';
import type { Pictures } from '../pictures.ts';

const MOST_VALUES = 100;

/** The parameters of a request. Invalid values are refused with the messages of Helix. */
export class Query {
  readonly #parameters: URLSearchParams;

  constructor(url: string) {
    this.#parameters = new URL(url).searchParams;
  }

  one(name: string): string | undefined {
    return this.#parameters.get(name) ?? undefined;
  }

  required(name: string): string {
    const value = this.one(name);
    if (!value) throw new Refusal(400, `Missing required parameter "${name}"`);
    return value;
  }

  /** The values of a repeatable parameter, at most one hundred. */
  all(name: string): readonly string[] {
    const values = this.#parameters.getAll(name);
    if (values.length > MOST_VALUES) throw malformed(name, `the number of values must be less than or equal to ${MOST_VALUES}`);
    return values;
  }

  ids(name: string): readonly string[] {
    const values = this.all(name);
    if (!values.every((value) => /^[0-9]*$/.test(value))) throw malformed(name, 'the value must match the regular expression /^[0-9]*$/');
    return values;
  }

  /** The page size. */
  first(): number {
    const text = this.one('first');
    if (text === undefined) return 20;
    const count = Number(text);
    if (!Number.isInteger(count) || count < 1) throw malformed('first', 'the value must be greater than or equal to 1');
    if (count > 100) throw malformed('first', 'the value must be less than or equal to 100');
    return count;
  }

  choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
    const value = this.one(name);
    if (value === undefined) return choices[0];
    const choice = choices.find((each) => each === value);
    if (!choice) throw malformed(name, `the value must be one of ${choices.join(', ')}`);
    return choice;
  }

  flag(name: string): boolean | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    if (value !== 'true' && value !== 'false') throw malformed(name, 'the value must be true or false');
    return value === 'true';
  }

  /** In milliseconds since 1970. */
  instant(name: string): number | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    const atMs = Date.parse(value);
    if (Number.isNaN(atMs)) throw malformed(name, 'the value must be a RFC3339 date');
    return atMs;
  }
}

export function malformed(name: string, reason: string): Refusal {
  return new Refusal(400, `The parameter "${name}" was malformed: ${reason}`);
}

/** The pages of one walk show the same instant for this time. */
const SNAPSHOT_MS = 60_000;

const Position = z.object({ before: z.int().min(0), after: z.int().min(0), atMs: z.number() });
type Position = z.output<typeof Position>;

/** The requested page of a list. */
export interface PageRequest {
  readonly first: number;
  readonly position: Position | undefined;
  readonly forward: boolean;
  readonly cursor: string | undefined;
  /** The instant that the page shows: the instant of the first page of the walk. */
  readonly atMs: number;
}

/** Reads the page parameters of a query. */
export function pageRequest(query: Query, nowMs: number): PageRequest {
  const name = query.one('before') === undefined ? 'after' : 'before';
  const cursor = query.one(name) || undefined;
  const position = cursor === undefined ? undefined : fromCursor(cursor, name);
  const isRecent = position && Math.abs(nowMs - position.atMs) <= SNAPSHOT_MS;
  return { first: query.first(), position, forward: name === 'after', cursor, atMs: isRecent ? position.atMs : nowMs };
}

/** An answer of Helix with a list. */
export interface HelixPage<T> {
  readonly data: readonly T[];
  readonly pagination: JsonObject;
}

/** The requested page of a list with the effects of faults. */
export function cutPage<T>(
  list: readonly T[],
  { first, position, forward, cursor, atMs }: PageRequest,
  fault: (kind: FaultKind) => FaultOrder | undefined,
): HelixPage<T> {
  const wanted = forward ? (position?.after ?? 0) : Math.max(0, (position?.before ?? 0) - first);
  const start = wanted > 0 && fault('repeatedItem') ? wanted - 1 : wanted;
  const end = Math.min(list.length, forward ? start + first : (position?.before ?? 0));
  const next = end < list.length ? toCursor({ before: start, after: end, atMs }) : undefined;
  const endless = fault('endlessCursor') ? (cursor ?? toCursor({ before: start, after: end, atMs })) : undefined;
  return { data: thinned(list.slice(start, end), fault), pagination: { cursor: endless ?? next } };
}

export function thinned<T>(items: readonly T[], fault: (kind: FaultKind) => FaultOrder | undefined): readonly T[] {
  if (fault('emptyList')) return [];
  return fault('shortList') ? items.filter((_, index) => index % 2 === 0) : items;
}

/** A cursor in the format of Twitch, which contains two positions. */
function toCursor({ before, after, atMs }: Position): string {
  const inner = (offset: number): object => ({ Cursor: Buffer.from(`${offset}:${atMs}`).toString('base64') });
  return Buffer.from(JSON.stringify({ b: inner(before), a: inner(after) })).toString('base64');
}

const Wrapped = z.object({ Cursor: z.base64() }).transform(({ Cursor }) => {
  const [offset, atMs] = Buffer.from(Cursor, 'base64').toString().split(':').map(Number);
  return { offset, atMs };
});
const Cursor = z
  .object({ b: Wrapped, a: Wrapped })
  .transform(({ b, a }) => ({ before: b.offset, after: a.offset, atMs: a.atMs }))
  .pipe(Position);

function fromCursor(cursor: string, name: string): Position {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64').toString()));
  } catch {
    throw malformed(name, 'the value is not a valid cursor');
  }
}

const DAY_MS = 24 * 3_600_000;

/** The views at an age. They grow quickly at first and approach `finalViews`. */
export function viewsBy(ageMs: number, finalViews: number): number {
  return Math.floor(finalViews * (1 - Math.exp(-ageMs / DAY_MS)));
}

/** The request of an endpoint. */
export interface HelixRequest {
  readonly world: World;
  readonly query: Query;
  readonly token: Token | undefined;
  /** The instant that the answer shows. */
  readonly nowMs: number;
  readonly pictures: Pictures;
  /** Consumes a fault that applies to the request. */
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
}

/** An instant in the format of Helix, without fractions of a second. */
export function wireInstant(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}
