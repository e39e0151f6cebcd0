import { describe, expect, test } from 'vitest';
import { countProcessorMs } from '../../support/processor-time.ts';
import { refusalOf, valueOf } from './fixture.ts';

describe('an invalid expression', () => {
  test.each([
    ['item.titel', '5: item has no titel (did you mean title?)'],
    ['item.game.nmae', '10: item.game has no nmae (did you mean name?)'],
    ['item.?titel', '6: item has no titel (did you mean title?)'],
    ['items[?0].titel', '10: items[?0] has no titel (did you mean title?)'],
    ['items[0].titel', '9: items[0] has no titel (did you mean title?)'],
    ['item["titel"]', '0: item has no titel (did you mean title?)'],
    ['item[item.title]', '0: a field must be written out (write .name, with the name of the field)'],
    ['items.filter(i, i.titel == "")', '18: i has no titel (did you mean title?)'],
    ['itme.title', '0: there is no itme here (did you mean item?)'],
    ['viewerCount > 5', '0: there is no viewerCount here (did you mean item.viewerCount or previous.viewerCount?)'],
    ['post.url', '0: there is no post here (did you mean steps.post?)'],
    ['steps.psot.url', '6: steps has no psot (did you mean post?)'],
    ['env.TOKEN', '0: there is no env here (in scope here: item, previous, change, episode, items, changes, steps, rule, now)'],
    ['steps', '0: steps are read one by one (write steps.<id>, and a field of it)'],
    ['item.viewerCount.x', '17: a whole number has no fields'],
    ['commpact(5)', '0: there is no function commpact (did you mean compact?)'],
  ])('has an unknown name: %s', (source, expected) => {
    expect(refusalOf(source)).toBe(expected);
  });

  test.each([
    ['item.viewerCount >= "1000"', '0: there is no >= between a whole number and text (a number to compare or reckon with has no quotes)'],
    [
      'item.title == null',
      '0: there is no == between text and null (nothing is null: text that is absent is "", and a comparison with an absent number is false)',
    ],
    [
      'previous.viewerCount + 1',
      '0: there is no + between a whole number that may be absent and a whole number (previous.viewerCount may be absent: write previous.viewerCount.orValue(0))',
    ],
    [
      'item.viewerCount * 1.5',
      '0: there is no * between a whole number and a number with a point (write double(…) around the whole number)',
    ],
    ['item == previous', '0: there is no == between a record and a record (name a field of the record, as .id)'],
    ['item.title && true', '0: true or false is wanted here (compare text with "", a number with another)'],
    [
      'item.mature ? 1 : "a"',
      '0: one side of ? : is a whole number, the other text (both sides must be of one type; string(…) makes text of a number)',
    ],
    ['!item.title', '1: ! cannot stand before text'],
    ['compact(item.title)', '0: compact cannot be called with text (it goes as compact(a whole number) or compact(a number with a point))'],
    ['item.title.startsWith(1)', '11: startsWith cannot be called on text with a whole number (it goes as text.startsWith(text))'],
    ['lowerAscii(item.title)', '0: lowerAscii cannot be called with text (write item.title.lowerAscii())'],
    ['startsWith(item.title + "a", "b")', '0: startsWith cannot be called with text and text (write (item.title + "a").startsWith("b"))'],
    [
      'item.viewerCount.compact()',
      '17: compact cannot be called on a whole number with nothing in its brackets (write compact(item.viewerCount))',
    ],
    ['sum(item.title)', '0: sum cannot be called with text (it goes as sum(a list of numbers))'],
    [
      'items[?0].title.size()',
      '16: size cannot be called on text that may be absent with nothing in its brackets (items[?0].title may be absent: write items[?0].title.orValue(""))',
    ],
  ])('has the wrong type: %s', (source, expected) => {
    expect(refusalOf(source)).toBe(expected);
  });

  test.each([
    ['a and b', '2: it cannot be read from here on: and b (write && for "and")'],
    ['not item.mature', '4: it cannot be read from here on: item.mature (write ! for "not")'],
    ['item.title ?? "x"', '12: it cannot be read from here on: ? "x" (write either(a, b): the first that is not empty)'],
    ['item.title = "x"', '11: it cannot be read from here on: = "x" (write == to compare)'],
    ['item.tags[0:2]', '11: it cannot be read from here on: :2] (write top(list, n) for a list, .substring(from, to) for text)'],
    ['item.title == “x”', '14: it cannot be read from here on: “x” (write straight quotes)'],
    ['${{ item.title }}', '0: it cannot be read from here on: ${{ item.title }} (no ${{ }} is needed inside an expression)'],
    ['item.title +', '11: the expression breaks off'],
    ['item.title == "x', '14: the quotes are not closed'],
    [
      "item.title + '\n'",
      '14: a line ends between quotes (between double quotes YAML makes \\n a line break: write \\\\n, or begin the value with | on a line of its own)',
    ],
    ['if', '0: reserved identifier: if'],
    ['', '0: the expression is empty'],
    ['  ', '0: the expression is empty'],
  ])('has a syntax error: %j', (source, expected) => {
    expect(refusalOf(source)).toBe(expected);
  });

  test.each([
    ['max(1, 2)', 'write a > b ? a : b'],
    ['min(1, 2)', 'write a < b ? a : b'],
    ['item.title.replace("a", "b")', 'text can be cut with substring and split and put together with join'],
    ['item.title.upper()', 'write .upperAscii()'],
    ['item.title.lower()', 'write .lowerAscii()'],
    ['item.tags.length()', 'write .size()'],
  ])('has a function of another language: %s', (source, hint) => {
    expect(refusalOf(source)).toContain(hint);
  });

  test.each([
    ['has(item.game)', '0: has cannot be used here'],
    ['dyn(item).titel', '0: dyn cannot be used here'],
    ['type(item)', '0: type cannot be used here'],
    ['item.title.matches("(a+)+$")', '11: matches cannot be used here (use rx(text, "pattern"), which takes linear time)'],
    ['cel.bind(x, [1, 1], x + x)', '4: cel.bind cannot be used here'],
    ['items.map(a, items.map(b, items.map(c, 1)))', '26: more than two loops stand inside each other'],
    ['date(now, item.title)', '10: a time zone must be written out between quotes'],
    ['date(now, "Europe/Pariss")', '10: there is no time zone "Europe/Pariss"'],
    ['now.getHours("Mars/Base")', '13: there is no time zone "Mars/Base"'],
    ['date(now, "UTC", "shrt")', '17: date has no style "shrt" (it has date, time, short, medium, long, full)'],
    ['rx(item.title, item.title)', '15: the pattern of rx must be written out between quotes'],
    ['rx(item.title, "(")', '15: error parsing regexp'],
    ['rx(item.title, "(?=x)")', '15: error parsing regexp'],
    [`${'('.repeat(40)}1${')'.repeat(40)}`, '32: the expression is too deep'],
    [`1${' + 1'.repeat(200)}`, 'the expression is too long'],
    [`[${'1, '.repeat(150)}1]`, 'the list is too long'],
    ['!'.repeat(5000), '4000: an expression has at most 4000 characters'],
  ])('exceeds a limit: %s', (source, expected) => {
    expect(refusalOf(source)).toContain(expected);
  });

  test('may have 4,000 characters', () => {
    expect(refusalOf(`1${' '.repeat(3_999)}`)).toBe('it is not refused');
    expect(refusalOf(`1${' '.repeat(4_000)}`)).toContain('4000: an expression has at most 4000 characters');
  });

  test.each([
    ['item', { kind: 'fixed', names: { steps: {} } }],
    ['now', { kind: 'item', names: { watch: 'streaming.getStreams', steps: {} } }],
    ['item.rank', { kind: 'item', names: { watch: 'streaming.getStreams', steps: {} } }],
    ['steps.post.id', { kind: 'firing', names: { watch: 'streaming.getStreams', steps: { post: 'social.createPost' } } }],
    ['item.title', { kind: 'step', names: { steps: {} } }],
  ] as const)('has a name that is not in scope: %s', (source, at) => {
    expect(refusalOf(source, at)).toMatch(/there is no|has no/u);
  });
});

