import { Routes, type APIChannel, type APIGuild, type Client } from 'discord.js';
import { wordsFor } from './languages.ts';
import type { Words } from './words.ts';

/** What is said to all in a channel, in the language of its server; English where Discord does not tell which that is. */
export async function serverWords(client: Client, channelId: string): Promise<Words> {
  try {
    return wordsFor(await localeOf(client, channelId));
  } catch {
    return wordsFor('en-US');
  }
}

async function localeOf({ channels, guilds, rest }: Client, channelId: string): Promise<string> {
  const known = channels.cache.get(channelId);
  if (known && !known.isDMBased()) return known.guild.preferredLocale;
  // Threads are kept nowhere, and without a gateway nothing is.
  const channel = (await rest.get(Routes.channel(channelId))) as APIChannel; // as Discord documents it
  const id = 'guild_id' in channel ? (channel.guild_id ?? '') : '';
  const guild = guilds.cache.get(id);
  return guild?.preferredLocale ?? ((await rest.get(Routes.guild(id))) as APIGuild).preferred_locale; // as Discord documents it
}
