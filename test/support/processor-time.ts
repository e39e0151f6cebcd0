/** Begins to count how long this thread works, in milliseconds of the processor: whatever else the machine does is left out. */
export function countProcessorMs(): () => number {
  const begun = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  };
}
