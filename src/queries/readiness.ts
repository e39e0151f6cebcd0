import type { DiscordStatus, Readiness } from './records.ts';

/** So many rules are named. */
const NAMED = 3;
/** How long a lost connection to Discord may take to come back: rules run without it. */
const RESTORE_MS = 2 * 60_000;

export interface ReadinessOptions {
  readonly discord: DiscordStatus;
  /** Why Discord refuses the token at requests, if it does. */
  readonly refusal?: string | undefined;
  /** The rules that cannot be run. */
  readonly stuck: readonly string[];
  /** How many rules are on. */
  readonly running: number;
  readonly nowMs: number;
}

/** Whether what is decided goes out, and what is in its way. */
export function readinessOf({ discord, refusal, stuck, running, nowMs }: ReadinessOptions): Readiness {
  const { state, problem, lostAtMs } = discord;
  if (state === 'connecting') return { ready: false, why: problem ?? 'Discord is not connected yet' };
  // Rules announce nothing in a server that does not admit the bot, and only an operator can change that.
  if (state === 'failed' || (state === 'connected' && problem !== undefined)) return { ready: false, why: problem };
  if (refusal !== undefined) return { ready: false, why: refusal };
  if (lostAtMs !== undefined && nowMs - lostAtMs >= RESTORE_MS) {
    return { ready: false, why: 'the connection to Discord was lost more than two minutes ago and is not restored: the log says why' };
  }
  if (stuck.length > 0) {
    const names = stuck.length > NAMED ? `${stuck.length} rules` : stuck.join(', ');
    return { ready: stuck.length < running, why: `${names} could not be run: the log says why` };
  }
  return { ready: true, why: state === 'restoring' ? 'the connection to Discord is being restored' : undefined };
}
