/** Starts to measure the processor time of this thread in milliseconds, without the work of other processes. */
export function countProcessorMs(): () => number {
  const begun = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  };
}
