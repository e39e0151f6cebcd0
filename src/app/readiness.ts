import type { Readiness } from '#src/web/views.ts';
import type { DiscordConnection } from './connect-discord.ts';

/** So many rules are named. */
const NAMED = 3;

export interface ReadinessOptions {
  readonly discord: Pick<DiscordConnection, 'state' | 'problem'>;
  /** The rules that cannot be run. */
  readonly stuck: readonly string[];
  /** How many rules are on. */
  readonly running: number;
}

/** Whether what is decided goes out, and what is in its way. */
export function readinessOf({ discord, stuck, running }: ReadinessOptions): Readiness {
  // Rules run without the gateway, so only the first connection is waited for.
  if (discord.state === 'connecting') return { ready: false, why: discord.problem ?? 'Discord is not connected yet' };
  if (stuck.length > 0) {
    const names = stuck.length > NAMED ? `${stuck.length} rules` : stuck.join(', ');
    return { ready: stuck.length < running, why: `${names} could not be run: the log says why` };
  }
  return { ready: true, why: discord.state === 'restoring' ? 'the connection to Discord is being restored' : discord.problem };
}
