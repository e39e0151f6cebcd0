/** A terminal, npm and a process in between may each send the signal of one Ctrl+C. */
const SAME_MS = 500;

/** Resolves when the process is asked to stop; asked a second time, it ends at once. */
export function untilStopped(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let askedMs: number | undefined;
  function stop(): void {
    if (askedMs !== undefined && performance.now() - askedMs > SAME_MS) process.exit(130);
    askedMs ??= performance.now();
    resolve();
  }
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return promise;
}
