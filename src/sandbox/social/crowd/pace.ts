/** After so long two thirds of all who do something about a post have done it. */
const PACE_MS = 8 * 60_000;

/** How many of `count` have done something about a post by the time that it is so old: many at first, later fewer. */
export function comeBy(count: number, ageMs: number): number {
  if (ageMs <= 0) return 0;
  return Math.min(count, Math.floor((count + 0.5) * (1 - Math.exp(-ageMs / PACE_MS))));
}

/** How old a post is when the one at `index` of `count` comes: the inverse of {@link comeBy}. */
export function arrivalMs(index: number, count: number): number {
  return Math.ceil(-PACE_MS * Math.log(1 - (index + 1) / (count + 0.5)));
}
