import { createContext, useContext } from './preact.mjs';
import type { Language, Texts } from '../language.ts';

export type { Language, Texts } from '../language.ts';

/** The words of badges, with their explanations. */
export type BadgeTexts<Name extends string> = Texts<Readonly<Record<Name, { readonly word: string; readonly title: string }>>>;

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
