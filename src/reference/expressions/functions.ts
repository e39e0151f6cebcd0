/** An expression and its result as JSON. */
export interface Evaluation {
  readonly expression: string;
  readonly result: unknown;
}

/** A function of expressions. `name` begins with a dot if the function is called on a value. */
export interface FunctionEntry {
  readonly name: string;
  /** The calls with the types of their values. */
  readonly forms: readonly string[];
  readonly returns: string;
  readonly meaning: string;
  readonly examples: readonly Evaluation[];
}

/** A group of functions. */
export interface FunctionGroup {
  readonly title: string;
  readonly functions: readonly FunctionEntry[];
}

/** Functions that format values for readers. */
const FORMATS: readonly FunctionEntry[] = [
  {
    name: 'compact',
    forms: ['compact(number)'],
    returns: 'text',
    meaning: 'A number in few characters. An absent number is empty text.',
    examples: [
      { expression: 'compact(item.viewerCount)', result: '5.2K' },
      { expression: 'compact(previous.viewerCount)', result: '' },
    ],
  },
  {
    name: 'date',
    forms: ['date(timestamp, zone)', 'date(timestamp, zone, style)'],
    returns: 'text',
    meaning:
      'A timestamp in a time zone. The zone and the style are fixed texts. The styles are `date`, `time`, `short`, `medium` (the default), `long` and `full`. An absent timestamp is empty text.',
    examples: [
      { expression: 'date(now, "Europe/Paris")', result: 'Nov 20, 2026, 7:00 PM' },
      { expression: 'date(now, "Europe/Paris", "time")', result: '7:00 PM' },
      { expression: 'date(now, "UTC", "date")', result: 'Nov 20, 2026' },
      { expression: 'date(now, "UTC", "short")', result: '11/20/26, 6:00 PM' },
    ],
  },
  {
    name: 'duration',
    forms: ['duration(milliseconds)', 'duration(duration)', 'duration(text)'],
    returns: 'text; of a text: duration',
    meaning: 'A number of milliseconds as a length of time. A text makes a duration, for sums with timestamps.',
    examples: [
      { expression: 'duration(episode.lengthMs)', result: '2h 5m' },
      { expression: 'duration(now - item.startedAt)', result: '2h 5m' },
      { expression: 'now + duration("90m")', result: '2026-11-20T19:30:00.000Z' },
    ],
  },
  {
    name: 'truncate',
    forms: ['truncate(text, length)'],
    returns: 'text',
    meaning: 'At most `length` characters. A longer text ends with `…`.',
    examples: [{ expression: 'truncate(item.title, 9)', result: 'Speedrun…' }],
  },
  {
    name: 'plain',
    forms: ['plain(text)'],
    returns: 'text',
    meaning: 'A text without Markdown and mentions. Links stay.',
    examples: [{ expression: 'plain("**Hello** @ada")', result: 'Hello ada' }],
  },
];

/** Functions that choose or test values. */
const CHOICES: readonly FunctionEntry[] = [
  {
    name: 'either',
    forms: ['either(a, b)'],
    returns: 'the type of `b`',
    meaning: 'The first value that is not empty. Both values have the same type.',
    examples: [
      { expression: 'either(item.game.name, "something")', result: 'Chess' },
      { expression: 'either(items[1].game.name, "something")', result: 'something' },
    ],
  },
  {
    name: 'rx',
    forms: ['rx(text, pattern)'],
    returns: 'true or false',
    meaning:
      'Whether a regular expression (RE2) occurs in a text. The pattern is a fixed text. `(?i)` ignores case. Lookahead, lookbehind and backreferences are not available.',
    examples: [
      { expression: 'rx(item.title, "(?i)speedrun")', result: true },
      { expression: 'rx(item.title, "^Chess")', result: false },
    ],
  },
  {
    name: '.orValue',
    forms: ['optional.orValue(default)'],
    returns: 'the type of `default`',
    meaning: 'The value, or a default if it is absent.',
    examples: [{ expression: 'previous.viewerCount.orValue(0)', result: 0 }],
  },
  {
    name: '.hasValue',
    forms: ['optional.hasValue()'],
    returns: 'true or false',
    meaning: 'Whether an optional number or timestamp is present.',
    examples: [{ expression: 'previous.viewerCount.hasValue()', result: false }],
  },
  {
    name: '.or',
    forms: ['optional.or(optional)'],
    returns: 'optional',
    meaning: 'The first of two optional values that is present.',
    examples: [{ expression: 'previous.viewerCount.or(change.from).orValue(0)', result: 0 }],
  },
  {
    name: '.value',
    forms: ['optional.value()'],
    returns: 'the type of the value',
    meaning: 'The value. The expression fails if it is absent, so prefer `orValue`.',
    examples: [{ expression: 'change.to.value()', result: 1 }],
  },
  {
    name: '.of',
    forms: ['optional.of(value)'],
    returns: 'optional',
    meaning: 'Makes an optional value.',
    examples: [{ expression: 'optional.of(3).orValue(0)', result: 3 }],
  },
  {
    name: '.none',
    forms: ['optional.none()'],
    returns: 'optional',
    meaning: 'Makes an absent value.',
    examples: [{ expression: 'optional.none().orValue(0)', result: 0 }],
  },
];

