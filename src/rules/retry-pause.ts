/** How long Fanfare retries by default. */
export const RETRY_MS = 24 * 60 * 60_000;

/** Pauses double from `firstMs` up to `longestMs`. */
export interface Growth {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pauses after failures that need no operator. */
export const USUAL_PAUSE: Growth = { firstMs: 2_000, longestMs: 15 * 60_000 };

/** The pause after so many attempts, in milliseconds. */
export function retryPauseMs(attempts: number, { firstMs, longestMs }: Growth = USUAL_PAUSE): number {
  return Math.min(longestMs, firstMs * 2 ** (attempts - 1));
}
