import { DiscordAPIError, RESTJSONErrorCodes, Routes, type APIRole, type ChatInputCommandInteraction } from 'discord.js';
import { settlesWithin, type Clock } from '#src/clock.ts';
import { SOON_MS } from '#src/discord/reply.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import { editForm, shownFields } from './edit-form.ts';

/** Shows the form of a followed streamer, without a deleted channel or role: Discord refuses a form with one. */
export async function showEditForm(
  interaction: Pick<ChatInputCommandInteraction, 'client' | 'showModal'>,
  entry: ListEntry,
  caller: Pick<Caller, 'server' | 'texts'>,
  clock: Clock,
): Promise<void> {
  const { rest } = interaction.client;
  const { channel, ping } = shownFields(entry);
  const gone = new Set<string>();

  async function checkChannel(id: string): Promise<void> {
    try {
      // A thread is in no list of channels, and Discord refuses a hidden channel with another code.
      await rest.get(Routes.channel(id));
    } catch (error) {
      if (error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownChannel) gone.add(id);
    }
  }

  async function checkRole(id: string): Promise<void> {
    const roles = (await rest.get(Routes.guildRoles(requireServer(caller)))) as readonly APIRole[]; // as Discord documents it
    if (!roles.some((role) => role.id === id)) gone.add(id);
  }

  const checks = [...(channel === undefined ? [] : [checkChannel(channel)]), ...(ping === undefined ? [] : [checkRole(ping)])];
  await settlesWithin(Promise.all(checks), SOON_MS, clock);
  await interaction.showModal(editForm(entry, gone, caller.texts));
}
