import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { DatabaseState } from './records.ts';

export interface DatabaseHealthOptions {
  /** Called when the database stops answering, and when it answers again. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whether the database answers, as its connections report. */
export interface DatabaseHealth {
  state(): DatabaseState;
  /** A statement begins. The result belongs to `answered`. */
  asked(): number;
  /** The database answered a statement, with a result or an error. */
  answered(asked: number): void;
  /** A connection was lost, or could not be opened. */
  lost(cause: unknown): void;
}

/** A database that answers. Changes are logged once. */
export function createDatabaseHealth({ onChange, clock, log }: DatabaseHealthOptions): DatabaseHealth {
  let state: DatabaseState = {};
  let losses = 0;

  return {
    state: () => state,

    asked: () => losses,

    answered(asked) {
      const { lostAtMs } = state;
      // An answer to an earlier statement proves nothing.
      if (lostAtMs === undefined || asked !== losses) return;
      state = {};
      log.info({ afterMs: clock.nowMs() - lostAtMs }, 'the database answers again');
      onChange();
    },

    lost(cause) {
      losses += 1;
      if (state.lostAtMs !== undefined) return;
      state = { lostAtMs: clock.nowMs(), code: codeOf(cause) };
      log.error({ code: state.code, why: messageOf(cause) }, 'the database does not answer; Fanfare waits, and nothing is lost');
      onChange();
    },
  };
}

/** Why Fanfare is not ready; undefined while the database answers. The address of the database is only in the log. */
export function databaseProblem({ lostAtMs, code }: DatabaseState): string | undefined {
  if (lostAtMs === undefined) return undefined;
  const since = `${new Date(lostAtMs).toISOString().slice(0, 19)}Z`;
  return `the database has not answered since ${since}${code === undefined ? '' : ` (${code})`}. Fanfare waits for it, and nothing is lost`;
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'the reason is unknown';
}
