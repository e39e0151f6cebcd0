const MINUTE_MS = 60_000;
const HALF = String.raw`(?<half>[ap])\.?m\.?`;
const FORMS = [
  String.raw`~(?<spoken>\d{1,2}):(?<minute>\d{2})(?: ?${HALF}| ?uhr)?`,
  String.raw`(?<hour>\d{1,2}):(?<minute>\d{2}) ?${HALF}`,
  String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?: ?uhr)?`,
  String.raw`(?<hour>\d{1,2}) ?uhr(?: (?<minute>\d{2}))?`,
  String.raw`(?<hour>\d{1,2}) ?${HALF}`,
  String.raw`(?:12 (?:uhr )?)?(?<noon>noon|midday|mittags?)`,
  String.raw`(?:12 (?:uhr )?)?(?<midnight>midnight|mitternacht)`,
  String.raw`(?:um|(?<english>at|@)) ?(?<hour>\d{1,2})`,
];
const GERMAN_DAY = String.raw`(?:(?:nächsten|kommenden) )?(?:(?:so|mo|di|mi|do|fr|sa)(?!\p{L})|\p{L}+tag(?!\p{L})|mittwoch|sonnabend|\d{1,2}\.).*`;
const GERMAN_AM = new RegExp(
  String.raw`^(?:um )?(?<time>~?\d{1,2}:\d{2}(?: ?uhr)?|\d{1,2} ?uhr(?: \d{2})?|\d{1,2}) am (?<day>${GERMAN_DAY})$`,
  'u',
);

const ALONE = FORMS.map((form) => new RegExp(`^(?:at |um |@ ?)?${form}$`, 'u'));
const BEHIND = FORMS.map((form) => new RegExp(`^(?<day>.+?),? (?:at |um |@ ?)?${form}$`, 'u'));
const BEFORE = FORMS.map((form) => new RegExp(`^(?:at |um |@ ?)?${form},? (?:on |am )?(?<day>.+)$`, 'u'));

type Part = 'first' | 'second' | 'evening' | 'night';

/** Words for the parts of a day: behind its name, or as an adverb. */
const PARTS: ReadonlyMap<string, Part> = new Map([
  ...['morning', 'früh', 'morgen', 'vormittag', 'morgens', 'vormittags'].map((word) => [word, 'first'] as const),
  ...['afternoon', 'nachmittag', 'nachmittags'].map((word) => [word, 'second'] as const),
  ...['evening', 'abend', 'abends'].map((word) => [word, 'evening'] as const),
  ...['night', 'nacht', 'nachts'].map((word) => [word, 'night'] as const),
]);
const ADVERB =
  /^(?<rest>.+) (?:(?:in the|at) (?<english>morning|afternoon|evening|night)|(?<german>(?:morgen|(?:vor|nach)mittag|abend|nacht)s))$/u;

/** A time of day, and the text that names the day. */
interface ClockTime {
  /** In milliseconds since midnight; several if the text is ambiguous. They may be on the next day. */
  readonly dayMs: readonly number[];
  readonly day: string | undefined;
}

/** Finds the time of day in a text: before the day, after it, or alone. */
export function clockTimeIn(text: string, adverb?: Part): ClockTime | undefined {
  const { rest, english, german } = ADVERB.exec(text)?.groups ?? {};
  if (rest !== undefined) return clockTimeIn(rest, PARTS.get(english ?? german ?? ''));
  // In German, `12:30 am Freitag` is on Friday, half an hour after noon.
  const written = GERMAN_AM.exec(text)?.groups;
  if (written) return clockTimeIn(`${written['day']} um ${written['time']}`, adverb);
  for (const forms of [ALONE, BEHIND, BEFORE]) {
    for (const form of forms) {
      const groups = form.exec(text)?.groups;
      const time = groups && toTime(groups, adverb);
      if (time) return time;
    }
  }
  return undefined;
}

/** The text of a day without its part: `heute` of `heute Abend`. */
export function withoutPart(text: string): string | undefined {
  return partOfDay(text).day;
}

function toTime(
  { noon, midnight, english, spoken, hour = spoken, minute = '00', half, day: dayText }: Readonly<Record<string, string | undefined>>,
  adverb: Part | undefined,
): ClockTime | undefined {
  const { day, part = adverb } = partOfDay(dayText);
  // In English, `at 8` can be in the morning or in the evening.
  if (english !== undefined && part === undefined && Number(hour) <= 12) return undefined;
  if (noon !== undefined) return { dayMs: toMs([12]), day };
  // The midnight of a day is its start or its end, and that of a night is in the night.
  if (midnight !== undefined) return { dayMs: toMs(part === undefined ? [0, 24] : [24]), day };
  const hours = hoursOf(Number(hour), { minute: Number(minute), half, part, isSpoken: spoken !== undefined });
  return hours.length === 0 || Number(minute) > 59 ? undefined : { dayMs: toMs(hours, Number(minute)), day };
}

function toMs(hours: readonly number[], minute = 0): readonly number[] {
  return hours.map((hour) => (hour * 60 + minute) * MINUTE_MS);
}

/** Splits the part of the day from its day: `heute abend` is today, in the second half. */
function partOfDay(text: string | undefined): { readonly day: string | undefined; readonly part?: Part | undefined } {
  if (text === 'tonight') return { day: 'today', part: 'evening' };
  if (text?.endsWith('s') && PARTS.has(text)) return { day: undefined, part: PARTS.get(text) };
  const [, day, word = ''] = /^(.+) (\S+)$/u.exec(text ?? '') ?? [];
  const part = PARTS.get(word);
  return part ? { day, part } : { day: text };
}

interface HourOptions {
  readonly minute: number;
  /** `a` of `am`, or `p` of `pm`. */
  readonly half: string | undefined;
  readonly part: Part | undefined;
  /** Whether it is a time of 12 hours, for example of `halb 10`. */
  readonly isSpoken: boolean;
}

function hoursOf(hour: number, { minute, half, part, isSpoken }: HourOptions): readonly number[] {
  if (half === undefined) return isSpoken && hour <= 12 ? spokenHours(hour, part) : toHours(hour, part, minute);
  if (hour > 12 || (hour === 0 && !isSpoken)) return [];
  const exact = (hour % 12) + (half === 'p' ? 12 : 0);
  // A part can contradict the half, and the night of a day also has hours of the next day.
  return part === undefined ? [exact] : toHours(exact, part, minute).filter((one) => one % 24 === exact);
}

function toHours(hour: number, part: Part | undefined, minute: number): readonly number[] {
  switch (part) {
    case 'first':
      return hour < 12 ? [hour] : [];
    case 'evening':
      // In the evening, 12 can be midnight, and 1 can be after it.
      return hour <= 3 || hour === 12 ? [] : toHours(hour, 'second', minute);
    case 'second':
      // Hours after 12 are complete. Smaller hours count from noon.
      if (hour >= 12 && hour <= 23) return [hour];
      return hour >= 1 && hour < 12 ? [hour + 12] : [];
    case 'night':
      // A night is that before a day or after it.
      if (hour < 6) return [hour, hour + 24];
      if (hour >= 9 && hour <= 12) return [hour + 12];
      return hour >= 18 && (hour < 24 || minute === 0) && hour <= 24 ? [hour] : [];
    default:
      return hour < 24 || (hour === 24 && minute === 0) ? [hour] : [];
  }
}

function spokenHours(hour: number, part: Part | undefined): readonly number[] {
  const [early, late] = [hour % 12, (hour % 12) + 12];
  switch (part) {
    case 'first':
      return [early];
    case 'second':
      return [late];
    case 'evening':
      return late >= 16 ? [late] : [];
    case 'night':
      return [...(early < 6 ? [early, early + 24] : []), ...(late >= 18 ? [late] : [])];
    default:
      return [early, late];
  }
}
