import { BoundedCache } from '#src/rules/expression/bounded-cache.ts';
import type { StepNames } from '#src/rules/step.ts';

const MOST_PARTS = 500;

// Thousands of rules have equal parts, and no part changes. So each part is in memory once.
const parts = new BoundedCache<object>(MOST_PARTS);

/** An equal part of an earlier rule, else this one. Numbers in it must be finite. */
export function intern<T extends object>(part: T): T {
  return parts.get(JSON.stringify(part), () => part) as T; // equal JSON has an equal type
}

/** Interns names. Names with constants stay apart, because constants can be large and rarely repeat. */
export function internNames(names: StepNames): StepNames {
  return names.constants ? names : intern(names);
}
