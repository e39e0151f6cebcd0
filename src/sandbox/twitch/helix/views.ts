const DAY_MS = 24 * 3_600_000;

/** How often something was watched: soon most of what it ever will be, and never less than before. */
export function viewsBy(ageMs: number, atLast: number): number {
  return Math.floor(atLast * (1 - Math.exp(-ageMs / DAY_MS)));
}
