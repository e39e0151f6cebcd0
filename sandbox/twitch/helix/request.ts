import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { FaultKind, FaultOrder } from '../../faults.ts';
import { Refusal } from '../../refusal.ts';
import type { World } from '../../world/world.ts';
import type { Pictures } from '../pictures.ts';

const MOST_VALUES = 100;

/** The parameters of a request. Invalid ones are refused as by Helix. */
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

  /** All values of a parameter that may be given a hundred times. */
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

  /** How many items a page has. */
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

/** How long the pages of one walk are cut from the same instant. */
const SNAPSHOT_MS = 60_000;

const Place = z.object({ before: z.int().min(0), after: z.int().min(0), atMs: z.number() });
type Place = z.output<typeof Place>;

/** Which part of a list is asked for. */
export interface PageRequest {
  readonly first: number;
  readonly place: Place | undefined;
  readonly forward: boolean;
  /** The cursor that was sent. */
  readonly cursor: string | undefined;
  /** The instant that the list is made for: that of the walk's first page, so that its pages fit together. */
  readonly atMs: number;
}

/** The part that `query` asks for. */
export function pageRequest(query: Query, nowMs: number): PageRequest {
  const name = query.one('before') === undefined ? 'after' : 'before';
  const cursor = query.one(name) || undefined;
  const place = cursor === undefined ? undefined : fromCursor(cursor, name);
  const fresh = place && Math.abs(nowMs - place.atMs) <= SNAPSHOT_MS;
  return { first: query.first(), place, forward: name === 'after', cursor, atMs: fresh ? place.atMs : nowMs };
}

/** An answer of Helix that has a list in it. */
export interface HelixPage<T> {
  readonly data: readonly T[];
  readonly pagination: JsonObject;
}

/** The page of `list` that is asked for; it fails where that is ordered. */
export function cutPage<T>(
  list: readonly T[],
  { first, place, forward, cursor, atMs }: PageRequest,
  fault: (kind: FaultKind) => FaultOrder | undefined,
): HelixPage<T> {
  const wanted = forward ? (place?.after ?? 0) : Math.max(0, (place?.before ?? 0) - first);
  const start = wanted > 0 && fault('repeatedItem') ? wanted - 1 : wanted;
  const end = Math.min(list.length, forward ? start + first : (place?.before ?? 0));
  const next = end < list.length ? toCursor({ before: start, after: end, atMs }) : undefined;
  const endless = fault('endlessCursor') ? (cursor ?? toCursor({ before: start, after: end, atMs })) : undefined;
  return { data: thinned(list.slice(start, end), fault), pagination: { cursor: endless ?? next } };
}

function thinned<T>(items: readonly T[], fault: (kind: FaultKind) => FaultOrder | undefined): readonly T[] {
  if (fault('emptyList')) return [];
  return fault('shortList') ? items.filter((_, index) => index % 2 === 0) : items;
}

/** Opaque to who gets it: two places in one, as Twitch has them. */
function toCursor({ before, after, atMs }: Place): string {
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
  .pipe(Place);

function fromCursor(cursor: string, name: string): Place {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64').toString()));
  } catch {
    throw malformed(name, 'the value is not a valid cursor');
  }
}

const DAY_MS = 24 * 3_600_000;

/** How often something was watched: soon most of what it ever will be, and never less than before. */
export function viewsBy(ageMs: number, atLast: number): number {
  return Math.floor(atLast * (1 - Math.exp(-ageMs / DAY_MS)));
}

/** What an endpoint of Helix works with. */
export interface HelixRequest {
  readonly world: World;
  readonly query: Query;
  /** The instant that the answer is true of. */
  readonly nowMs: number;
  readonly pictures: Pictures;
  /** Uses up a fault that is in force for this request. */
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
}

/** An instant as Helix writes it: without fractions of a second. */
export function wireInstant(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}
