import { type APIChannel, type APIGuild, type Client, Routes, type SharedNameAndDescription } from 'discord.js';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import type { Texts, Title } from './texts.ts';

const OTHERS: ReadonlyMap<string, Texts> = new Map([['de', de]]);

/** The Discord locales of all languages except English. */
export const otherLanguages: readonly string[] = [...OTHERS.keys()];

/** The texts for a locale, as `de` or `en-GB`; English for unsupported languages. */
export function textsFor(locale: string): Texts {
  return OTHERS.get(locale) ?? OTHERS.get(locale.split('-')[0] ?? '') ?? en;
}

/** Sets the name and the description of a command or an option in every language. */
export function localize<B extends SharedNameAndDescription>(builder: B, pick: (texts: Texts) => Title): B {
  const others = [...OTHERS].map(([locale, texts]) => [locale, pick(texts)] as const);
  const { name, description } = pick(en);
  builder
    .setName(name)
    .setDescription(description)
    .setNameLocalizations(Object.fromEntries(others.map(([locale, title]) => [locale, title.name])))
    .setDescriptionLocalizations(Object.fromEntries(others.map(([locale, title]) => [locale, title.description])));
  return builder;
}

/** A name in every language except English, for choices and menus. */
export function localizations(pick: (texts: Texts) => string): Readonly<Record<string, string>> {
  return Object.fromEntries([...OTHERS].map(([locale, texts]) => [locale, pick(texts)]));
}

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
