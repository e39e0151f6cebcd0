import { numbersToDigits } from './times-to-digits.ts';

const ONES = /^(?:a|an|one|ein|eine|einem|einer|einen)$/u;

/** Durations that have no number, in milliseconds. */
const SPOKEN: readonly (readonly [pattern: RegExp, ms: number])[] = [
  [/^(?:half an hour|a half hour|(?:einer? |ner? )?halben? (?:stunde|h))$/u, 1_800_000],
  [/^(?:a quarter of an hour|(?:einer? |ner? )?viertelstunde)$/u, 900_000],
  [/^(?:three quarters of an hour|(?:einer? |ner? )?dreiviertelstunde)$/u, 2_700_000],
  [/^(?:an hour and a half|one and a half hours|(?:anderthalb|eineinhalb) (?:stunden|h))$/u, 5_400_000],
];

/** Units of a fixed length, in milliseconds. */
const CLOCK_UNITS: ReadonlyMap<string, number> = new Map([
  ...['m', 'min', 'mins', 'minute', 'minutes', 'minuten'].map((word) => [word, 60_000] as const),
  ...['h', 'hr', 'hrs', 'hour', 'hours', 'std', 'stunde', 'stunden'].map((word) => [word, 3_600_000] as const),
]);

/** Units of the calendar, in days. */
const CALENDAR_UNITS: ReadonlyMap<string, number> = new Map([
  ...['d', 'day', 'days', 'tag', 'tage', 'tagen'].map((word) => [word, 1] as const),
  ...['w', 'week', 'weeks', 'woche', 'wochen'].map((word) => [word, 7] as const),
]);

/** A duration: days count by the calendar, the rest in milliseconds. */
interface Length {
  readonly days: number;
  readonly ms: number;
}

/** Parses `in 2h`, `in 1 hour and 30 minutes` or `in 3 Tagen`; undefined for other texts. */
export function lengthIn(text: string): Length | undefined {
  const [, rest] = /^(?:in |\+ ?)(.+)$/u.exec(text) ?? [];
  if (rest === undefined) return undefined;
  const spoken = SPOKEN.find(([pattern]) => pattern.test(rest));
  if (spoken) return { days: 0, ms: spoken[1] };
  const words = numbersToDigits(rest)
    .replaceAll(/(?<=\d)(?=\p{L})|(?<=\p{L})(?=\d)/gu, ' ')
    .split(/(?: |(?<!\d),|,(?!\d)|\band\b|\bund\b)+/u);
  if (words.length === 0 || words.length % 2 === 1) return undefined;
  let [days, ms] = [0, 0];
  for (let at = 0; at < words.length; at += 2) {
    const count = toCount(words[at] ?? '');
    const unit = (words[at + 1] ?? '').replace(/\.$/u, '');
    const [inDays, inMs] = [CALENDAR_UNITS.get(unit), CLOCK_UNITS.get(unit)];
    if (count === undefined || (inDays === undefined && inMs === undefined)) return undefined;
    // Half a day can end at another time of day because of a clock change.
    if (inDays !== undefined && !Number.isInteger(count)) return undefined;
    days += count * (inDays ?? 0);
    ms += count * (inMs ?? 0);
  }
  return { days, ms };
}

function toCount(word: string): number | undefined {
  if (ONES.test(word)) return 1;
  return /^(?:\d{1,5}|\d{1,3}[.,](?:5|25|75))$/u.test(word) ? Number(word.replace(',', '.')) : undefined;
}
