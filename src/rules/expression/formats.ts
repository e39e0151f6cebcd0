import { closestName, editSteps } from '#src/clients/operation/closest-name.ts';
import { isZone } from '#src/clients/operation/zone.ts';
import { BoundedCache } from './bounded-cache.ts';

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

const STYLES = {
  date: { dateStyle: 'medium' },
  time: { timeStyle: 'short' },
  short: { dateStyle: 'short', timeStyle: 'short' },
  medium: { dateStyle: 'medium', timeStyle: 'short' },
  long: { dateStyle: 'long', timeStyle: 'short' },
  full: { dateStyle: 'full', timeStyle: 'short' },
  iso: { year: 'numeric', month: '2-digit', day: '2-digit' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** The styles of `date`. */
export const DATE_STYLES: readonly string[] = Object.keys(STYLES);

/** The styles of times in Discord. `R` is relative to now. */
export const DISCORD_TIME_STYLES: readonly string[] = ['t', 'T', 'd', 'D', 'f', 'F', 'R'];

/** Formats a number in few characters, for example `5.2K`. */
export function formatCompact(n: number | bigint): string {
  return COMPACT.format(n);
}

/** Caches names of zones, because making a format is slow. */
const zones = new BoundedCache<{ readonly exists: boolean }>(200);

/** Abbreviations without a zone of that name. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['mez', 'Europe/Berlin'],
  ['mesz', 'Europe/Berlin'],
  ['cest', 'Europe/Berlin'],
  ['bst', 'Europe/London'],
  ['edt', 'America/New_York'],
  ['et', 'America/New_York'],
  ['ct', 'America/Chicago'],
  ['cst', 'America/Chicago'],
  ['mt', 'America/Denver'],
  ['pst', 'America/Los_Angeles'],
  ['pdt', 'America/Los_Angeles'],
  ['pt', 'America/Los_Angeles'],
]);

/** The time zone of a place, for example `Europe/Berlin` for `Berlin`; undefined: no zone has this place. */
export function zoneOfPlace(place: string): string | undefined {
  const wanted = place.trim().replaceAll(' ', '_').toLowerCase();
  const known = ABBREVIATIONS.get(wanted);
  if (known !== undefined) return known;
  const all = Intl.supportedValuesOf('timeZone');
  const exact = all.find((zone) => zone.toLowerCase().endsWith(`/${wanted}`));
  if (exact !== undefined) return exact;
  // Another city of the same continent is close to the whole name, and has another time.
  const meant = closestName(place, all);
  const city = cityOf(wanted);
  return meant !== undefined && editSteps(city, cityOf(meant.toLowerCase())) <= city.length / 4 ? meant : undefined;
}

function cityOf(zone: string): string {
  return zone.slice(zone.search(/[/-](?!.*\/)/u) + 1);
}

/** Whether the time zone exists. */
export function hasZone(zone: string): boolean {
  return zones.get(zone, () => ({ exists: isZone(zone) })).exists;
}

/** Makes a function that formats instants in a zone and a style. It caches formats, because making one is slow. */
export function createDateFormatter(): (instant: Date, zone: string, style: string) => string {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (instant, zone, style) => {
    const key = `${style} ${zone}`;
    const format = formats.get(key) ?? new Intl.DateTimeFormat(localeOf(style), { ...optionsOf(style), timeZone: zone });
    formats.set(key, format);
    // Node puts U+202F before AM and PM, which many fonts lack.
    return format.format(instant).replaceAll('\u202F', ' ');
  };
}

/** Swedish dates have the form of ISO 8601. */
function localeOf(style: string): string {
  return style === 'iso' ? 'sv' : 'en';
}

function optionsOf(style: string): Intl.DateTimeFormatOptions {
  const known = Object.entries(STYLES).find(([name]) => name === style);
  if (!known) throw new RangeError(`unknown date style "${style}"`);
  return known[1];
}
