const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const SPAN = new Intl.DurationFormat('en', { style: 'narrow' });

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
] as const;

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

/** A length of time in its two greatest units, as `2h 5m`. */
export function durationText(ms: number): string {
  let restMs = Math.max(0, Math.round(ms / 1_000) * 1_000);
  const span: Partial<Record<(typeof UNITS)[number][0], number>> = {};
  for (const [unit, unitMs] of UNITS) {
    const count = Math.floor(restMs / unitMs);
    const said = Object.keys(span).length;
    if (count > 0 && said < 2) span[unit] = count;
    restMs -= count * unitMs;
  }
  return Object.keys(span).length > 0 ? SPAN.format(span) : '0s';
}

/** Whether there is such a time zone. */
export function isZone(zone: string): boolean {
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
