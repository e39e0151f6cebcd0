import { type BaseInteraction, DiscordAPIError, HTTPError } from 'discord.js';
import type { ServerStore } from '#src/admin/servers/server-store.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { includesPermission, lackingOf, readServerState, type ServerState } from '#src/discord/servers/server-state.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import { ID, targetOf } from './followed-list.ts';

type Interacted = Pick<BaseInteraction, 'client' | 'guildId'>;

/** That the bot cannot post in a channel, with the missing permissions; undefined: it can, or Discord does not answer. */
function channelWarning(channel: string, interaction: Interacted, caller: Pick<Caller, 'texts'>): Promise<string | undefined> {
  return inServer(interaction, (state) => warningIn(state, channel, caller));
}

/** The warnings about some channels: those in which the bot cannot post. None if Discord does not answer. */
export async function channelWarnings(
  channels: Iterable<string>,
  interaction: Interacted,
  caller: Pick<Caller, 'texts'>,
): Promise<ReadonlyMap<string, string>> {
  const found = await inServer(interaction, async (state) => {
    const all = await Promise.all([...channels].map(async (channel) => [channel, await warningIn(state, channel, caller)] as const));
    return all.flatMap(([channel, warning]) => (warning === undefined ? [] : [[channel, warning] as const]));
  });
  return new Map(found);
}

async function warningIn(
  state: ServerState,
  channel: string,
  { texts: { following, setup } }: Pick<Caller, 'texts'>,
): Promise<string | undefined> {
  // A list from a file or the API can have the name of a channel.
  if (!ID.test(channel)) return undefined;
  const bits = await state.inChannel(channel);
  if (bits === undefined) return following.gone;
  if (await state.isWithoutMessages(channel)) return setup.channel.noMessages(`<#${channel}>`);
  const lacking = lackingOf(bits);
  return lacking.length === 0 ? undefined : following.lacks(`<#${channel}>`, lacking.map((name) => setup.permissions[name]).join(', '));
}

/** That the bot cannot ping the role of a card, so that it reaches no one; undefined: it can, or the card has no ping. */
export function pingWarning(
  { channel, ping }: ReturnType<typeof targetOf>,
  interaction: Interacted,
  { texts: { setup } }: Pick<Caller, 'texts'>,
): Promise<string | undefined> {
  return inServer(interaction, async (state) => {
    const bits = channel === undefined || ping === undefined ? undefined : await state.inChannel(channel);
    if (ping === undefined || bits === undefined || includesPermission(bits, 'MentionEveryone')) return undefined;
    if (ping === 'everyone') return setup.ping.cannot('@everyone');
    // A list from a file can have the name of a role.
    const role = state.roles.find(({ id, name }) => id === ping || name === ping);
    if (!role && ID.test(ping)) return setup.ping.gone;
    return role?.mentionable === true ? undefined : setup.ping.cannot(role ? `<@&${role.id}>` : escaped(ping, 100));
  });
}

/** Reads the server; undefined: Discord does not answer. */
async function inServer<T>({ client, guildId }: Interacted, use: (state: ServerState) => Promise<T>): Promise<T | undefined> {
  try {
    return await use(await readServerState(client.rest, { server: guildId ?? '', bot: client.user.id }));
  } catch (error) {
    if (error instanceof DiscordAPIError || error instanceof HTTPError) return undefined;
    throw error;
  }
}

/** Why the cards of an entry cannot appear: it has no channel, or the bot cannot post there; undefined: they can. */
export async function entryWarning(
  { fields }: Pick<ListEntry, 'fields'>,
  interaction: Interacted,
  caller: Caller,
  { storedServers }: { readonly storedServers: Pick<ServerStore, 'find'> },
): Promise<string | undefined> {
  const { channel } = targetOf(fields, await storedServers.find(requireServer(caller)));
  return channel === undefined ? caller.texts.following.noTarget : channelWarning(channel, interaction, caller);
}
