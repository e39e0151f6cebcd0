import { type APIChannel, type APIGuild, type REST, Routes } from 'discord.js';
import { textsFor } from './languages.ts';
import type { Texts } from './texts.ts';

/** The texts in the language of the server of a channel; English if Discord does not tell the language. */
export async function serverTexts(rest: REST, channelId: string): Promise<Texts> {
  try {
    const channel = (await rest.get(Routes.channel(channelId))) as APIChannel; // as Discord documents it
    const id = 'guild_id' in channel ? (channel.guild_id ?? '') : '';
    return textsFor(((await rest.get(Routes.guild(id))) as APIGuild).preferred_locale); // as Discord documents it
  } catch {
    return textsFor('en-US');
  }
}
