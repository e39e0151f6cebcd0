import type { Fault } from '#src/errors.ts';
import type { AccountProblem } from './accounts.ts';
import { readinessMessage } from './readiness-message.ts';
import type { ReadinessReason } from './readiness-reason.ts';
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
  const { lostAtMs: databaseLostAtMs, blockedAtMs, code } = database;
  if (databaseLostAtMs !== undefined) return because({ kind: 'databaseLost', lostAtMs: databaseLostAtMs, code });
  if (blockedAtMs !== undefined) return because({ kind: 'databaseBlocked', blockedAtMs, code });
  const { state, problem, lostAtMs } = discord;
  const discordProblem = problem === undefined ? undefined : ({ kind: 'discordProblem', problem } as const);
  if (state === 'connecting') return because(discordProblem ?? { kind: 'discordConnecting' });
  // Rules announce nothing in a server that does not admit the bot, and only an operator can change that.
  if (discordProblem && (state === 'failed' || state === 'connected')) return because(discordProblem);
  if (state === 'failed') return { ready: false };
  const refusal = accountProblems.find(({ fault }) => REFUSALS.has(fault));
  if (refusal) return because({ kind: 'accountRefused', ...refusal });
  if (lostAtMs !== undefined && nowMs - lostAtMs >= RESTORE_MS) return because({ kind: 'discordLost' });
  if (unloaded > 0) return because({ kind: 'noRuleLoaded', files: unloaded });
  if (stuck.length > 0) {
    const rules = stuck.length > NAMED ? [] : stuck;
    return because({ kind: 'rulesNotRun', rules, count: stuck.length }, stuck.length < running);
  }
  return state === 'restoring' ? because({ kind: 'discordRestoring' }, true) : { ready: true };
}

function because(reason: ReadinessReason, ready = false): Readiness {
  return { ready, message: readinessMessage(reason), reason };
}
