import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseHealth } from '#src/admin/queries/database-health.ts';
import type { Clock } from '#src/clock.ts';
import { Alarm } from '#src/engine/alarm.ts';
import type { StateUnavailable } from './cannot-open.ts';

const EVERY_MS = 5_000;
/** With less free space, a small write may succeed, and the next large one may fail. */
const ENOUGH_BYTES = 256 * 1024;

export interface FileHealthOptions {
  /** Receives the begin and the end of each outage. */
  readonly health: Pick<DatabaseHealth, 'accepted' | 'blocked'>;
  readonly clock: Clock;
}

/** Whether the file of the state accepts writes. */
export interface FileHealth {
  /** A statement failed: an outage begins. */
  failed(error: StateUnavailable): void;
  /** During an outage, writes again and again until a write succeeds, which ends the outage. Resolves when `signal` aborts. */
  run(write: () => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** Creates the health of the file of a state. */
export function createFileHealth({ health, clock }: FileHealthOptions): FileHealth {
  let last: StateUnavailable | undefined;
  const began = new Alarm();

  return {
    failed(error) {
      const nowMs = clock.nowMs();
      // Until this statement, the file accepted writes.
      if (!last) health.accepted(nowMs);
      last = error;
      health.blocked(error.code, nowMs);
      began.ring();
    },

    async run(write, signal) {
      while (!signal.aborted) {
        if (!last) {
          await began.wait(Infinity, { clock, signal });
          continue;
        }
        await clock.sleep(EVERY_MS, signal).catch(() => undefined);
        if (signal.aborted) return;
        try {
          await write();
          if (isStillFull(last)) continue;
          last = undefined;
          health.accepted(clock.nowMs());
        } catch {
          // The failed statement was reported to `failed`.
        }
      }
    },
  };
}

function isStillFull({ code, file }: StateUnavailable): boolean {
  if (code !== 'SQLITE_FULL') return false;
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize < ENOUGH_BYTES;
}
