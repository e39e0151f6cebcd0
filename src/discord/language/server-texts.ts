import { type APIChannel, type APIGuild, type REST, Routes } from 'discord.js';
import type { ServerStore } from '#src/admin/servers/server-store.ts';
import { textsFor } from './languages.ts';
import type { Texts } from './texts.ts';

/** The texts in the language that the server of a channel has in Fanfare, or else in Discord; English if Discord does not tell it. */
export async function serverTexts(rest: REST, channelId: string, stored: Pick<ServerStore, 'find'> | undefined): Promise<Texts> {
  try {
    const channel = (await rest.get(Routes.channel(channelId))) as APIChannel; // as Discord documents it
    const id = 'guild_id' in channel ? (channel.guild_id ?? '') : '';
    const chosen = (await stored?.find(id).catch(() => undefined))?.language;
    return textsFor(chosen ?? ((await rest.get(Routes.guild(id))) as APIGuild).preferred_locale); // as Discord documents it
  } catch {
    return textsFor('en-US');
  }
}
