import { DiscordAPIError, Routes, type Client } from 'discord.js';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import type { Log } from '#src/log.ts';
import { offeredTo } from './access/abilities.ts';
import type { Command } from './commands/command.ts';

export interface RegisterOptions {
  readonly servers: readonly DiscordServer[];
  readonly settings: Pick<DiscordSettings, 'roles'>;
  readonly log: Log;
  /** Told of the servers that do not let the bot in, where others do. */
  readonly onShutOut?: ((servers: readonly DiscordServer[]) => void) | undefined;
}

/** What it needs of a client that is online. */
export type Registrar = Pick<Client<true>, 'rest'> & { readonly application: { readonly id: string } };

/**
 * Makes Discord offer these commands and no others in each of the servers, or everywhere where none is named; whether anything had to be
 * changed for that. A server that does not let the bot in keeps the others from nothing; where all do not, the error of the first is thrown.
 */
export async function register(
  { rest, application: { id } }: Registrar,
  commands: readonly Command[],
  { servers, settings, log, onShutOut }: RegisterOptions,
): Promise<boolean> {
  const forms = commands.map(({ data, needs }) => ({
    ...data,
    default_member_permissions: offeredTo(needs, settings)?.toString() ?? null,
  }));
  // Through JSON, because the builders leave `undefined` behind.
  const wanted: unknown = JSON.parse(JSON.stringify(forms.toSorted(byName)));

  async function offer(route: `/${string}`): Promise<boolean> {
    // Without this, Discord leaves the names in other languages out.
    const offered = await rest.get(route, { query: new URLSearchParams({ with_localizations: 'true' }) });
    if (Array.isArray(offered) && holds(offered.toSorted(byName), wanted)) return false;
    await rest.put(route, { body: wanted });
    return true;
  }

  if (servers.length === 0) return offer(Routes.applicationCommands(id));
  const results = await Promise.allSettled(servers.map((server) => offer(Routes.applicationGuildCommands(id, server.id))));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const unexpected = failures.find((reason) => !isShutOut(reason));
  if (unexpected !== undefined || failures.length === servers.length) throw unexpected ?? failures[0];
  const closed = servers.filter((_, index) => results[index]?.status === 'rejected');
  for (const { account, id: server } of closed) {
    log.error(
      { account, server },
      'the bot is not in a server, or may offer no commands there: invite it with the scope applications.commands',
    );
  }
  onShutOut?.(closed);
  return results.some((result) => result.status === 'fulfilled' && result.value);
}

/** Whether the bot is not in a server, or may offer nothing there; a single such answer may also be a fault that passes. */
export function isShutOut(reason: unknown): reason is DiscordAPIError {
  return reason instanceof DiscordAPIError && [403, 404].includes(reason.status);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** Whether all that is wanted is there; Discord adds fields of its own, and leaves out what is false. */
function holds(offered: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(offered) && offered.length === wanted.length && wanted.every((entry, index) => holds(offered[index], entry));
  }
  if (typeof wanted !== 'object' || wanted === null)
    return offered === wanted || (offered === undefined && (wanted === false || wanted === null));
  if (typeof offered !== 'object' || offered === null) return false;
  const fields = new Map<string, unknown>(Object.entries(offered));
  return Object.entries(wanted).every(([key, value]) => holds(fields.get(key), value));
}