/** Functions of text. Positions count from 0. */
const TEXTS: readonly FunctionEntry[] = [
  {
    name: '.contains',
    forms: ['text.contains(text)'],
    returns: 'true or false',
    meaning: 'Whether a text occurs in the text.',
    examples: [{ expression: 'item.title.contains("any%")', result: true }],
  },
  {
    name: '.startsWith',
    forms: ['text.startsWith(text)'],
    returns: 'true or false',
    meaning: 'Whether the text starts with a text.',
    examples: [{ expression: 'item.title.startsWith("Speedrun")', result: true }],
  },
  {
    name: '.endsWith',
    forms: ['text.endsWith(text)'],
    returns: 'true or false',
    meaning: 'Whether the text ends with a text.',
    examples: [{ expression: 'item.title.endsWith("100%")', result: false }],
  },
  {
    name: '.lowerAscii',
    forms: ['text.lowerAscii()'],
    returns: 'text',
    meaning: 'The text with A–Z in lower case.',
    examples: [{ expression: 'item.title.lowerAscii()', result: 'speedrun: any%' }],
  },
  {
    name: '.upperAscii',
    forms: ['text.upperAscii()'],
    returns: 'text',
    meaning: 'The text with a–z in upper case.',
    examples: [{ expression: 'item.language.upperAscii()', result: 'EN' }],
  },
  {
    name: '.trim',
    forms: ['text.trim()'],
    returns: 'text',
    meaning: 'The text without spaces and line breaks at both ends.',
    examples: [{ expression: '" live ".trim()', result: 'live' }],
  },
  {
    name: '.split',
    forms: ['text.split(separator)', 'text.split(separator, limit)'],
    returns: 'list of text',
    meaning: 'The parts between separators, at most `limit`.',
    examples: [
      { expression: 'item.title.split(": ")', result: ['Speedrun', 'any%'] },
      { expression: '"a,b,c".split(",", 2)', result: ['a', 'b,c'] },
    ],
  },
  {
    name: '.substring',
    forms: ['text.substring(start)', 'text.substring(start, end)'],
    returns: 'text',
    meaning: 'The text from `start` up to, but not including, `end`. The expression fails if the text is shorter.',
    examples: [
      { expression: 'item.title.substring(10)', result: 'any%' },
      { expression: 'item.title.substring(0, 5)', result: 'Speed' },
    ],
  },
  {
    name: '.indexOf',
    forms: ['text.indexOf(text)', 'text.indexOf(text, start)'],
    returns: 'whole number',
    meaning: 'The position of the first occurrence, or -1.',
    examples: [
      { expression: 'item.title.indexOf("any")', result: 10 },
      { expression: '"a-b-c".indexOf("-", 2)', result: 3 },
    ],
  },
  {
    name: '.lastIndexOf',
    forms: ['text.lastIndexOf(text)', 'text.lastIndexOf(text, start)'],
    returns: 'whole number',
    meaning: 'The position of the last occurrence, or -1.',
    examples: [{ expression: '"a-b-c".lastIndexOf("-")', result: 3 }],
  },
];

