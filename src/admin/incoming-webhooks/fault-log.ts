import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';

/** A log line about the same name and the same fault comes this often at most. */
const LOG_EVERY_MS = 10 * 60_000;
/** The most names and faults with separate log lines. */
const MOST_LOGGED = 1_000;

/** Logs faults of requests, which a stranger can repeat at any rate. */
export interface FaultLog {
  /** Logs a fault once in ten minutes, with the number of requests since the last line. */
  warn(about: { readonly name: string; readonly fault: string }, fields: Readonly<Record<string, unknown>>): void;
}

export function createFaultLog({ clock, log }: { readonly clock: Pick<Clock, 'nowMs'>; readonly log: Pick<Log, 'warn'> }): FaultLog {
  /** By name and fault: when it was logged, and the requests since then. */
  const logged = new Map<string, { atMs: number; count: number }>();
  return {
    warn({ name, fault }, fields) {
      const key = `${name}\n${fault}`;
      const nowMs = clock.nowMs();
      const known = logged.get(key);
      const count = (known?.count ?? 0) + 1;
      if (known && nowMs - known.atMs < LOG_EVERY_MS && nowMs >= known.atMs) {
        known.count = count;
        return;
      }
      if (logged.size >= MOST_LOGGED) logged.clear();
      logged.set(key, { atMs: nowMs, count: 0 });
      log.warn({ ...fields, requests: count }, fault);
    },
  };
}
