import type { Clock } from '#src/clock.ts';

/** A signal that aborts `ms` after `signal`, unless it is disposed of before. */
export function drainSignal(
  signal: AbortSignal,
  { ms, clock }: { readonly ms: number; readonly clock: Clock },
): { readonly signal: AbortSignal } & Disposable {
  const late = new AbortController();
  const over = new AbortController();

  function follow(): void {
    void clock.sleep(ms, over.signal).then(
      () => late.abort(signal.reason),
      () => undefined,
    );
  }

  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true, signal: over.signal });
  return { signal: late.signal, [Symbol.dispose]: () => over.abort() };
}
