/** The languages of the page. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The texts of a page in each language. */
export type Texts<T = unknown> = Readonly<Record<Language, T>>;
