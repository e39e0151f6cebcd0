import { signal, type VNode } from '../preact.mjs';
import { html } from '../html.ts';

/**
 * The present instant by the clock of the server, in milliseconds since 1970. It is set only in browsers, after the first rendering: the
 * server knows neither the time zone nor the language of the reader.
 */
export const now = signal<number | undefined>(undefined);

const UTC = { timeZone: 'UTC', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const UTC_SHORT = new Intl.DateTimeFormat('en-GB', UTC);
const UTC_EXACT = new Intl.DateTimeFormat('en-GB', { ...UTC, second: '2-digit' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });
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
  const atMs = Date.parse(at);
  if (now.value === undefined) return html`<time datetime=${at}>${UTC_SHORT.format(atMs)} UTC</time>`;
  return html`<time datetime=${at} title=${local(atMs)}>${relativeTo(atMs, now.value)}</time>`;
}

/** An instant in the time zone of the reader. Its title is the time since then. */
export function Instant({ at }: TimeProps): VNode {
  const atMs = Date.parse(at);
  if (now.value === undefined) return html`<time datetime=${at}>${UTC_EXACT.format(atMs)} UTC</time>`;
  return html`<time datetime=${at} title=${relativeTo(atMs, now.value)}>${local(atMs)}</time>`;
}

function local(atMs: number): string {
  return new Intl.DateTimeFormat('en-GB', { ...UTC, timeZone: undefined, second: '2-digit' }).format(atMs);
}

function relativeTo(atMs: number, nowMs: number): string {
  const seconds = Math.trunc((atMs - nowMs) / 1000);
  if (seconds <= 0 && seconds > -10) return 'now';
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? (['second', 1] as const);
  // Past instants count in tens of seconds, because many running seconds would distract.
  const whole = unit === 'second' && seconds < 0 ? Math.ceil(seconds / 10) * 10 : Math.trunc(seconds / size);
  return RELATIVE.format(whole, unit);
}
