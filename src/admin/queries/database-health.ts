import type { Clock } from '#src/clock.ts';
import { codeOf } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { DatabaseState } from './records.ts';

/** Failures of single connections are logged again after so long without one. */
const QUIET_MS = 60_000;

export interface DatabaseHealthOptions {
  /** Called when the database stops answering or accepting writes, and when it does so again. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whether the database accepts writes, as its probe reports. Times are of its clock. */
export interface DatabaseHealth {
  state(): DatabaseState;
  /** The database accepted a write. */
  accepted(atMs: number): void;
  /** The database answers, and accepts no write. */
  blocked(code: string, atMs: number): void;
  /** The database does not answer. */
  lost(cause: unknown): void;
  /** A single connection was lost, or could not be opened. */
  failed(cause: unknown): void;
}

/** A database that accepts writes. Each outage is logged once. */
export function createDatabaseHealth({ onChange, clock, log }: DatabaseHealthOptions): DatabaseHealth {
  let state: DatabaseState = {};
  let [acceptedMs, answeredMs] = [clock.nowMs(), clock.nowMs()];
  let failedMs = -Infinity;

  function become(next: DatabaseState): void {
    state = next;
    onChange();
  }

  return {
    state: () => state,

    accepted(atMs) {
      const sinceMs = state.lostAtMs ?? state.blockedAtMs;
      [acceptedMs, answeredMs] = [atMs, atMs];
      if (sinceMs === undefined) return;
      const what = state.lostAtMs === undefined ? 'the database accepts writes again' : 'the database answers again';
      log.info({ afterMs: atMs - sinceMs }, what);
      become({});
    },

    blocked(code, atMs) {
      answeredMs = atMs;
      if (state.blockedAtMs !== undefined && state.code === code) return;
      const next = { blockedAtMs: state.blockedAtMs ?? acceptedMs, code };
      log.error({ code, why: writeProblem(code) }, 'the database accepts no writes; Fanfare waits, and nothing is lost');
      become(next);
    },

    lost(cause) {
      if (state.lostAtMs !== undefined) return;
      const code = codeOf(cause);
      log.error({ code, why: messageOf(cause) }, 'the database does not answer; Fanfare waits, and nothing is lost');
      become({ lostAtMs: answeredMs, code });
    },

    failed(cause) {
      const isFirst = clock.nowMs() - failedMs >= QUIET_MS;
      failedMs = clock.nowMs();
      // During an outage, this is no news.
      if (isFirst && state.lostAtMs === undefined && state.blockedAtMs === undefined)
        log.warn({ code: codeOf(cause), why: messageOf(cause) }, 'a connection to the database failed; Fanfare opens another one');
    },
  };
}

/** Why Fanfare is not ready; undefined while the database accepts writes. The address of the database is only in the log. */
export function databaseProblem({ lostAtMs, blockedAtMs, code }: DatabaseState): string | undefined {
  if (lostAtMs !== undefined) {
    return `the database has not answered since ${timeOf(lostAtMs)}${code === undefined ? '' : ` (${code})`}. ${WAITS}`;
  }
  if (blockedAtMs === undefined) return undefined;
  return `the database has accepted no write since ${timeOf(blockedAtMs)}: ${writeProblem(code ?? '')}. ${WAITS}`;
}

const WAITS = 'Fanfare waits for it, and nothing is lost';

function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** By the event of PostgreSQL that a write waits for, by its error, or by the error of SQLite, whose file is in the data folder. */
const CAUSES: Readonly<Record<string, string>> = {
  SyncRep: 'it waits for a synchronous standby',
  '25006': 'it is read-only. Set DATABASE_URL to the primary server, or let the administrator of PostgreSQL allow writes',
  '28000': 'it refuses the user',
  '28P01': 'it refuses the user or the password',
  '3D000': 'it does not exist',
  '42P01': 'its tables are missing: the schema was renamed, moved or deleted',
  '42501': 'the user lacks a right',
  '53100': 'its disk is full. The administrator of PostgreSQL must free some space',
  '53200': 'it has no memory left. The administrator of PostgreSQL must give it more',
  pool: 'it gives Fanfare no further connections. The administrator of PostgreSQL must raise max_connections, or the connection limit of the user or the database',
  '58030': 'its volume reports errors. The administrator of PostgreSQL must repair it',
  SQLITE_BUSY: 'another program has locked its file. The administrator of the machine must end that program, or its transaction',
  SQLITE_FULL: 'the disk of the data folder is full. The administrator of the machine must free some space',
  SQLITE_READONLY: 'the data folder is read-only. The administrator of the machine must make it writable for the user of Fanfare',
  SQLITE_CANTOPEN: 'its file cannot be opened. The administrator of the machine must make the data folder writable for the user of Fanfare',
  SQLITE_IOERR: 'the disk of the data folder reports errors. The administrator of the machine must repair it, or make it writable',
};

/** Why a database accepts no writes, by `DatabaseState.code`. */
export function writeProblem(code: string): string {
  return CAUSES[code] ?? `it waits (${code === '' ? 'no reason is known' : code})`;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'the reason is unknown';
}
