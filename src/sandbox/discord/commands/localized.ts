import { z } from 'zod';

/** The languages that people can have their Discord in. */
export const LOCALES: readonly string[] =
  'bg cs da de el en-GB en-US es-419 es-ES fi fr hi hr hu id it ja ko lt nl no pl pt-BR ro ru sv-SE th tr uk vi zh-CN zh-TW'.split(' ');

const Locale = z.string().refine((locale) => LOCALES.includes(locale), { error: 'Value is not a known locale.' });

/** Where one is missing, the other is shown before the default. */
const FALLBACKS: Readonly<Record<string, string>> = { 'en-US': 'en-GB', 'en-GB': 'en-US', 'es-419': 'es-ES' };

/** Texts by language, each of which is held to what the default is held to. */
export const localizations = (text: z.ZodType<string>) => z.record(Locale, text).nullish();

/** Something with a name of its own in some languages. */
export interface Named {
  readonly name: string;
  readonly name_localizations?: Readonly<Record<string, string>> | null | undefined;
}

/** What people see of it whose Discord is in `locale`. */
export function nameIn({ name, name_localizations: names }: Named, locale: string): string {
  return names?.[locale] ?? names?.[FALLBACKS[locale] ?? ''] ?? name;
}

/** Whether somebody means it who types `typed`: by its name in their language, or by its default. */
export function isCalled(thing: Named, typed: string, locale: string): boolean {
  return nameIn(thing, locale) === typed || thing.name === typed;
}

/** The first that has the same name as one before it, in any one language. */
export function indexOfRepeated(things: readonly Named[]): number {
  return things.findIndex((thing, index) =>
    LOCALES.some((locale) => things.slice(0, index).some((before) => nameIn(before, locale) === nameIn(thing, locale))),
  );
}

/** A command, or a part of one, as Discord tells it where nobody asks for all languages. */
export function withoutLocalizations<T extends object>(thing: T): T {
  const kept = Object.entries(thing).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'name_localizations' || key === 'description_localizations') return [];
    const isList = (key === 'options' || key === 'choices') && Array.isArray(value);
    return [[key, isList ? value.map((each: object) => withoutLocalizations(each)) : value] as const];
  });
  return Object.fromEntries(kept) as T; // these fields may be missing everywhere
}
