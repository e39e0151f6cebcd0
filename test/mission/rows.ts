import { expect } from 'vitest';
import type { Container } from '#src/paging/container.ts';

/** How a list is walked. */
export interface Walk {
  readonly pages?: number | 'all';
  readonly waitTime?: number;
  readonly cursor?: string;
}

/** A platform that runs, and whoever reads it. */
export interface Ground<Client> {
  readonly client: Client;
  /** The methods that were called on the client, by name. */
  readonly called: Set<string>;
}

/** One form of a call, proved against what the world holds. */
export interface Case<G> {
  /** As `username: int`, in the document's own words. */
  readonly form: string;
  /** Whether its twin that goes page by page is called, too. */
  readonly twin: boolean;
  readonly prove: (ground: G) => Promise<void>;
}

/** One operation of a document, under its name there. */
export interface Row<G> {
  readonly name: string;
  readonly cases: readonly Case<G>[];
}

export function row<G>(name: string, ...cases: readonly (Case<G> | readonly Case<G>[])[]): Row<G> {
  return { name, cases: cases.flat() };
}

/** What a call gives in each form of one of its arguments, by the form. */
export type Forms<G, V> = Readonly<Record<string, (ground: G) => V | Promise<V>>>;

export interface Walked<G, V, T, C extends Container<T>> {
  readonly get: (ground: G, argument: V, walk: Walk) => PromiseLike<C> & AsyncIterable<T>;
  readonly iter?: (ground: G, argument: V, walk: Walk) => AsyncIterable<readonly [C, readonly T[]]>;
  /** What the world holds, in order. */
  readonly holds: (ground: G, argument: V) => readonly unknown[] | Promise<readonly unknown[]>;
  /** What of an item is compared with it. */
  readonly seen: (item: T) => unknown;
  /** How many items make a page; absent where the adapter puts pages together. */
  readonly page?: number | undefined;
}

/** A list: its first form is walked in every way, the others as far as the first page. */
export function walks<G, V, T, C extends Container<T>>(forms: Forms<G, V>, walked: Walked<G, V, T, C>): readonly Case<G>[] {
  return Object.entries(forms).map(([form, argument], index) => ({
    form,
    twin: walked.iter !== undefined,
    async prove(ground) {
      const value = await argument(ground);
      const expected = await walked.holds(ground, value);
      await (index === 0 ? walkWhole : walkFirst)({ ...walked, ground, value, expected });
    },
  }));
}

interface Walking<G, V, T, C extends Container<T>> extends Walked<G, V, T, C> {
  readonly ground: G;
  readonly value: V;
  readonly expected: readonly unknown[];
}

const ALL = { pages: 'all', waitTime: 0 } as const;

/** `pages`, `cursor`, `for await` and the twin give the same list, which is the world's. */
async function walkWhole<G, V, T, C extends Container<T>>(walking: Walking<G, V, T, C>): Promise<void> {
  const { get, iter, ground, value, expected, seen, page } = walking;
  const read = (walk: Walk): PromiseLike<C> & AsyncIterable<T> => get(ground, value, { waitTime: 0, ...walk });

  const [one, two] = [await read({}), await read({ pages: 2 })];
  const rest = await read(two.cursor === undefined ? ALL : { ...ALL, cursor: two.cursor });
  const each = await Array.fromAsync(read({ pages: 2 }));

  expect(expected.length).toBeGreaterThan(0);
  expect([...(two.hasNext ? two : []), ...rest].map(seen)).toEqual(expected);
  expect(rest.hasNext).toBe(false);
  expect(each.map(seen)).toEqual(two.items.map(seen));
  expect(two.items.map(seen).slice(0, one.length)).toEqual(one.items.map(seen));
  if (page !== undefined) expect([one.length, two.length]).toEqual([page, 2 * page].map((most) => Math.min(most, expected.length)));
  if (!iter) return;

  const pairs = await Array.fromAsync(iter(ground, value, ALL));
  const pages = pairs.map(([, items]) => items.map(seen));
  expect(pages.flat()).toEqual(expected);
  expect(pairs.at(-1)?.[0].items.map(seen)).toEqual(expected);
  expect(pairs.map(([container]) => container.length)).toEqual(pages.map((_, index) => pages.slice(0, index + 1).flat().length));
  expect([pages[0], pages.slice(0, 2).flat()]).toEqual([one.items.map(seen), two.items.map(seen)]);
  if (page !== undefined) expect(pages.slice(0, -1).filter(({ length }) => length !== page)).toEqual([]);
}

async function walkFirst<G, V, T, C extends Container<T>>({
  get,
  iter,
  ground,
  value,
  expected,
  seen,
  page,
}: Walking<G, V, T, C>): Promise<void> {
  const one = await get(ground, value, {});

  expect(one.items.map(seen)).toEqual(expected.slice(0, page ?? Math.max(one.length, 1)));
  expect(one.hasNext).toBe(one.length < expected.length);
  if (!iter) return;
  const [pair] = await Array.fromAsync(iter(ground, value, {}));
  expect([pair?.[0].items, pair?.[1]].map((items) => items?.map(seen))).toEqual([one.items.map(seen), one.items.map(seen)]);
}

export interface Read<G, V, R> {
  readonly call: (ground: G, argument: V) => Promise<R>;
  /** What of the answer is compared. */
  readonly seen: (answer: R) => unknown;
  /** What the world says. */
  readonly holds: (ground: G) => unknown;
}

/** A read that answers once, in each form. */
export function answers<G, V, R>(forms: Forms<G, V>, { call, seen, holds }: Read<G, V, R>): readonly Case<G>[] {
  return Object.entries(forms).map(([form, argument]) => ({
    form,
    twin: false,
    async prove(ground) {
      const answer = await call(ground, await argument(ground));

      const expected = await holds(ground);
      expect(expected).toBeDefined();
      expect(seen(answer)).toEqual(expected);
    },
  }));
}

export interface Change<G, S, V, R> {
  /** Something that no other case touches. */
  readonly subject: (ground: G) => S | Promise<S>;
  readonly call: (ground: G, argument: V, subject: S) => Promise<R>;
  /** What of the world the call is to change. */
  readonly observe: (ground: G, subject: S) => unknown;
  readonly from: unknown;
  readonly to: unknown;
  /** What of the answer is compared, and with what; absent where it is `true`. */
  readonly answer?: { readonly seen: (answer: R) => unknown; readonly holds: (ground: G, subject: S) => unknown } | undefined;
}

/** A write: the world is one way before it and another way after it, and the answer says so. */
export function changes<G, S, V, R>(
  forms: Readonly<Record<string, (ground: G, subject: S) => V | Promise<V>>>,
  { subject: taken, call, observe, from, to, answer }: Change<G, S, V, R>,
): readonly Case<G>[] {
  return Object.entries(forms).map(([form, argumentOf]) => ({
    form,
    twin: false,
    async prove(ground) {
      const subject = await taken(ground);
      const argument = await argumentOf(ground, subject);
      expect(observe(ground, subject)).toEqual(from);

      const result = await call(ground, argument, subject);

      expect(observe(ground, subject)).toEqual(to);
      if (answer) expect(answer.seen(result)).toEqual(answer.holds(ground, subject));
      else expect(result).toBe(true);
    },
  }));
}

/** A case that fits none of the above. */
export function one<G>(only: Omit<Case<G>, 'twin'>): Case<G> {
  return { ...only, twin: false };
}
