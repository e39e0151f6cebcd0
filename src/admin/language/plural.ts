/** Picks the form of a noun for a count, by the rules of a language. */
export function pluralIn(language: 'en' | 'de'): (count: number, one: string, other: string) => string {
  const rules = new Intl.PluralRules(language, { maximumFractionDigits: 2 });
  return (count, one, other) => (rules.select(count) === 'one' ? one : other);
}
