import { BoundedCache } from './language/bounded-cache.ts';

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

const STYLES = {
  date: { dateStyle: 'medium' },
  time: { timeStyle: 'short' },
  short: { dateStyle: 'short', timeStyle: 'short' },
  medium: { dateStyle: 'medium', timeStyle: 'short' },
  long: { dateStyle: 'long', timeStyle: 'short' },
  full: { dateStyle: 'full', timeStyle: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** How `date` can say an instant. */
export const DATE_STYLES: readonly string[] = Object.keys(STYLES);

/** A number in few characters, as `5.2K`. */
export function compactText(n: number | bigint): string {
  return COMPACT.format(n);
}

/** Names that were asked for; making a format to find out takes long. */
const zones = new BoundedCache<{ readonly exists: boolean }>(200);

/** Whether there is such a time zone. */
export function isZone(zone: string): boolean {
  return zones.get(zone, () => ({ exists: canFormat(zone) })).exists;
}

function canFormat(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Says instants in a zone and a style; formats are kept, as making one is slow. */
export function dateSpeaker(): (instant: Date, zone: string, style: string) => string {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (instant, zone, style) => {
    const key = `${style} ${zone}`;
    const format = formats.get(key) ?? new Intl.DateTimeFormat('en', { ...optionsOf(style), timeZone: zone });
    formats.set(key, format);
    // Node puts U+202F before AM and PM, which many fonts lack.
    return format.format(instant).replaceAll('\u202F', ' ');
  };
}

function optionsOf(style: string): Intl.DateTimeFormatOptions {
  const known = Object.entries(STYLES).find(([name]) => name === style);
  if (!known) throw new RangeError(`date has no style "${style}"`);
  return known[1];
}
