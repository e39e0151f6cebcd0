import type { Page, PartialError } from './page.ts';

/** The pages of a container. */
export type Pages<T> = readonly Page<T>[];

/** The class of a container. */
export type Into<T, C> = new (pages: Pages<T>) => C;

/** The result of a list call. Iterate it, or use its `items`. */
export class Container<T> implements Iterable<T> {
  /** The items in the order of the platform. */
  readonly items: readonly T[];
  /** The number of rows that the platform looked through. */
  readonly scanned: number;
  /** Whether a budget ended the walk early, or the order is not exact. */
  readonly approximate: boolean;
  readonly partialErrors: readonly PartialError[];
  readonly #last: Page<T> | undefined;

  constructor(pages: Pages<T>) {
    const none: readonly T[] = [];
    this.items = Object.freeze(none.concat(...pages.map((page) => page.items)));
    this.#last = pages.at(-1);
    this.scanned = pages.reduce((sum, page) => sum + (page.scanned ?? page.items.length), 0);
    this.approximate = pages.some((page) => page.approximate === true);
    this.partialErrors = Object.freeze(pages.flatMap((page) => page.partialErrors ?? []));
    Object.freeze(this);
  }

  get length(): number {
    return this.items.length;
  }

  /** The start of the next page; absent at the end. */
  get cursor(): string | undefined {
    return this.#last?.cursor;
  }

  /** Whether another page follows. */
  get hasNext(): boolean {
    return this.cursor !== undefined;
  }

  at(index: number): T | undefined {
    return this.items.at(index);
  }

  [Symbol.iterator](): Iterator<T> {
    return this.items.values();
  }
}
