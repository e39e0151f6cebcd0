import { UserError } from '#src/errors.ts';
import type { Language } from '#src/streaming/enumerations.ts';
import type { Asker } from '../asker.ts';
import type { Suggestion } from '../commands/command.ts';
import { eachLocale } from '../language/each-locale.ts';
import type { Words } from '../language/words.ts';
import { escaped } from '../text/foreign-text.ts';

/** What the languages of clips, videos and streams are called in BCP 47. */
const TAGS: Readonly<Record<Language, string>> = {
  AR: 'ar',
  ASL: 'ase',
  BG: 'bg',
  CA: 'ca',
  CS: 'cs',
  DA: 'da',
  DE: 'de',
  EL: 'el',
  EN: 'en',
  ES: 'es',
  FI: 'fi',
  FR: 'fr',
  HI: 'hi',
  HU: 'hu',
  ID: 'id',
  IT: 'it',
  JA: 'ja',
  KO: 'ko',
  MS: 'ms',
  NL: 'nl',
  NO: 'no',
  OTHER: 'und',
  PL: 'pl',
  PT: 'pt',
  RO: 'ro',
  RU: 'ru',
  SK: 'sk',
  SV: 'sv',
  TH: 'th',
  TL: 'tl',
  TR: 'tr',
  UK: 'uk',
  VI: 'vi',
  ZH: 'zh',
  ZH_HK: 'zh-HK',
};
const CODES = Object.keys(TAGS) as readonly Language[]; // the record has exactly these

const names = eachLocale((locale) => new Intl.DisplayNames([locale], { type: 'language', style: 'short' }));

type Reader = Pick<Asker, 'words' | 'locale'>;

/** What a language is called in the reader's. */
export function languageName(code: Language, { words: { lookups }, locale }: Reader): string {
  if (code === 'OTHER') return lookups.otherLanguage;
  if (code === 'ASL') return lookups.signLanguage;
  return names(locale).of(TAGS[code]) ?? code;
}

/** The language that somebody typed or picked: its code, or its name in their language or in English. */
export function languageOf(typed: string, reader: Reader): Language {
  const code = typed.trim().toUpperCase().replaceAll('-', '_');
  const wanted = typed.trim().toLowerCase();
  const found =
    CODES.find((one) => one === code) ??
    CODES.find((one) => [languageName(one, reader), englishName(one, reader.words)].some((name) => name.toLowerCase() === wanted));
  if (found === undefined) throw new UserError(reader.words.lookups.noLanguage(escaped(typed, 50)));
  return found;
}

/** The languages that somebody who types may mean, their own first. */
export function languageSuggestions(typed: string, reader: Reader): readonly Suggestion[] {
  const wanted = typed.trim().toLowerCase();
  const own = reader.locale.split('-')[0]?.toUpperCase();
  const all = CODES.map((code) => ({ name: languageName(code, reader), value: code }));
  const fitting = all.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value.toLowerCase().startsWith(wanted));
  const rank = ({ name, value }: (typeof all)[number]): number =>
    value === own && wanted === '' ? 0 : wanted !== '' && name.toLowerCase().startsWith(wanted) ? 1 : 2;
  return fitting.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, reader.locale));
}

function englishName(code: Language, words: Words): string {
  return languageName(code, { words, locale: 'en' });
}
