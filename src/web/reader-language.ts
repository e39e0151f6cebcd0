import type { Context } from 'hono';
import { detectFromCookie, detectFromHeader } from 'hono/language';
import { LANGUAGES, type Language } from './language.ts';

const OPTIONS = {
  order: [],
  lookupQueryString: '',
  lookupCookie: 'language',
  lookupFromPathIndex: 0,
  lookupFromHeaderKey: 'accept-language',
  caches: false as const,
  ignoreCase: true,
  fallbackLanguage: 'en',
  supportedLanguages: [...LANGUAGES],
};

/** The language of the reader: from the cookie `language`, else the preferred language of the browser, else English. */
export function languageOf(c: Context): Language {
  const detected = detectFromCookie(c, OPTIONS) ?? detectFromHeader(c, OPTIONS);
  return LANGUAGES.find((language) => language === detected) ?? 'en';
}
