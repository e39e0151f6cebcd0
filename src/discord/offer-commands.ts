import type { Clock } from '#src/clock.ts';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import type { Log } from '#src/log.ts';
import type { Command } from './command.ts';
import { logFailedWrite } from './explain-error.ts';
import { type CommandsIn, isAccessDenied, refusedRequest, register, type Registrar } from './register.ts';

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
const NOT_OFFERED =
  'Discord does not allow the bot to register commands: check DISCORD_GUILD_ID, and invite the bot with npx fanfare auth discord.';

export interface OfferOptions {
  readonly commands: readonly Command[];
  readonly commandsIn?: CommandsIn | undefined;
  readonly servers: readonly DiscordServer[];
  readonly settings: Pick<DiscordSettings, 'roles'>;
  /** Called with the servers that refuse the commands. */
  readonly onDenied: (servers: readonly DiscordServer[]) => void;
  /** Called with the problem if Discord refuses the commands everywhere. */
  readonly onProblem: (problem: string) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Registers the commands, and returns whether anything changed. Retries while Discord refuses them, because the refusal may be temporary. */
export async function offerCommands(registrar: Registrar, options: OfferOptions): Promise<boolean> {
  const { commands, onDenied, onProblem, clock, log, signal } = options;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await register(registrar, commands, { ...options, onAccessDenied: onDenied });
    } catch (error) {
      if (!isAccessDenied(error)) throw error;
      log.warn({ ...refusedRequest(error), pauseMs }, NOT_OFFERED);
      onProblem(NOT_OFFERED);
      await clock.sleep(pauseMs, signal);
    }
  }
}

/** Registers the commands in servers after a pause, until they accept them. Calls `onDenied` after each attempt with an answer. Never rejects. */
export async function offerLater(
  registrar: Registrar,
  servers: readonly DiscordServer[],
  { firstPauseMs = FIRST_PAUSE_MS, ...options }: Omit<OfferOptions, 'servers' | 'onProblem'> & { readonly firstPauseMs?: number },
): Promise<void> {
  const { commands, commandsIn, settings, onDenied, clock, log, signal } = options;
  let denied = servers;
  for (let pauseMs = firstPauseMs; denied.length > 0; pauseMs = Math.min(Math.max(pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)) {
    await clock.sleep(pauseMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await register(registrar, commands, { servers: denied, commandsIn, settings, log, onAccessDenied: (from) => (denied = from) });
    } catch (error) {
      if (!isAccessDenied(error)) {
        logFailedWrite(log, error, 'the commands could not be registered; Fanfare retries');
        continue;
      }
    }
    onDenied(denied);
  }
}
