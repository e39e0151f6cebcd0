import type { Page, PartialError } from './page.ts';

/** The pages that make up a container. */
export type Pages<T> = readonly Page<T>[];

/** How a container is made from what was walked. */
export type Into<T, C> = new (pages: Pages<T>) => C;

/** What a list call found: iterate it, or take its `items`. */
export class Container<T> implements Iterable<T> {
  /** In the platform's order. */
  readonly items: readonly T[];
  /** How many rows the platform was asked to look at. */
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

  /** Where the next walk goes on; absent at the end. */
  get cursor(): string | undefined {
    return this.#last?.cursor;
  }

  /** Whether there is more behind the last page. */
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
