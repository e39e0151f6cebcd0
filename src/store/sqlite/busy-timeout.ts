import type { DatabaseSync } from 'node:sqlite';

/** How long statements wait for a lock of another program. The wait blocks the process. */
export interface BusyTimeout {
  disable(): void;
  restore(): void;
}

/** The timeout with which the database was opened. After a lock that outlasts it, each statement would block the process for that long. */
export function createBusyTimeout(database: DatabaseSync): BusyTimeout {
  let timeoutMs: number | undefined;
  return {
    disable() {
      timeoutMs ??= Number(database.prepare('pragma busy_timeout').get()?.['timeout']);
      database.exec('pragma busy_timeout = 0');
    },
    restore() {
      if (timeoutMs !== undefined) database.exec(`pragma busy_timeout = ${timeoutMs}`);
      timeoutMs = undefined;
    },
  };
}
