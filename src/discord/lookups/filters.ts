import { UserError } from '#src/errors.ts';
import { Language } from '#src/clients/streaming/enumerations.ts';
import type { Caller, Reader } from '#src/discord/caller.ts';
import type { Suggestion } from '#src/discord/command.ts';
import { cachedByLocale } from '#src/discord/text/format.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import type { Field, OptionValues } from './fields.ts';

const CODES = Object.values(Language);
const MAX_TAGS = 10;

const names = cachedByLocale((locale) => new Intl.DisplayNames([locale], { type: 'language', style: 'short' }));

/** The option for the language of streams, clips and videos. Discord shows fewer choices than there are languages. */
export const languageField: Field = {
  title: ({ lookups }) => lookups.options.language,
  parse: languageOf,
  suggest: async (typed, _values, caller) => languageSuggestions(typed, caller),
};

/** The option for tags. An item needs one of them. */
export const tagsField: Field = { title: ({ lookups }) => lookups.options.tags };

interface Filters {
  readonly tags: readonly string[];
  readonly language: Language | undefined;
  /** The end of a heading, for example ` in German with the tag speedrun`; empty without filters. */
  readonly label: string;
}

/** The filters in the options of a command. */
export function filtersIn({ tags: typed, language: named }: OptionValues, caller: Caller): Filters {
  const { texts } = caller;
  const tags = tagsIn(typed);
  const language = named === undefined ? undefined : languageOf(named, caller);
  const label = texts.lookups.filters(
    language && languageName(language, { texts, locale: texts.lookups.tag }),
    tags.map((tag) => `“${escaped(tag, 40)}”`),
  );
  return { tags, language, label };
}

function tagsIn(typed = ''): readonly string[] {
  const tags = typed.split(',').map((tag) => tag.trim().replace(/^#/u, ''));
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, MAX_TAGS);
}

/** The language with a typed code, or with a typed name in the language of the user or in English. */
function languageOf(typed: string, reader: Reader): Language {
  const { texts } = reader;
  const code = typed.trim().toUpperCase().replaceAll('-', '_');
  const wanted = typed.trim().toLowerCase();
  const isNamed = (one: Language): boolean =>
    [languageName(one, reader), languageName(one, { texts, locale: 'en' })].some((name) => name.toLowerCase() === wanted);
  const found = CODES.find((one) => one === code) ?? CODES.find(isNamed);
  if (found === undefined) throw new UserError(texts.lookups.noLanguage(escaped(typed, 50)));
  return found;
}

/** The languages that fit the typed text, the user's language first. */
function languageSuggestions(typed: string, reader: Reader): readonly Suggestion[] {
  const wanted = typed.trim().toLowerCase();
  const preferred = reader.locale.split('-')[0]?.toUpperCase();
  const all = CODES.map((code) => ({ name: languageName(code, reader), value: code }));
  const fitting = all.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value.toLowerCase().startsWith(wanted));
  const rank = ({ name, value }: (typeof all)[number]): number =>
    value === preferred && wanted === '' ? 0 : wanted !== '' && name.toLowerCase().startsWith(wanted) ? 1 : 2;
  return fitting.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, reader.locale));
}

function languageName(code: Language, { texts: { lookups }, locale }: Reader): string {
  if (code === 'OTHER') return lookups.otherLanguage;
  if (code === 'ASL') return lookups.signLanguage;
  return names(locale).of(code.replace('_', '-')) ?? code;
}
