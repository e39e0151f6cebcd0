import { untilAborted } from '#src/clock.ts';

/** What comes of `source`, until `signal` is aborted: then it rejects with the reason at once, also where the source does not heed the signal. */
export async function* eachUntilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    const returned = Promise.resolve(iterator.return?.()).catch(() => undefined);
    // One that hangs does not return either.
    if (!signal.aborted) await returned;
  }
}
