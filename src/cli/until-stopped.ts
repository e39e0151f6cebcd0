/** Resolves when the process is asked to stop; asked a second time, it ends at once. */
export function untilStopped(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = false;
  function stop(): void {
    if (asked) process.exit(130);
    asked = true;
    resolve();
  }
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return promise;
}
