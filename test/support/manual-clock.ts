import type { Clock } from '#src/clock.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** More than the longest chain of deliveries takes: the store gathers the writes of each tick. */
const TICKS = 40;
/** Enough for a scheduler in memory, whose work a test waits for. 40 ticks take most of the time of a test that advances second by second. */
export const IN_MEMORY = { ticks: 3 };

/** A clock that only moves when a test advances it. */
export class ManualClock implements Clock {
  #nowMs: number;
  readonly #ticks: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(start: Date | string | number = '2026-11-20T18:00:00Z', { ticks = TICKS }: { readonly ticks?: number } = {}) {
    this.#nowMs = new Date(start).getTime();
    this.#ticks = ticks;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** The number of sleepers. A test checks it to find work that was left running. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const stop = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        dueMs: this.#nowMs + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal?.removeEventListener('abort', stop);
          resolve();
        },
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#sleepers.add(sleeper);
    });
  }

  /** Advances by `ms` and wakes the sleepers in order. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      await this.#settle();
      const next = [...this.#sleepers].filter(({ dueMs }) => dueMs <= endMs).toSorted((a, b) => a.dueMs - b.dueMs)[0];
      if (!next) break;
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.wake();
    }
    this.#nowMs = endMs;
    await this.#settle();
  }

  /** Sets the time, also backwards. */
  set(to: Date | string | number): void {
    this.#nowMs = new Date(to).getTime();
  }

  /** Lets pending promises and I/O callbacks run. */
  async #settle(): Promise<void> {
    for (let tick = 0; tick < this.#ticks; tick++) await new Promise((resolve) => setImmediate(resolve));
  }
}
