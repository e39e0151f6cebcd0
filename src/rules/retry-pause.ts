/** How long attempts go on after the first, where a step says nothing else. */
export const RETRY_MS = 24 * 60 * 60_000;

/** How pauses grow: twice as long each time. */
export interface Growth {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** As long as nobody has to do something first. */
export const USUAL_PAUSE: Growth = { firstMs: 2_000, longestMs: 15 * 60_000 };

/** How long to wait after so many attempts. */
export function retryPauseMs(attempts: number, { firstMs, longestMs }: Growth = USUAL_PAUSE): number {
  return Math.min(longestMs, firstMs * 2 ** (attempts - 1));
}
