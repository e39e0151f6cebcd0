import { databaseProblem } from './database-health.ts';
import type { Fault } from '#src/errors.ts';
import type { AccountProblem } from './accounts.ts';
import type { DatabaseState, DiscordStatus, Readiness } from './records.ts';

/** The largest number of rules that the message names. */
const NAMED = 3;
/** Faults of an account that only an operator can correct: the token, or the access of the bot to the server. */
export const REFUSALS: ReadonlySet<Fault> = new Set(['unauthorized', 'forbidden', 'missing']);
/** The time to restore a lost connection to Discord before Fanfare is not ready. Rules run without the connection. */
const RESTORE_MS = 2 * 60_000;

export interface ReadinessOptions {
  readonly discord: DiscordStatus;
  /** The failures of the last uses of the Discord accounts. */
  readonly accountProblems?: readonly AccountProblem[] | undefined;
  /** The rules whose last slot failed. */
  readonly stuck: readonly string[];
  /** The number of running rules. */
  readonly running: number;
  /** The number of rule files with errors, if no rule could be loaded. */
  readonly unloaded?: number | undefined;
  readonly database?: DatabaseState | undefined;
  readonly nowMs: number;
}

/** Whether Fanfare can run rules and deliver announcements, with the obstacle if there is one. */
export function readinessOf({
  discord,
  accountProblems = [],
  stuck,
  running,
  unloaded = 0,
  database = {},
  nowMs,
}: ReadinessOptions): Readiness {
  // Nothing runs without the database.
  const problemOfDatabase = databaseProblem(database);
  if (problemOfDatabase !== undefined) return { ready: false, message: problemOfDatabase };
  const { state, problem, lostAtMs } = discord;
  if (state === 'connecting') return { ready: false, message: problem ?? 'Discord is not connected yet' };
  // Rules announce nothing in a server that does not admit the bot, and only an operator can change that.
  if (state === 'failed' || (state === 'connected' && problem !== undefined)) return { ready: false, message: problem };
  const refusal = accountProblems.find(({ fault }) => REFUSALS.has(fault));
  if (refusal) return { ready: false, message: refusal.problem };
  if (lostAtMs !== undefined && nowMs - lostAtMs >= RESTORE_MS) {
    return { ready: false, message: 'the connection to Discord was lost more than two minutes ago and is not restored: see the log' };
  }
  if (unloaded > 0) {
    const files = unloaded === 1 ? 'the rule file has errors' : `all ${unloaded} rule files have errors`;
    return { ready: false, message: `no rule could be loaded, because ${files}: run fanfare check` };
  }
  if (stuck.length > 0) {
    const names = stuck.length > NAMED ? `${stuck.length} rules` : stuck.join(', ');
    return { ready: stuck.length < running, message: `${names} could not be run: see the log` };
  }
  return { ready: true, message: state === 'restoring' ? 'the connection to Discord is being restored' : undefined };
}
