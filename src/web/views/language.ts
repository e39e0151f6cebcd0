import { createContext, useContext } from './preact.mjs';

/** The languages of the views. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The texts of a view in each language. */
export type Texts<T = unknown> = Readonly<Record<Language, T>>;

/** The language of the reader, around all components of a view. */
export const LanguageContext = createContext<Language>('en');

/** The language of the reader. Only for components. */
export function useLanguage(): Language {
  return useContext(LanguageContext);
}

/** The texts in the language of the reader. Only for components. */
export function useTexts<T>(texts: Texts<T>): T {
  return texts[useLanguage()];
}
