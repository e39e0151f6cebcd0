import { HALVES } from './vocabulary.ts';

const MINUTE_MS = 60_000;
const HALF = String.raw`(?<half>[ap])\.?m\.?`;
const FORMS = [
  String.raw`(?<hour>\d{1,2}):(?<minute>\d{2}) ?${HALF}`,
  String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?: ?uhr)?`,
  String.raw`(?<hour>\d{1,2})\.(?<minute>\d{2}) ?uhr`,
  String.raw`(?<hour>\d{1,2}) ?uhr(?: (?<minute>\d{2}))?`,
  String.raw`(?<hour>\d{1,2}) ?${HALF}`,
  String.raw`(?<noon>noon|mittag|mittags)`,
];
const GERMAN_AM = /^(?<time>\d{1,2}:\d{2}(?: ?uhr)?|\d{1,2} ?uhr(?: \d{2})?) am (?<day>(?:so|mo|di|mi|do|fr|sa|\d{1,2}\.).*)$/u;

const ALONE = FORMS.map((form) => new RegExp(`^(?:at |um |@ ?)?${form}$`, 'u'));
const BEHIND = FORMS.map((form) => new RegExp(`^(?<day>.+?),? (?:at |um |@ ?)?${form}$`, 'u'));
const BEFORE = FORMS.map((form) => new RegExp(`^(?:at |um |@ ?)?${form},? (?:on |am )?(?<day>.+)$`, 'u'));

/** A time of the day, and whatever says of which; in milliseconds since midnight. */
export interface ClockTime {
  readonly dayMs: number;
  readonly day: string | undefined;
}

/** The time in a text that has one: before the day, behind it, or alone. */
export function clockTimeIn(text: string): ClockTime | undefined {
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

function toTime({ noon, hour, minute = '00', half, day: said }: Readonly<Record<string, string | undefined>>): ClockTime | undefined {
  const { day, part } = partOfDay(said);
  if (noon !== undefined) return { dayMs: 12 * 60 * MINUTE_MS, day };
  const hours = toHours(Number(hour), half ?? part);
  return hours === undefined || Number(minute) > 59 ? undefined : { dayMs: (hours * 60 + Number(minute)) * MINUTE_MS, day };
}

/** `heute abend` is today, in the second half. */
function partOfDay(said: string | undefined): { readonly day: string | undefined; readonly part?: 'first' | 'second' } {
  if (said === 'tonight') return { day: 'today', part: 'second' };
  const [, day, word = ''] = /^(.+) (\S+)$/u.exec(said ?? '') ?? [];
  const part = HALVES.get(word);
  return part ? { day, part } : { day: said };
}

function toHours(hour: number, half: string | undefined): number | undefined {
  switch (half) {
    case 'a':
      return hour >= 1 && hour <= 12 ? hour % 12 : undefined;
    case 'p':
      return hour >= 1 && hour <= 12 ? (hour % 12) + 12 : undefined;
    case 'first':
      return hour < 12 ? hour : undefined;
    case 'second':
      // In the evening nobody means one or two o'clock by 1 or 2, nor by 13.
      if (hour >= 12 && hour <= 23) return hour;
      return hour >= 1 ? hour + 12 : undefined;
    default:
      return hour <= 23 ? hour : undefined;
  }
}
