import type { TypedTime } from './posting.ts';
import { clockAnomalyAt } from '#src/rules/clocks/clock-anomalies.ts';
import { zone, type Zone } from '#src/rules/clocks/zone.ts';
import { parseInstant } from '#src/rules/grammar/instant.ts';
import { daysIn } from './read-day.ts';

const DAY_MS = 86_400_000;
/** A later time is probably a typing mistake. */
const FURTHEST_MS = 366 * DAY_MS;
const LONGEST = 60;
/** People copy examples with their quotes. */
const QUOTES = /["'`\u2018-\u201F\u00AB\u00BB]/gu;

export interface Here {
  /** The IANA time zone of the person. */
  readonly zone: string;
  readonly nowMs: number;
}

/** Parses a time that a person typed in English or German. */
export function readTime(typed: string, here: Here): TypedTime {
  const text = typed.normalize('NFKC').replaceAll(QUOTES, '').trim().toLowerCase().replaceAll(/\s+/gu, ' ');
  if (text === '' || text.length > LONGEST) return { kind: 'unclear' };
  const clocks = zone(here.zone);
  const length = lengthIn(text);
  if (length) {
    const wallMs = clocks.wallAt(here.nowMs) + length.days * DAY_MS;
    return judged((length.days === 0 ? here.nowMs : clocks.firstInstantOf(wallMs)) + length.ms, here);
  }
  const written = /[\dt ]\d{1,2}:\d{2}/u.test(text) ? parseInstant(text) : undefined;
  if (written) return 'atMs' in written ? judged(written.atMs, here) : atWall(written.wallMs, clocks, here);
  return onDay(text, clocks, here);
}

function onDay(text: string, clocks: Zone, here: Here): TypedTime {
  const nowWallMs = clocks.wallAt(here.nowMs);
  const time = clockTimeIn(text);
  const days = time && daysIn(time.day, { nowWallMs, dayMs: time.dayMs });
  if (!days) return { kind: daysIn(text, { nowWallMs, dayMs: DAY_MS - 1 }) ? 'dayOnly' : 'unclear' };
  const [either, or] = days;
  const first = atWall(either + time.dayMs, clocks, here);
  if (or === undefined || first.kind === 'past') return or === undefined ? first : atWall(or + time.dayMs, clocks, here);
  const second = clocks.firstInstantOf(or + time.dayMs);
  return 'at' in first ? { kind: 'ambiguous', either: first.at, or: new Date(second) } : first;
}

/** The instant of a wall time. */
function atWall(wallMs: number, clocks: Zone, here: Here): TypedTime {
  const firstMs = clocks.firstInstantOf(wallMs);
  const odd = clockAnomalyAt(wallMs, here.zone);
  const sound = judged(firstMs, here);
  if (odd?.kind === 'skipped' && sound.kind === 'at') return { kind: 'skipped', at: new Date(firstMs) };
  if (odd?.kind !== 'repeated') return sound;
  const secondMs = wallMs - clocks.spanAt(clocks.spanAt(firstMs).untilMs).offsetMs;
  // The first instant may be in the past while the second is not.
  return sound.kind === 'at' ? { kind: 'twice', either: new Date(firstMs), or: new Date(secondMs) } : judged(secondMs, here);
}

function judged(atMs: number, { nowMs }: Here): TypedTime {
  const at = new Date(atMs);
  if (atMs <= nowMs) return { kind: 'past', at };
  return { kind: atMs - nowMs > FURTHEST_MS ? 'far' : 'at', at };
}

const ONES = /^(?:a|an|one|ein|eine|einem|einer|einen)$/u;
const HALF_HOUR = /^(?:half an hour|einer halben stunde|(?:einer|ner) halben h)$/u;

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
function lengthIn(text: string): Length | undefined {
  const [, rest] = /^(?:in |\+ ?)(.+)$/u.exec(text) ?? [];
  if (rest === undefined) return undefined;
  if (HALF_HOUR.test(rest)) return { days: 0, ms: 1_800_000 };
  const words = rest.replaceAll(/(?<=\d)(?=\p{L})|(?<=\p{L})(?=\d)/gu, ' ').split(/(?: |,|\band\b|\bund\b)+/u);
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

const MINUTE_MS = 60_000;
const HALF = String.raw`(?<half>[ap])\.?m\.?`;
const FORMS = [
  String.raw`(?<hour>\d{1,2}):(?<minute>\d{2}) ?${HALF}`,
  String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?: ?uhr)?`,
  String.raw`(?<hour>\d{1,2})\.(?<minute>\d{2}) ?uhr`,
  String.raw`(?<hour>\d{1,2}) ?uhr(?: (?<minute>\d{2}))?`,
  String.raw`(?<hour>\d{1,2}) ?${HALF}`,
  String.raw`(?<noon>noon|mittag|mittags)`,
  String.raw`(?:um|(?<english>at|@)) ?(?<hour>\d{1,2})`,
];
const GERMAN_AM = /^(?<time>\d{1,2}:\d{2}(?: ?uhr)?|\d{1,2} ?uhr(?: \d{2})?) am (?<day>(?:so|mo|di|mi|do|fr|sa|\d{1,2}\.).*)$/u;

const ALONE = FORMS.map((form) => new RegExp(`^(?:at |um |@ ?)?${form}$`, 'u'));
const BEHIND = FORMS.map((form) => new RegExp(`^(?<day>.+?),? (?:at |um |@ ?)?${form}$`, 'u'));
const BEFORE = FORMS.map((form) => new RegExp(`^(?:at |um |@ ?)?${form},? (?:on |am )?(?<day>.+)$`, 'u'));

type Part = 'first' | 'second' | 'evening';

/** Words for the first and second half of the day, and for its end. */
const HALVES: ReadonlyMap<string, Part> = new Map([
  ...['morning', 'früh', 'morgen', 'vormittag'].map((word) => [word, 'first'] as const),
  ...['afternoon', 'nachmittag'].map((word) => [word, 'second'] as const),
  ...['evening', 'abend'].map((word) => [word, 'evening'] as const),
]);

/** A time of day in milliseconds since midnight, and the text that names the day. */
interface ClockTime {
  readonly dayMs: number;
  readonly day: string | undefined;
}

/** Finds the time of day in a text: before the day, after it, or alone. */
function clockTimeIn(text: string): ClockTime | undefined {
  // In German, `9:00 am Freitag` is on Friday.
  const german = GERMAN_AM.exec(text)?.groups;
  if (german) return clockTimeIn(`${german['day']} ${german['time']}`);
  for (const forms of [ALONE, BEHIND, BEFORE]) {
    for (const form of forms) {
      const groups = form.exec(text)?.groups;
      const time = groups && toTime(groups);
      if (time) return time;
    }
  }
  return undefined;
}

function toTime({
  noon,
  english,
  hour,
  minute = '00',
  half,
  day: dayText,
}: Readonly<Record<string, string | undefined>>): ClockTime | undefined {
  const { day, part } = partOfDay(dayText);
  // In English, `at 8` can be in the morning or in the evening.
  if (english !== undefined && part === undefined && Number(hour) <= 12) return undefined;
  if (noon !== undefined) return { dayMs: 12 * 60 * MINUTE_MS, day };
  const hours = toHours(Number(hour), half ?? part);
  return hours === undefined || Number(minute) > 59 ? undefined : { dayMs: (hours * 60 + Number(minute)) * MINUTE_MS, day };
}

/** Splits the part of the day from its day: `heute abend` is today, in the second half. */
function partOfDay(text: string | undefined): { readonly day: string | undefined; readonly part?: Part } {
  if (text === 'tonight') return { day: 'today', part: 'evening' };
  const [, day, word = ''] = /^(.+) (\S+)$/u.exec(text ?? '') ?? [];
  const part = HALVES.get(word);
  return part ? { day, part } : { day: text };
}

function toHours(hour: number, half: string | undefined): number | undefined {
  switch (half) {
    case 'a':
      return hour >= 1 && hour <= 12 ? hour % 12 : undefined;
    case 'p':
      return hour >= 1 && hour <= 12 ? (hour % 12) + 12 : undefined;
    case 'first':
      return hour < 12 ? hour : undefined;
    case 'evening':
      // In the evening, 12 can be midnight, and 1 can be after it.
      if (hour <= 3 || hour === 12) return undefined;
      return toHours(hour, 'second');
    case 'second':
      // Hours after 12 are complete. Smaller hours count from noon.
      if (hour >= 12 && hour <= 23) return hour;
      return hour >= 1 ? hour + 12 : undefined;
    default:
      return hour <= 23 ? hour : undefined;
  }
}
