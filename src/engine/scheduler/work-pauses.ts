import { setImmediate as nextLoop } from 'node:timers/promises';

/** The longest time without a pause for other work. */
const MAX_BLOCK_MS = 10;

/** Pauses between pieces of work, so that other work of the process runs in between. */
export interface WorkPauses {
  isDue(): boolean;
  take(): Promise<void>;
}

export function createWorkPauses(): WorkPauses {
  let pausedMs = performance.now();
  let pausing: Promise<void> | undefined;
  return {
    isDue: () => performance.now() - pausedMs >= MAX_BLOCK_MS,
    take() {
      pausing ??= nextLoop().then(() => {
        pausedMs = performance.now();
        pausing = undefined;
      });
      return pausing;
    },
  };
}
