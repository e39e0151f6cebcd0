import { signal, type VNode } from '../preact.mjs';
import { html } from '../html.ts';
import { useTexts, type Texts } from '../language.ts';

/**
 * The present instant by the clock of the server, in milliseconds since 1970. It is set only in browsers, after the first rendering: the
 * server knows neither the time zone nor the language of the reader.
 */
export const now = signal<number | undefined>(undefined);

/** An instant that is further away has its year. */
const FAR_MS = 300 * 86_400_000;

const UTC = { timeZone: 'UTC', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

/** The formats of a language. */
function formatsOf(locale: string): Formats {
  return {
    utcShort: new Intl.DateTimeFormat(locale, UTC),
    utcExact: new Intl.DateTimeFormat(locale, { ...UTC, second: '2-digit' }),
    local: new Intl.DateTimeFormat(locale, { ...UTC, timeZone: undefined, second: '2-digit' }),
    localFar: new Intl.DateTimeFormat(locale, { ...UTC, timeZone: undefined, second: '2-digit', year: 'numeric' }),
    day: new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' }),
    // In German, the narrow style writes minutes as meters.
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: locale === 'de' ? 'short' : 'narrow' }),
  };
}

interface Formats {
  readonly utcShort: Intl.DateTimeFormat;
  readonly utcExact: Intl.DateTimeFormat;
  readonly local: Intl.DateTimeFormat;
  readonly localFar: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  readonly relative: Intl.RelativeTimeFormat;
}

const FORMATS = { en: { ...formatsOf('en-GB'), now: 'now' }, de: { ...formatsOf('de'), now: 'jetzt' } } satisfies Texts;

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

interface TimeProps {
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** The time since an instant or until it. Its title is the instant. */
export function TimeSince({ at }: TimeProps): VNode {
  const formats = useTexts(FORMATS);
  const atMs = Date.parse(at);
  if (now.value === undefined) return html`<time datetime=${at}>${formats.utcShort.format(atMs)} UTC</time>`;
  return html`<time datetime=${at} title=${localText(atMs, now.value, formats)}>${relativeTo(atMs, now.value, formats)}</time>`;
}

/** An instant in the time zone of the reader. Its title is the time since then. */
export function Instant({ at }: TimeProps): VNode {
  const formats = useTexts(FORMATS);
  const atMs = Date.parse(at);
  if (now.value === undefined) return html`<time datetime=${at}>${formats.utcExact.format(atMs)} UTC</time>`;
  return html`<time datetime=${at} title=${relativeTo(atMs, now.value, formats)}>${localText(atMs, now.value, formats)}</time>`;
}

/** A day in UTC, for example `2026-11-20`. */
export function Day({ day }: { readonly day: string }): VNode {
  return html`<time datetime=${day}>${useTexts(FORMATS).day.format(Date.parse(day))}</time>`;
}

/** The earliest value of a field for a later time, in the time zone of the reader; undefined while it is not known. */
export function presentMinute(): string | undefined {
  return now.value === undefined ? undefined : localMinute(now.value);
}

/** An instant as the value of a field, in the time zone of the reader; undefined while it is not known. */
export function fieldMinute(at: string): string | undefined {
  return now.value === undefined ? undefined : localMinute(Date.parse(at));
}

function localMinute(atMs: number): string {
  const local = new Date(atMs - new Date(atMs).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

function localText(atMs: number, nowMs: number, { local, localFar }: Formats): string {
  return (Math.abs(atMs - nowMs) < FAR_MS ? local : localFar).format(atMs);
}

function relativeTo(atMs: number, nowMs: number, { relative, now: present }: (typeof FORMATS)['en']): string {
  const seconds = Math.trunc((atMs - nowMs) / 1000);
  if (seconds <= 0 && seconds > -10) return present;
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? (['second', 1] as const);
  // Past instants count in tens of seconds, because many running seconds would distract.
  const whole = unit === 'second' && seconds < 0 ? Math.ceil(seconds / 10) * 10 : Math.trunc(seconds / size);
  return relative.format(whole, unit);
}
