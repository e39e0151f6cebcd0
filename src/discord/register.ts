import { Routes, type Client } from 'discord.js';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import { offeredTo } from './access/abilities.ts';
import type { Command } from './commands/command.ts';

export interface RegisterOptions {
  readonly servers: readonly DiscordServer[];
  readonly settings: Pick<DiscordSettings, 'roles'>;
}

/** Makes Discord offer these commands and no others in each of the servers, or everywhere where none is named; whether anything had to be changed for that. */
export async function register(
  client: Client<true>,
  commands: readonly Command[],
  { servers, settings }: RegisterOptions,
): Promise<boolean> {
  const { id } = client.application;
  const forms = commands.map(({ data, needs }) => ({
    ...data,
    default_member_permissions: offeredTo(needs, settings)?.toString() ?? null,
  }));
  // Through JSON, because the builders leave `undefined` behind.
  const wanted: unknown = JSON.parse(JSON.stringify(forms.toSorted(byName)));
  const routes =
    servers.length === 0 ? [Routes.applicationCommands(id)] : servers.map((server) => Routes.applicationGuildCommands(id, server.id));
  const changes = await Promise.all(routes.map((route) => offer(client, route, wanted)));
  return changes.includes(true);
}

async function offer(client: Client<true>, route: `/${string}`, wanted: unknown): Promise<boolean> {
  const offered = await client.rest.get(route);
  if (Array.isArray(offered) && holds(offered.toSorted(byName), wanted)) return false;
  await client.rest.put(route, { body: wanted });
  return true;
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
