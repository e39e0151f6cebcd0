import { CALENDAR_UNITS, CLOCK_UNITS } from './vocabulary.ts';

const ONES = /^(?:a|an|one|ein|eine|einem|einer|einen)$/u;
const HALF_HOUR = /^(?:half an hour|einer halben stunde|(?:einer|ner) halben h)$/u;

/** A length of time: the days by the calendar, the rest by the clock. */
export interface Length {
  readonly days: number;
  readonly ms: number;
}

/** `in 2h`, `in 1 hour and 30 minutes`, `in 3 Tagen`; undefined for what is none. */
export function lengthIn(text: string): Length | undefined {
  const [, said] = /^(?:in |\+ ?)(.+)$/u.exec(text) ?? [];
  if (said === undefined) return undefined;
  if (HALF_HOUR.test(said)) return { days: 0, ms: 1_800_000 };
  const words = said.replaceAll(/(?<=\d)(?=\p{L})|(?<=\p{L})(?=\d)/gu, ' ').split(/(?: |,|\band\b|\bund\b)+/u);
  if (words.length === 0 || words.length % 2 === 1) return undefined;
  let [days, ms] = [0, 0];
  for (let at = 0; at < words.length; at += 2) {
    const count = toCount(words[at] ?? '');
    const unit = (words[at + 1] ?? '').replace(/\.$/u, '');
    const [inDays, inMs] = [CALENDAR_UNITS.get(unit), CLOCK_UNITS.get(unit)];
    if (count === undefined || (inDays === undefined && inMs === undefined)) return undefined;
    days += count * (inDays ?? 0);
    ms += count * (inMs ?? 0);
  }
  return { days, ms };
}

function toCount(word: string): number | undefined {
  if (ONES.test(word)) return 1;
  return /^\d{1,5}$/u.test(word) ? Number(word) : undefined;
}
