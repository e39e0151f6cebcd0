import type { Clock } from '#src/clock.ts';

/** What was seen within the last while. */
export class Recent {
  readonly #forMs: number;
  readonly #clock: Clock;
  /** Until when each is remembered, the oldest first. */
  readonly #until = new Map<string, number>();

  constructor({ forMs, clock }: { readonly forMs: number; readonly clock: Clock }) {
    this.#forMs = forMs;
    this.#clock = clock;
  }

  /** Whether it is new, which it is no longer. */
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
