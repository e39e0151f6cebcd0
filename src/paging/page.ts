import type { Fault } from '#src/errors.ts';

/** A part of a page that could not be read: the values of the request it concerns, and why. */
export interface PartialError {
  readonly fault: Fault;
  readonly message: string;
  /** The ids or names of the request that went unanswered. */
  readonly values: readonly string[];
}

/** What one call of a port's primitive gives: the platform's largest page. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The platform's own place for the next page; absent at the end. */
  readonly cursor?: string | undefined;
  /** How many rows were looked at to find these items, where that is more than the items. */
  readonly scanned?: number | undefined;
  /** Whether a budget ended the page before it was full, or its order is not exact. */
  readonly approximate?: boolean | undefined;
  readonly partialErrors?: readonly PartialError[] | undefined;
}

/** How a list call walks. */
export interface Walk {
  /** How many pages at the most. */
  readonly pages: number | 'all';
  /** Seconds between the answer of one page and the request of the next, at the least. */
  readonly waitTime: number;
  /** Where the walk starts: a cursor that the same call gave before. */
  readonly cursor?: string | undefined;
}
