import { hasOffset } from '#src/rules/grammar/instant.ts';

/** Why a timestamp is another one than its text says; undefined: it is not. */
export function misreadTimestamp(text: string): { readonly message: string; readonly hint: string } | undefined {
  const [date, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/u.exec(text) ?? [];
  if (date === undefined) return undefined;
  const last = new Date(Date.UTC(Number(year), Number(month), 0));
  if (Number(day) > last.getUTCDate()) {
    return { message: `${date} is not a day of the calendar`, hint: `the last day of the month is ${last.toISOString().slice(0, 10)}` };
  }
  if (hasOffset(text)) return undefined;
  return { message: 'the timestamp has no time zone', hint: 'add Z for UTC, or for example +01:00' };
}
