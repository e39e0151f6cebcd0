import type { Clock } from '#src/clock.ts';

/** 2015-01-01, where Discord's ids begin to count. */
const EPOCH_MS = 1_420_070_400_000;
const INSTANT_SHIFT = 22n;

/** Hands out ids that tell when they were made, each higher than all before it. */
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

  /** Makes all later ids greater than `id`, whatever the time. */
  skipPast(id: string): void {
    const seen = BigInt(id);
    if (seen > this.#last) this.#last = seen;
  }
}

/** When the thing with this id was made. */
export function madeAtMs(id: string): number {
  return Number(BigInt(id) >> INSTANT_SHIFT) + EPOCH_MS;
}

/** Below zero where `a` was made before `b`. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** An instant as Discord writes it: with microseconds and an offset. */
export function toTimestamp(atMs: number): string {
  return new Date(atMs).toISOString().replace('Z', '000+00:00');
}
