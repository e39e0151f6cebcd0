import type { Clock } from '#src/clock.ts';

/** Recognizes ids for some time. */
export class RecentIds {
  readonly #forMs: number;
  readonly #clock: Clock;
  /** The end of the time of each id, the oldest first. */
  readonly #until = new Map<string, number>();

  constructor({ forMs, clock }: { readonly forMs: number; readonly clock: Clock }) {
    this.#forMs = forMs;
    this.#clock = clock;
  }

  /** Adds an id; false if it is known. */
  add(id: string): boolean {
    const nowMs = this.#clock.nowMs();
    for (const [old, untilMs] of this.#until) {
      if (untilMs > nowMs) break;
      this.#until.delete(old);
    }
    if (this.#until.has(id)) return false;
    this.#until.set(id, nowMs + this.#forMs);
    return true;
  }
}
