const DAY_MS = 86_400_000;

/** Discord's documented timestamp styles. */
const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  t: { hour: '2-digit', minute: '2-digit' },
  T: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  d: { day: '2-digit', month: '2-digit', year: 'numeric' },
  D: { day: 'numeric', month: 'long', year: 'numeric' },
  f: { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  F: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
};
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

interface Reading {
  /** The present instant; absent: a relative time is shown as a date. */
  readonly nowMs: number | undefined;
  readonly locale: string;
  /** Absent: the time zone of this machine. */
  readonly timeZone?: string | undefined;
}

/** A time in one of Discord's styles. `R` is relative to now. */
export function discordTime(atMs: number, style: string, { nowMs, locale, timeZone }: Reading): string {
  if (Number.isNaN(new Date(atMs).getTime())) return 'Invalid Date';
  if (style !== 'R' || nowMs === undefined)
    return new Intl.DateTimeFormat(locale, { ...(STYLES[style] ?? STYLES['f']), timeZone }).format(atMs);
  const distanceMs = atMs - nowMs;
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(distanceMs) >= size) ?? (['second', 1000] as const);
  // "Tomorrow" would be wrong: a distance of a day and a half can end on either day.
  return new Intl.RelativeTimeFormat(locale, { numeric: unit === 'second' ? 'auto' : 'always' }).format(Math.round(distanceMs / ms), unit);
}
