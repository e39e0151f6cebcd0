import type { Clock } from '#src/clock.ts';

/** Discord's ids count from 2015-01-01. */
const EPOCH_MS = 1_420_070_400_000;
const INSTANT_SHIFT = 22n;

/** Creates increasing ids that contain their creation time. */
export class Snowflakes {
  readonly #clock: Clock;
  #last = 0n;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  next(): string {
    const now = BigInt(Math.floor(this.#clock.nowMs()) - EPOCH_MS) << INSTANT_SHIFT;
    this.#last = now > this.#last ? now : this.#last + 1n;
    return String(this.#last);
  }

  /** Makes all later ids greater than `id`. */
  skipPast(id: string): void {
    const seen = BigInt(id);
    if (seen > this.#last) this.#last = seen;
  }
}

/** The creation time in an id. */
export function madeAtMs(id: string): number {
  return Number(BigInt(id) >> INSTANT_SHIFT) + EPOCH_MS;
}

/** Sorts ids by creation time. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** A time in Discord's format, with microseconds and an offset. */
export function toTimestamp(atMs: number): string {
  return new Date(atMs).toISOString().replace('Z', '000+00:00');
}
