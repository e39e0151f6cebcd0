/** The weekdays as cron expressions write them, from Sunday on. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const ENGLISH = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const GERMAN = ['sonntag', 'montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag'];
/** The German abbreviations have two letters. */
const SHORT_GERMAN = ['so', 'mo', 'di', 'mi', 'do', 'fr', 'sa'];

/** The number of a weekday that people write in words, from 0 for Sunday; undefined: the word is none. */
export function weekdayOf(word: string): number | undefined {
  const name = word.toLowerCase().replace(/[.s]$/u, '');
  const found = [WEEKDAYS, ENGLISH, GERMAN, SHORT_GERMAN].map((names) => names.findIndex((one) => one === name)).find((day) => day >= 0);
  return found ?? (name === 'sonnabend' ? 6 : undefined);
}

/** The English name of a weekday in the plural, for example `Fridays`. */
export function pluralOf(weekday: number): string {
  const name = ENGLISH[weekday] ?? '';
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}s`;
}
