import { systemClock } from '#src/clock.ts';
import { DEFAULT_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import type { StartDiscordOptions } from '#src/discord/start.ts';
import { createLog } from '#src/log.ts';
import type { DiscordSandbox } from '../support/discord-sandbox.ts';
import { memorySavedViews } from '../support/memory-saved-views.ts';

/** Options of a bot without accounts on the simulated Discord. The log goes to `lines`. */
export function startOptions(discord: DiscordSandbox, lines: string[] = []): StartDiscordOptions {
  return {
    token: discord.token,
    servers: [{ account: 'discord', id: discord.guildId, zone: 'UTC' }],
    settings: DEFAULT_DISCORD_SETTINGS,
    apiUrl: discord.sandbox.environment['DISCORD_API_URL'],
    streaming: new Map(),
    social: new Map(),
    savedViews: memorySavedViews(),
    clock: systemClock,
    log: createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false }),
    signal: new AbortController().signal,
  };
}
