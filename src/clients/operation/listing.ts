/** A page of a list, newest first. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** The start of the next page; absent at the end. */
  readonly cursor?: string | undefined;
}

/** Which page of a list. */
export interface ListingOptions {
  readonly cursor?: string | undefined;
  /** The largest number of items. */
  readonly limit?: number | undefined;
}
