import type { Fault } from '#src/errors.ts';

/** A part of a page that could not be read. */
export interface PartialError {
  readonly fault: Fault;
  readonly message: string;
  /** The ids or names of the failed request. */
  readonly values: readonly string[];
}

/** One page of the platform, at its largest size. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The platform's cursor of the next page; absent at the end. */
  readonly cursor?: string | undefined;
  /** The number of rows that the platform looked through, if it is larger than the number of items. */
  readonly scanned?: number | undefined;
  /** Whether a budget ended the page early, or the order is not exact. */
  readonly approximate?: boolean | undefined;
  readonly partialErrors?: readonly PartialError[] | undefined;
}

/** The options of a walk through pages. */
export interface Walk {
  /** The largest number of pages. */
  readonly pages: number | 'all';
  /** The shortest time between a response and the next request, in seconds. */
  readonly waitTime: number;
  /** The start of the walk: a cursor of the same call. */
  readonly cursor?: string | undefined;
}
