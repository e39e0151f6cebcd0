import type { Member } from '../guild/members.ts';
import type { InGuild } from '../parts.ts';

export interface PageContext {
  readonly discord: InGuild;
  /** The member who sees the page. Absent: the page has no ephemeral messages. */
  readonly member: Member | undefined;
  readonly nowMs: number;
}

/** A color of Discord for CSS. */
export function hexColor(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

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

/** A time in one of Discord's styles. `R` is relative to now. */
export function formatTime(atMs: number, style: string, { nowMs }: Pick<PageContext, 'nowMs'>): string {
  if (Number.isNaN(new Date(atMs).getTime())) return 'Invalid Date';
  if (style !== 'R') return new Intl.DateTimeFormat('en-GB', { ...(STYLES[style] ?? STYLES['f']), timeZone: 'UTC' }).format(atMs);
  const distanceMs = atMs - nowMs;
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(distanceMs) >= size) ?? (['second', 1000] as const);
  return new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' }).format(Math.round(distanceMs / ms), unit);
}

/** The time of a message next to the name of its author. */
export function timeOfMessage(atMs: number, context: PageContext): string {
  const day = formatTime(atMs, 'd', context);
  const time = formatTime(atMs, 't', context);
  return day === formatTime(context.nowMs, 'd', context) ? time : `${day}, ${time}`;
}
