import { type BaseInteraction, DiscordAPIError, HTTPError } from 'discord.js';
import type { ServerStore } from '#src/admin/servers/server-store.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { lackingOf, readServerState } from '#src/discord/servers/server-state.ts';
import { targetOf } from './followed-list.ts';

/** That the bot cannot post in a channel, with the missing permissions; undefined: it can, or Discord does not answer. */
export async function channelWarning(
  channel: string,
  { client, guildId }: Pick<BaseInteraction, 'client' | 'guildId'>,
  { texts: { following, setup } }: Pick<Caller, 'texts'>,
): Promise<string | undefined> {
  try {
    const bits = await (await readServerState(client.rest, { server: guildId ?? '', bot: client.user.id })).inChannel(channel);
    if (bits === undefined) return setup.channel.gone;
    const lacking = lackingOf(bits);
    return lacking.length === 0 ? undefined : following.lacks(`<#${channel}>`, lacking.map((name) => setup.permissions[name]).join(', '));
  } catch (error) {
    if (error instanceof DiscordAPIError || error instanceof HTTPError) return undefined;
    throw error;
  }
}

/** Why the cards of an entry cannot appear in its channel; undefined: they can. */
export async function entryWarning(
  { fields }: Pick<ListEntry, 'fields'>,
  interaction: Pick<BaseInteraction, 'client' | 'guildId'>,
  caller: Caller,
  { storedServers }: { readonly storedServers: Pick<ServerStore, 'find'> },
): Promise<string | undefined> {
  const { channel } = targetOf(fields, await storedServers.find(requireServer(caller)));
  return channel === undefined ? undefined : channelWarning(channel, interaction, caller);
}
