/** What `make` makes for a locale, made once: that takes longer than using it a hundred times, and Discord has some thirty. */
export function eachLocale<T>(make: (locale: string) => T): (locale: string) => T {
  const made = new Map<string, T>();
  return (locale) => {
    const known = made.get(locale);
    if (known !== undefined) return known;
    const one = make(locale);
    made.set(locale, one);
    return one;
  };
}
