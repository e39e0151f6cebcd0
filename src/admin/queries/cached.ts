import type { Clock } from '#src/clock.ts';

/** An answer that is kept for a while. */
export interface Cached<T> {
  get(): Promise<T>;
  /** The next one who asks gets a new answer. */
  forget(): void;
}

/** The same answer for all calls within `forMs`; a failure is not kept. */
export function cached<T>(load: () => Promise<T>, { forMs, clock }: { readonly forMs: number; readonly clock: Clock }): Cached<T> {
  let kept: { readonly answer: Promise<T>; readonly untilMs: number } | undefined;
  return {
    get() {
      if (kept && clock.nowMs() < kept.untilMs) return kept.answer;
      const mine = { answer: load(), untilMs: clock.nowMs() + forMs };
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
