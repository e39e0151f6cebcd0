import { z } from 'zod';

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Whether there is a language of this code, as `de` or `pt-BR`. */
function isLanguage(code: string): boolean {
  try {
    return names.of(code) !== undefined;
  } catch {
    return false;
  }
}

/** The code of a language, in its usual spelling. */
export function languageCode(): z.ZodType<string, string> {
  return z
    .string()
    .refine(isLanguage, { error: 'this is not a language code: write it as de, en or pt-BR', abort: true })
    .overwrite((code) => Intl.getCanonicalLocales(code)[0] ?? code);
}
