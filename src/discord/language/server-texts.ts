import { type APIChannel, type APIGuild, type Client, Routes } from 'discord.js';
import { textsFor } from './languages.ts';
import type { Texts } from './texts.ts';

/** The texts in the language of the server of a channel; English if Discord does not tell the language. */
export async function serverTexts(client: Client, channelId: string): Promise<Texts> {
  try {
    return textsFor(await localeOf(client, channelId));
  } catch {
    return textsFor('en-US');
  }
}

async function localeOf({ channels, guilds, rest }: Client, channelId: string): Promise<string> {
  const known = channels.cache.get(channelId);
  if (known && !known.isDMBased()) return known.guild.preferredLocale;
  // Threads are not cached.
  const channel = (await rest.get(Routes.channel(channelId))) as APIChannel; // as Discord documents it
  const id = 'guild_id' in channel ? (channel.guild_id ?? '') : '';
  const guild = guilds.cache.get(id);
  return guild?.preferredLocale ?? ((await rest.get(Routes.guild(id))) as APIGuild).preferred_locale; // as Discord documents it
}