/** Functions of lists. `x` is a name that you choose. */
const LISTS: readonly FunctionEntry[] = [
  {
    name: '.map',
    forms: ['list.map(x, value)', 'list.map(x, condition, value)'],
    returns: 'list',
    meaning: 'A value for each element. With a condition, only for the elements that fulfil it.',
    examples: [
      { expression: 'items.map(i, i.owner.displayName)', result: ['Ada', 'Grace'] },
      { expression: 'items.map(i, i.viewerCount > 1000, i.owner.displayName)', result: ['Ada'] },
    ],
  },
  {
    name: '.filter',
    forms: ['list.filter(x, condition)'],
    returns: 'list',
    meaning: 'The elements that fulfil a condition.',
    examples: [{ expression: 'items.filter(i, i.viewerCount > 1000).size()', result: 1 }],
  },
  {
    name: '.exists',
    forms: ['list.exists(x, condition)'],
    returns: 'true or false',
    meaning: 'Whether at least one element fulfils a condition.',
    examples: [{ expression: 'items.exists(i, i.owner.handle == "ada")', result: true }],
  },
  {
    name: '.exists_one',
    forms: ['list.exists_one(x, condition)'],
    returns: 'true or false',
    meaning: 'Whether exactly one element fulfils a condition.',
    examples: [{ expression: 'items.exists_one(i, i.viewerCount > 0)', result: false }],
  },
  {
    name: '.all',
    forms: ['list.all(x, condition)'],
    returns: 'true or false',
    meaning: 'Whether all elements fulfil a condition.',
    examples: [{ expression: 'items.all(i, i.viewerCount > 100)', result: true }],
  },
  {
    name: '.join',
    forms: ['list.join()', 'list.join(separator)'],
    returns: 'text',
    meaning: 'The texts of a list as one text.',
    examples: [{ expression: 'item.tags.join(", ")', result: 'English, Speedrun' }],
  },
  {
    name: 'join',
    forms: ['join(list, separator)'],
    returns: 'text',
    meaning: 'The same as `.join`.',
    examples: [{ expression: 'join(item.tags, " ")', result: 'English Speedrun' }],
  },
  {
    name: 'top',
    forms: ['top(list, n)'],
    returns: 'list',
    meaning: 'The first `n` elements, or fewer if the list is shorter.',
    examples: [{ expression: 'top(items, 1).map(i, i.title)', result: ['Speedrun: any%'] }],
  },
  {
    name: 'sum',
    forms: ['sum(list of numbers)'],
    returns: 'number',
    meaning: 'The sum of a list. Absent numbers count as 0.',
    examples: [{ expression: 'sum(items.map(i, i.viewerCount))', result: 5970 }],
  },
  {
    name: 'size',
    forms: ['size(list)', 'size(text)', 'size(map)'],
    returns: 'whole number',
    meaning: 'The number of elements, characters or entries.',
    examples: [{ expression: 'size(items)', result: 2 }],
  },
  {
    name: '.size',
    forms: ['list.size()', 'text.size()', 'map.size()'],
    returns: 'whole number',
    meaning: 'The same as `size`.',
    examples: [
      { expression: 'items.size() > 1', result: true },
      { expression: 'item.title.size()', result: 14 },
    ],
  },
];

const PART_OF_TIME = ['timestamp.NAME()', 'timestamp.NAME(zone)'];

/** A part of a timestamp. */
function partOfTime(name: string, meaning: string, result: number): FunctionEntry {
  return {
    name: `.${name}`,
    forms: PART_OF_TIME.map((form) => form.replace('NAME', name)),
    returns: 'whole number',
    meaning: `${meaning} Without a zone, in UTC.`,
    examples: [{ expression: `now.${name}("Europe/Paris")`, result }],
  };
}

/** Functions of timestamps and durations. */
const TIMES: readonly FunctionEntry[] = [
  {
    name: 'timestamp',
    forms: ['timestamp(text)', 'timestamp(seconds)'],
    returns: 'timestamp',
    meaning: 'A timestamp from a text in ISO 8601, or from the seconds since 1970.',
    examples: [
      { expression: 'timestamp("2026-12-24T18:00:00Z") > now', result: true },
      { expression: 'timestamp(1795197600)', result: '2026-11-20T18:00:00.000Z' },
    ],
  },
  partOfTime('getFullYear', 'The year.', 2026),
  partOfTime('getMonth', 'The month, from 0 (January) to 11.', 10),
  partOfTime('getDate', 'The day of the month, from 1.', 20),
  partOfTime('getDayOfMonth', 'The day of the month, from 0.', 19),
  partOfTime('getDayOfWeek', 'The weekday, from 0 (Sunday) to 6.', 5),
  partOfTime('getDayOfYear', 'The day of the year, from 0.', 323),
  {
    ...partOfTime('getHours', 'The hour, from 0 to 23. Of a duration: all of its hours.', 19),
    forms: [...PART_OF_TIME.map((form) => form.replace('NAME', 'getHours')), 'duration.getHours()'],
  },
  {
    ...partOfTime('getMinutes', 'The minute. Of a duration: all of its minutes.', 0),
    forms: [...PART_OF_TIME.map((form) => form.replace('NAME', 'getMinutes')), 'duration.getMinutes()'],
    examples: [{ expression: '(now - item.startedAt).getMinutes()', result: 125 }],
  },
  {
    ...partOfTime('getSeconds', 'The second. Of a duration: all of its seconds.', 0),
    forms: [...PART_OF_TIME.map((form) => form.replace('NAME', 'getSeconds')), 'duration.getSeconds()'],
  },
  {
    ...partOfTime('getMilliseconds', 'The millisecond.', 0),
    forms: [...PART_OF_TIME.map((form) => form.replace('NAME', 'getMilliseconds')), 'duration.getMilliseconds()'],
  },
];

