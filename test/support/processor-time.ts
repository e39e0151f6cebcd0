import { calibrate } from '../../bench/quick/calibration.ts';

/** Starts to measure the processor time of this thread in milliseconds. It does not include the time in which other processes run. */
export function countProcessorMs(): () => number {
  const begun = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  };
}

/** The processor time of `calibrate` on the machine for which the limits of tests are written. */
const USUAL_MS = 65;
const MEASURED_FOR_MS = 5_000;

let measured: { readonly atMs: number; readonly factor: number } | undefined;

/**
 * By what factor this machine needs more processor time than usual at present, at least 1. Other processes share caches and cores, so
 * the same work takes more processor time beside them. A limit is multiplied with it.
 */
export function slowdown(): number {
  if (!measured || performance.now() - measured.atMs > MEASURED_FOR_MS) {
    // The first round is compiled.
    if (!measured) calibrate();
    const workedMs = countProcessorMs();
    calibrate();
    measured = { factor: Math.max(1, workedMs() / USUAL_MS), atMs: performance.now() };
  }
  return measured.factor;
}
