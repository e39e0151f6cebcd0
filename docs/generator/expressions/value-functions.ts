import type { FunctionEntry } from './entries.ts';

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
export const TIMES: readonly FunctionEntry[] = [
  {
    name: 'timestamp',
    forms: ['timestamp(text)', 'timestamp(seconds)'],
    returns: 'timestamp',
    meaning: 'A timestamp from a text in ISO 8601, or from the seconds since 1970.',
    examples: [
      { expression: 'timestamp("2030-12-24T18:00:00Z") > now', result: true },
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
export const CONVERSIONS: readonly FunctionEntry[] = [
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
    meaning: 'A whole number, without the digits after the point. An empty text is 0. The expression fails if a text is no whole number.',
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
    meaning: 'Converts the texts `true`, `t` and `1`, and the texts `false`, `f` and `0`. Other texts fail.',
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