/** Functions that convert values. */
const CONVERSIONS: readonly FunctionEntry[] = [
  {
    name: 'string',
    forms: ['string(value)'],
    returns: 'text',
    meaning: 'The text of a number, a timestamp (in ISO 8601), or true or false. An absent value is empty text.',
    examples: [
      { expression: 'string(item.viewerCount)', result: '5230' },
      { expression: 'string(now)', result: '2026-11-20T18:00:00.000Z' },
    ],
  },
  {
    name: 'int',
    forms: ['int(number)', 'int(text)'],
    returns: 'whole number',
    meaning: 'A whole number, without the digits after the point. The expression fails if a text is not a number.',
    examples: [
      { expression: 'int(4.9)', result: 4 },
      { expression: 'int("42")', result: 42 },
    ],
  },
  {
    name: 'double',
    forms: ['double(number)', 'double(text)'],
    returns: 'number',
    meaning: 'A number with digits after the point. Sums and products need two numbers of one type.',
    examples: [{ expression: 'double(item.viewerCount) * 1.5', result: 7845 }],
  },
  {
    name: 'uint',
    forms: ['uint(number)', 'uint(text)'],
    returns: 'unsigned whole number',
    meaning: 'A whole number without a sign. Rules rarely need it.',
    examples: [{ expression: 'uint(3) == 3u', result: true }],
  },
  {
    name: 'bool',
    forms: ['bool(text)'],
    returns: 'true or false',
    meaning: 'Converts the texts `true` and `false`. Other texts fail.',
    examples: [{ expression: 'bool("true")', result: true }],
  },
  {
    name: 'bytes',
    forms: ['bytes(text)'],
    returns: 'bytes',
    meaning: 'The bytes of a text in UTF-8.',
    examples: [{ expression: 'bytes("é").size()', result: 2 }],
  },
  {
    name: '.base64',
    forms: ['bytes.base64()'],
    returns: 'text',
    meaning: 'Bytes in Base64.',
    examples: [{ expression: 'bytes("ada").base64()', result: 'YWRh' }],
  },
  {
    name: '.hex',
    forms: ['bytes.hex()'],
    returns: 'text',
    meaning: 'Bytes in hexadecimal digits.',
    examples: [{ expression: 'bytes("ada").hex()', result: '616461' }],
  },
  {
    name: '.string',
    forms: ['bytes.string()'],
    returns: 'text',
    meaning: 'The text of bytes in UTF-8.',
    examples: [{ expression: 'bytes("ada").string()', result: 'ada' }],
  },
  {
    name: '.json',
    forms: ['bytes.json()'],
    returns: 'map',
    meaning: 'The map in bytes that contain JSON.',
    examples: [{ expression: 'bytes("{\\"a\\": \\"b\\"}").json().a', result: 'b' }],
  },
  {
    name: '.at',
    forms: ['bytes.at(position)'],
    returns: 'whole number',
    meaning: 'One byte.',
    examples: [{ expression: 'bytes("a").at(0)', result: 97 }],
  },
];

/** All functions of expressions. */
export const FUNCTION_GROUPS: readonly FunctionGroup[] = [
  { title: 'Formats', functions: FORMATS },
  { title: 'Lists', functions: LISTS },
  { title: 'Text', functions: TEXTS },
  { title: 'Choices and absent values', functions: CHOICES },
  { title: 'Timestamps and durations', functions: TIMES },
  { title: 'Conversions', functions: CONVERSIONS },
];
