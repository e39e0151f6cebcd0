import { BoundedCache } from '../expression/language/bounded-cache.ts';
import type { StepNames } from '../step.ts';

const MOST_PARTS = 500;

// Thousands of rules are alike in most of their parts, and none of these is ever changed.
const known = new BoundedCache<object>(MOST_PARTS);

/** The part of an earlier rule where it is equal, so that it is in memory once; its numbers are finite. */
export function shared<T extends object>(part: T): T {
  return known.get(JSON.stringify(part), () => part) as T; // what has the same text is the same
}

/** As `shared`; constants, which may be anything, are each rule's own. */
export function sharedNames(names: StepNames): StepNames {
  return names.constants ? names : shared(names);
}
