import { Routes, type Client } from 'discord.js';
import type { Command } from './commands/command.ts';

/** Makes Discord offer these commands and no others; whether anything had to be changed for that. */
export async function register(client: Client<true>, commands: readonly Command[], guildId: string | undefined): Promise<boolean> {
  const { id } = client.application;
  const route = guildId === undefined ? Routes.applicationCommands(id) : Routes.applicationGuildCommands(id, guildId);
  // Through JSON, because the builders leave `undefined` behind.
  const wanted: unknown = JSON.parse(JSON.stringify(commands.map(({ data }) => data).toSorted(byName)));
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
  if (typeof wanted !== 'object' || wanted === null) return offered === wanted || (offered === undefined && wanted === false);
  if (typeof offered !== 'object' || offered === null) return false;
  const fields = new Map<string, unknown>(Object.entries(offered));
  return Object.entries(wanted).every(([key, value]) => holds(fields.get(key), value));
}
