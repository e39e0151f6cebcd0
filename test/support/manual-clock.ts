import type { Clock } from '#src/clock.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
  #nowMs: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(start: Date | string | number = '2026-11-20T18:00:00Z') {
    this.#nowMs = new Date(start).getTime();
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** How many sleep at this moment: none may be left where nothing is to run on. */
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

  /** Goes on by `ms`, waking those whose time has come in their order, and lets them run. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      await settle();
      const next = [...this.#sleepers].filter(({ dueMs }) => dueMs <= endMs).toSorted((a, b) => a.dueMs - b.dueMs)[0];
      if (!next) break;
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.wake();
    }
    this.#nowMs = endMs;
    await settle();
  }

  /** Sets the time, backwards too. */
  set(to: Date | string | number): void {
    this.#nowMs = new Date(to).getTime();
  }
}

/** Lets everything run that only waits for what is there already. */
async function settle(): Promise<void> {
  for (let tick = 0; tick < 5; tick++) await new Promise((resolve) => setImmediate(resolve));
}
