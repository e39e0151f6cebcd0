import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
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

const YEAR_SECONDS = 31_536_000;

/** Stores the language that a reader chose in a form, or forgets it. The reader continues with the settings. */
export function chooseLanguage(c: Context): Response {
  const chosen = LANGUAGES.find((language) => language === c.req.query('language'));
  const options = { path: '/', httpOnly: true, sameSite: 'Lax' } as const;
  if (chosen) setCookie(c, OPTIONS.lookupCookie, chosen, { ...options, maxAge: YEAR_SECONDS });
  else deleteCookie(c, OPTIONS.lookupCookie, options);
  return c.redirect('/settings', 303);
}
