/** What comes of `source`, until `signal` is aborted: then it rejects with the reason at once, also where the source does not heed the signal. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  // Nobody may be listening at that moment.
  aborted.catch(() => undefined);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });

  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([aborted, iterator.next()]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    const returned = Promise.resolve(iterator.return?.()).catch(() => undefined);
    // One that hangs does not return either.
    if (!signal.aborted) await returned;
  }
}
