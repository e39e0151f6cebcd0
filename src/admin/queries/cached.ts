import type { Clock } from '#src/clock.ts';

/** An answer that is kept for a while. */
export interface Cached<T> {
  get(): Promise<T>;
  /** The next call loads a new answer. */
  forget(): void;
}

/** The same answer for all calls within `forMs`; a failure is not kept. A clock that is set back ends the time. */
export function cached<T>(load: () => Promise<T>, { forMs, clock }: { readonly forMs: number; readonly clock: Clock }): Cached<T> {
  let kept: { readonly answer: Promise<T>; readonly atMs: number } | undefined;
  return {
    get() {
      const nowMs = clock.nowMs();
      if (kept && nowMs >= kept.atMs && nowMs < kept.atMs + forMs) return kept.answer;
      const mine = { answer: load(), atMs: nowMs };
      kept = mine;
      mine.answer.catch(() => {
        if (kept === mine) kept = undefined;
      });
      return mine.answer;
    },
    forget() {
      kept = undefined;
    },
  };
}
