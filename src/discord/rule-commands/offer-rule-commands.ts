import type { Clock } from '#src/clock.ts';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import type { Log } from '#src/log.ts';
import type { Command } from '#src/discord/command.ts';
import { logFailedWrite } from '#src/discord/explain-error.ts';
import { register, type CommandsIn, type Registrar } from '#src/discord/register.ts';

const RETRY_MS = 60_000;

interface OfferRuleCommandsOptions {
  /** The commands that each of the servers offers beside those of rules; none if they are global. */
  readonly commands: readonly Command[];
  readonly servers: readonly DiscordServer[];
  /** Whether the servers already offer what the rules have at the start. */
  readonly isOffered: boolean;
  readonly commandsIn: CommandsIn;
  /** See `RuleCommands.onChange`. */
  readonly onChange: (listener: () => void) => () => void;
  readonly settings: Pick<DiscordSettings, 'roles'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Offers the commands of rules again whenever a reload changes them, until `signal` aborts. Never rejects. */
export async function offerRuleCommands(registrar: Registrar, options: OfferRuleCommandsOptions): Promise<void> {
  const { commands, servers, commandsIn, settings, clock, log, signal } = options;
  if (servers.length === 0) return;
  const formsNow = (): string => JSON.stringify(servers.map((server) => commandsIn(server).map(({ data }) => data)));
  let offered = options.isOffered ? formsNow() : undefined;
  let changed = Promise.withResolvers<void>();
  const unsubscribe = options.onChange(() => changed.resolve());
  const stop = (): void => changed.resolve();
  signal.addEventListener('abort', stop, { once: true });
  if (!options.isOffered) changed.resolve();
  try {
    for (;;) {
      await changed.promise;
      if (signal.aborted) return;
      changed = Promise.withResolvers();
      const forms = formsNow();
      if (forms === offered) continue;
      try {
        await register(registrar, commands, { servers, commandsIn, settings, log });
        offered = forms;
      } catch (error) {
        if (signal.aborted) return;
        logFailedWrite(log, error, 'the commands of rules could not be registered; Fanfare retries');
        await clock.sleep(RETRY_MS, signal).catch(() => undefined);
        changed.resolve();
      }
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', stop);
  }
}
