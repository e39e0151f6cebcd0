import type { Schedule } from '#src/rules/rule.ts';
import { numeral, span } from './reasons/values.ts';

const MOST_DATES = 3;

/** A schedule as text: `alle 10 Sek.`, or `nach 0 9 * * 1 (Europe/Berlin)`. */
export function schedule(timing: Schedule): string {
  if ('atMs' in timing) return `einmal, am ${onceText(timing.atMs, timing.timezone)}`;
  if ('command' in timing) return `wenn ein Mitglied /${timing.command} benutzt`;
  if ('webhook' in timing) return `wenn der Webhook ${timing.webhook} empfangen wird`;
  return 'everyMs' in timing ? `alle ${span(timing.everyMs)}` : `nach ${timing.cron} (${timing.timezone})${calendarText(timing)}`;
}

function calendarText({ weeks, except }: Extract<Schedule, { readonly cron: string }>): string {
  const more = (except?.dates.length ?? 0) - MOST_DATES;
  return [
    ...(weeks ? [`, alle ${numeral(weeks.every)} Wochen ab ${weeks.from}`] : []),
    ...(except ? [`, außer ${except.dates.slice(0, MOST_DATES).join(', ')}${more > 0 ? ` und ${numeral(more)} weiteren` : ''}`] : []),
    ...(except?.then === 'next' ? [' (dann am nächsten Tag)'] : []),
  ].join('');
}

function onceText(atMs: number, timezone: string | undefined): string {
  if (timezone === undefined) return new Date(atMs).toISOString();
  const format = new Intl.DateTimeFormat('de', { dateStyle: 'full', timeStyle: 'short', timeZone: timezone });
  return `${format.format(atMs)} (${timezone})`;
}
