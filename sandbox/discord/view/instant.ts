import { html } from 'hono/html';
import type { Html, Looker } from './looker.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A form's name means this, as Discord documents it. */
const FORMS: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
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
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
  ['second', 1000],
];

/** A `<t:…:form>` in the looker's zone. */
export function instant(atMs: number, form: string, looker: Looker): Html {
  return html`<span class="instant" title="${format(atMs, 'F', looker)}"
    >${form === 'R' ? ago(atMs, looker) : format(atMs, form, looker)}</span
  >`;
}

/** The time of a message next to the name of its author. */
export function writtenAt(atMs: number, looker: Looker): string {
  const day = (ms: number) => format(ms, 'd', looker);
  if (day(atMs) === day(looker.nowMs)) return format(atMs, 't', looker);
  return `${day(atMs)}, ${format(atMs, 't', looker)}`;
}

/** The day, as it stands between messages. */
export function dayOf(atMs: number, looker: Looker): string {
  return format(atMs, 'D', looker);
}

function format(atMs: number, form: string, { zone, locale }: Looker): string {
  if (Number.isNaN(new Date(atMs).getTime())) return 'Invalid Date';
  return new Intl.DateTimeFormat(locale, { ...(FORMS[form] ?? FORMS['f']), timeZone: zone }).format(atMs);
}

function ago(atMs: number, { nowMs, locale }: Looker): string {
  const distanceMs = atMs - nowMs;
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(distanceMs) >= size) ?? (['second', 1000] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(distanceMs / ms), unit);
}
