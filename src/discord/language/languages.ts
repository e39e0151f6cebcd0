import type { SharedNameAndDescription } from 'discord.js';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import type { Title, Words } from './words.ts';

/** Every language beside English, by Discord's name for it. */
const OTHERS: ReadonlyMap<string, Words> = new Map([['de', de]]);

/** The languages that the bot speaks beside English, as Discord names them. */
export const otherLanguages: readonly string[] = [...OTHERS.keys()];

/** The words for somebody whose Discord speaks `locale`, as `de` or `en-GB`; English where there are none. */
export function wordsFor(locale: string): Words {
  return OTHERS.get(locale) ?? OTHERS.get(locale.split('-')[0] ?? '') ?? en;
}

/** Gives a command, a subcommand or an option its name and its purpose in every language. */
export function titled<B extends SharedNameAndDescription>(builder: B, pick: (words: Words) => Title): B {
  const others = [...OTHERS].map(([locale, words]) => [locale, pick(words)] as const);
  const { name, description } = pick(en);
  builder
    .setName(name)
    .setDescription(description)
    .setNameLocalizations(Object.fromEntries(others.map(([locale, title]) => [locale, title.name])))
    .setDescriptionLocalizations(Object.fromEntries(others.map(([locale, title]) => [locale, title.description])));
  return builder;
}

/** What something is called in every language beside English, as choices and menus want it. */
export function localized(pick: (words: Words) => string): Readonly<Record<string, string>> {
  return Object.fromEntries([...OTHERS].map(([locale, words]) => [locale, pick(words)]));
}
