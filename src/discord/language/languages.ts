import type { SharedNameAndDescription } from 'discord.js';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import type { Texts, Title } from './texts.ts';

const OTHERS: ReadonlyMap<string, Texts> = new Map([['de', de]]);

/** The Discord locales of all languages except English. */
export const otherLanguages: readonly string[] = [...OTHERS.keys()];

/** The texts for a locale, for example `de` or `en-GB`; English for unsupported languages. */
export function textsFor(locale: string): Texts {
  return OTHERS.get(locale) ?? OTHERS.get(locale.split('-')[0] ?? '') ?? en;
}

/** The locale in whose language the texts for a locale are: units and months are words. */
export function localeOfTexts(locale: string): string {
  const { tag } = textsFor(locale).lookups;
  return locale.split('-')[0] === tag ? locale : tag;
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
