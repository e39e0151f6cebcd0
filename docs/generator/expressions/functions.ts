import type { FunctionEntry, FunctionGroup } from './entries.ts';
import { TEXTS } from './text-functions.ts';
import { CONVERSIONS, TIMES } from './value-functions.ts';

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
      'A timestamp in a time zone. The zone and the style are fixed texts. The styles are `date`, `time`, `short`, `medium` (the default), `long`, `full` and `iso`, which is `2026-11-20`. An absent timestamp is empty text.',
    examples: [
      { expression: 'date(now, "Europe/Paris")', result: 'Nov 20, 2026, 7:00 PM' },
      { expression: 'date(now, "Europe/Paris", "time")', result: '7:00 PM' },
      { expression: 'date(now, "UTC", "date")', result: 'Nov 20, 2026' },
      { expression: 'date(now, "UTC", "short")', result: '11/20/26, 6:00 PM' },
      { expression: 'date(now, "UTC", "iso")', result: '2026-11-20' },
    ],
  },
  {
    name: 'discordTime',
    forms: ['discordTime(timestamp)', 'discordTime(timestamp, style)'],
    returns: 'text',
    meaning:
      'A timestamp that Discord shows in the time zone and the language of each reader. The styles are those of Discord: `t`, `T`, `d`, `D`, `f` (the default), `F`, and `R`, for example “2 hours ago”. An absent timestamp is empty text.',
    examples: [
      { expression: 'discordTime(item.startedAt, "R")', result: '<t:1795190100:R>' },
      { expression: 'discordTime(now)', result: '<t:1795197600:f>' },
    ],
  },
  {
    name: 'duration',
    forms: ['duration(milliseconds)', 'duration(duration)', 'duration(text)'],
    returns: 'text; of a text: duration',
    meaning:
      'A number of milliseconds as a length of time. A text makes a duration, for sums with timestamps: `90s`, `1h30m`, `7d` or `2w`.',
    examples: [
      { expression: 'duration(episode.lengthMs)', result: '2h 5m' },
      { expression: 'duration(now - item.startedAt)', result: '2h 5m' },
      { expression: 'now + duration("90m")', result: '2026-11-20T19:30:00.000Z' },
      { expression: 'now + duration("7d")', result: '2026-11-27T18:00:00.000Z' },
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
  {
    name: 'hashtag',
    forms: ['hashtag(text)'],
    returns: 'text',
    meaning: 'A name as a hashtag, without the spaces and signs that end a tag on some networks. Empty for a name without a letter.',
    examples: [
      { expression: `hashtag("Baldur's Gate 3")`, result: '#BaldursGate3' },
      { expression: 'item.tags.map(t, hashtag(t)).join(" ")', result: '#English #Speedrun' },
    ],
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
      'Whether a regular expression (RE2) occurs in a text. The pattern is a fixed text. `(?i)` ignores case. `\\b` knows only the letters a to z, digits and `_`, so it finds no edge of a word beside `ü`. Lookahead, lookbehind and backreferences are not available.',
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
    name: 'fill',
    forms: ['fill(template, values)'],
    returns: 'text',
    meaning:
      'The template with each `{name}` replaced by its value. A name without a value stays. The signs of the template keep their meaning, and those of the values and of platform text in it are escaped.',
    examples: [
      {
        expression: 'fill("{name} plays {game}", { "name": item.owner.displayName, "game": item.game.name })',
        result: 'Ada plays Chess',
      },
    ],
  },
  {
    name: 'top',
    forms: ['top(list, n)'],
    returns: 'list',
    meaning: 'The first `n` elements, or fewer if the list is shorter.',
    examples: [{ expression: 'top(items, 1).map(i, i.title)', result: ['Speedrun: 100%'] }],
  },
  {
    name: 'sum',
    forms: ['sum(list of numbers)'],
    returns: 'number',
    meaning: 'The sum of a list. Absent numbers count as 0.',
    examples: [{ expression: 'sum(items.map(i, i.viewerCount))', result: 5970 }],
  },
  {
    name: 'average',
    forms: ['average(list of numbers)'],
    returns: 'number that may be absent',
    meaning: 'The average of a list, without its absent numbers. Absent if there are none.',
    examples: [{ expression: 'compact(average(items.map(i, i.viewerCount)))', result: '3K' }],
  },
  {
    name: '.sortBy',
    forms: ['list.sortBy(x, key)'],
    returns: 'list',
    meaning:
      'The elements in the order of their keys: texts as in a dictionary, numbers, timestamps or durations. Elements with equal keys keep their order, and elements with an absent key are last. A minus before a number reverses the order.',
    examples: [
      { expression: 'items.sortBy(i, i.owner.displayName).map(i, i.owner.displayName)', result: ['Ada', 'Grace'] },
      { expression: 'items.sortBy(i, -i.rank).map(i, i.owner.displayName)', result: ['Grace', 'Ada'] },
    ],
  },
  {
    name: '.groupBy',
    forms: ['list.groupBy(x, key)'],
    returns: 'list of lists',
    meaning:
      'A list for each key, with its elements. The lists have the order of their first elements and are never empty, so the key of a list `g` is the key of `g[0]`.',
    examples: [{ expression: 'items.groupBy(i, i.language).map(g, g[0].language + ": " + g.size())', result: ['en: 2'] }],
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

/** All functions of expressions. */
export const FUNCTION_GROUPS: readonly FunctionGroup[] = [
  { title: 'Formats', functions: FORMATS },
  { title: 'Lists', functions: LISTS },
  { title: 'Text', functions: TEXTS },
  { title: 'Choices and absent values', functions: CHOICES },
  { title: 'Timestamps and durations', functions: TIMES },
  { title: 'Conversions', functions: CONVERSIONS },
];
