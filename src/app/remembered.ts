import type { Clock } from '#src/clock.ts';

/** The same answer for everybody who asks within `forMs`; a failure is not kept. */
export function remembered<T>(
  load: () => Promise<T>,
  { forMs, clock }: { readonly forMs: number; readonly clock: Clock },
): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let askedMs = 0;
  return () => {
    if (answer === undefined || clock.nowMs() - askedMs >= forMs) {
      askedMs = clock.nowMs();
      answer = load();
      answer.catch(() => (answer = undefined));
    }
    return answer;
  };
}
