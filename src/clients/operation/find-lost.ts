import type { Recovery } from './platform.ts';

/** The largest usual difference between the clocks of two machines. */
export const CLOCKS_APART_MS = 60_000;
/** The largest expected error of a wrong clock. */
export const CLOCK_WRONG_MS = 24 * 60 * 60_000;

/** The earliest creation time of the record of a write that began at `since`, by the platform's clock. */
export function soonestMs(since: Date): number {
  return since.getTime() - CLOCKS_APART_MS;
}

/** The earliest creation time if the clock of this machine is wrong. */
export function doubtfulMs(since: Date): number {
  return since.getTime() - CLOCK_WRONG_MS;
}

/**
 * Finds the record of a write that began at `since` among equal records: the first that is not older. If all may be older, the outcome
 * stays open.
 */
export function findLost<T>(
  /** Equal records that belong to no other write, oldest first. */
  alike: readonly T[],
  { since, madeAt }: { readonly since: Date; readonly madeAt: (one: T) => Date | undefined },
): Recovery<T> {
  const madeMs = (one: T): number => madeAt(one)?.getTime() ?? doubtfulMs(since);
  const found = alike.find((one) => madeMs(one) >= soonestMs(since));
  if (found !== undefined) return { found };
  return alike.some((one) => madeMs(one) >= doubtfulMs(since)) ? 'cannotTell' : 'absent';
}

/** All texts inside a value, without keys. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether the texts inside a value mention all of `about`. */
export function mentions(value: unknown, about: readonly string[]): boolean {
  const text = textsIn(value).join('\n');
  return about.every((one) => text.includes(one));
}