describe('a valid expression', () => {
  const many = Array.from({ length: 500 }, (_, i) => ({
    id: String(i),
    title: 'x'.repeat(2000),
    owner: {},
    viewerCount: i,
    rank: i,
    tags: [],
  }));

  test.each([
    'items.map(a, items.map(b, 1)).size()',
    'items.exists(a, items.exists(b, false))',
    'items.all(a, items.all(b, true)) || true',
    'items.map(a, a.title.split("").map(b, a.title)).size()',
  ])('is stopped after too many steps: %s', (source) => {
    const workedMs = countProcessorMs();

    expect(() => valueOf(source, { items: many })).toThrow('it was stopped after 20000 steps');
    expect(workedMs()).toBeLessThan(1000);
  });

  test('can run again after it was stopped', () => {
    const source = 'items.map(a, items.map(b, 1).size())';
    expect(() => valueOf(source, { items: many })).toThrow('stopped');

    expect(valueOf(source, { items: many.slice(0, 2) })).toEqual([2, 2]);
  });

  test.each([
    ['items[9].title', 'index out of bounds: a list of 1 has no [9]; write [?9] for an empty value'],
    ['["a"].filter(t, t == "b")[0]', 'index out of bounds: a list of 0 has no [0]; write [?0] for an empty value'],
    ['1 / (item.rank - 4)', 'division by zero'],
    ['int(item.title)', 'cannot convert to int'],
    ['item.title.substring(99)', 'start index out of range'],
  ])('fails with a message: %s', (source, message) => {
    expect(() => valueOf(source)).toThrow(message);
  });
});
