import { describe, expect, test } from 'vitest';
import { countProcessorMs } from '../../support/processor-time.ts';
import { refusalOf, valueOf } from './fixture.ts';

test.each(['bool', 'bytes', 'double', 'int', 'list', 'map', 'string', 'type', 'uint'])(
  'a field of the name of a type, %s, is refused',
  (name) => {
    for (const source of [`${name}.week`, `${name}["week"]`, `${name}.?week`]) {
      expect(refusalOf(`item.title == ${source}`)).toContain(`14: unknown variable ${name}`);
    }
  },
);

test.each([
  'now.getHours("Europe/Paris") > 18',
  'item.startedAt.getDayOfWeek("Europe/Paris") == 5',
  '(now - item.startedAt).getHours() > 1',
])('the remedy for a field of a time is right: %s', (source) => {
  expect(refusalOf(source)).toBe('it is not refused');
});

describe('an invalid expression', () => {
  test.each([
    ['item.titel', '5: item has no titel (did you mean title?)'],
    ['item.game.nmae', '10: item.game has no nmae (did you mean name?)'],
    ['item.?titel', '6: item has no titel (did you mean title?)'],
    ['items[?0].titel', '10: items[?0] has no titel (did you mean title?)'],
    ['items[0].titel', '9: items[0] has no titel (did you mean title?)'],
    ['item["titel"]', '0: item has no titel (did you mean title?)'],
    ['item[item.title]', '0: the name of a field must be fixed text (write .name, with the name of the field)'],
    ['items.filter(i, i.titel == "")', '18: i has no titel (did you mean title?)'],
    ['itme.title', '0: unknown variable itme (did you mean item?)'],
    ['viewerCount > 5', '0: unknown variable viewerCount (did you mean item.viewerCount?)'],
    ['post.url', '0: unknown variable post (did you mean steps.post?)'],
    ['steps.psot.url', '6: unknown step psot (did you mean post?)'],
    ['env.TOKEN', '0: unknown variable env (rules read no variables of the environment: write the value in vars of the rule)'],
    ['steps', '0: steps needs a step id (write steps.<id>.<field>)'],
    ['item.viewerCount.x', '17: a whole number has no fields (write item.viewerCount alone)'],
    ['now.hour > 18', '4: a timestamp has no fields (write .getHours("Europe/Paris"))'],
    ['item.startedAt.weekday == 5', '15: a timestamp has no fields (write .getDayOfWeek("Europe/Paris"))'],
    ['item.startedAt["year"] == 2026', '0: a timestamp has no fields (write .getFullYear("Europe/Paris"))'],
    ['now.?hour == 1', '5: a timestamp has no fields (write .getHours("Europe/Paris"))'],
    ['(now - item.startedAt).hours > 1', '23: a duration has no fields (write .getHours())'],
    [
      'item.game.name == Chess',
      '18: unknown variable Chess (available: item, previous, change, episode, items, changes, steps, rule, now; for a text, write "Chess")',
    ],
    ['item.title | upper', '11: syntax error at | upper (there are no filters: write text.upperAscii(); for "or", write ||)'],
    ['item.title | trunc', '11: syntax error at | trunc (there are no filters: write trunc(item.title); for "or", write ||)'],
    ['commpact(5)', '0: unknown function commpact (did you mean compact?)'],
    ['item.displayName', '5: item has no displayName (did you mean item.owner.displayName?)'],
    ['change.viewerCount', '7: change has no viewerCount (did you mean change.item.viewerCount?)'],
    [
      'list["week"]',
      '0: unknown variable list (available: item, previous, change, episode, items, changes, steps, rule, now; for a text, write "list")',
    ],
  ])('has an unknown name: %s', (source, expected) => {
    expect(refusalOf(source)).toBe(expected);
  });

  test.each([
    ['item.viewerCount >= "1000"', '0: >= cannot be applied to a whole number and text (write a number without quotes)'],
    [
      'item.title == null',
      '0: == cannot be applied to text and null (no value is null: compare text with ""; a comparison with an absent number is false)',
    ],
    [
      'previous.viewerCount + 1',
      '0: + cannot be applied to a whole number that may be absent and a whole number (previous.viewerCount may be absent: write previous.viewerCount.orValue(0))',
    ],
    ['item.viewerCount * 1.5', '0: * cannot be applied to a whole number and a decimal number (write double(…) around the whole number)'],
    ['item == previous', '0: == cannot be applied to an object and an object (use a field of the object, for example .title or .id)'],
    ['item.title && true', '0: expected true or false (write item.title != "")'],
    ['item.viewerCount + 1 ? "a" : "b"', '0: expected true or false (write (item.viewerCount + 1) > 0)'],
    ['item.mature || item.tags', '0: expected true or false (write item.tags.size() > 0)'],
    ['rx(item.viewerCount, "1")', '3: rx needs text to search in (write string(item.viewerCount))'],
    ['rx(previous.viewerCount, "1")', '3: rx needs text to search in (write string(previous.viewerCount))'],
    ['item.tags.name', '0: item.tags is a list and has no field name (write [0] for the first one)'],
    [
      'changes.entered.title',
      '0: changes.entered is a list and has no field title (write .map(x, x.kind) for all elements, or [0] for the first one)',
    ],
    ['rx(items[?1].title, "1")', '3: rx needs text to search in (items[?1].title may be absent: write items[?1].title.orValue(""))'],
    [
      'item.mature ? 1 : "a"',
      '0: the two results of ? : have different types: a whole number and text (both need the same type; string(…) converts a number to text)',
    ],
    ['!item.title', '1: ! cannot be applied to text'],
    ['item.title.length', '11: text has no fields (write item.title.size())'],
    ['item.tags.length > 2', '0: item.tags is a list and has no field length (write item.tags.size())'],
    [
      'item.game.name || "nothing"',
      '0: expected true or false (write either(item.game.name, "nothing") for the first text that is not empty)',
    ],
    ['compact(item.title)', '0: compact cannot be called with text (usage: compact(a whole number) or compact(a decimal number))'],
    ['item.title.startsWith(1)', '11: startsWith cannot be called on text with a whole number (usage: text.startsWith(text))'],
    ['lowerAscii(item.title)', '0: lowerAscii cannot be called with text (write item.title.lowerAscii())'],
    ['startsWith(item.title + "a", "b")', '0: startsWith cannot be called with text and text (write (item.title + "a").startsWith("b"))'],
    ['item.startedAt > "2026-11-20"', '0: > cannot be applied to a timestamp and text (write timestamp("2026-11-20T00:00:00Z"))'],
    ['now + "1h"', '0: + cannot be applied to a timestamp and text (write duration("1h"))'],
    ['"since " + item.startedAt', '0: + cannot be applied to text and a timestamp (write date(item.startedAt, "Europe/Paris"))'],
    ['"for " + (now - item.startedAt)', '0: + cannot be applied to text and a duration (write duration(now - item.startedAt))'],
    ['item.title + item.mature', '0: + cannot be applied to text and true or false (write string(item.mature))'],
    ['episode.lengthMs > "1h"', '0: > cannot be applied to a whole number and text (write 3600000)'],
    ['date(now)', '0: date cannot be called with a timestamp (write date(now, "Europe/Paris"))'],
    [
      'either(item.title, item.rank)',
      '0: either cannot be called with text and a whole number (both need the same type; string(…) converts a number to text)',
    ],
    [
      'either(item.title, item.language, "x")',
      '0: either cannot be called with text and text and text (write either(a, either(b, c)) for several values)',
    ],
    ['items.title', '0: items is a list and has no field title (write .map(x, x.title) for all elements, or [0] for the first one)'],
    ['now - item.startedAt > 3600', '0: > cannot be applied to a duration and a whole number (write duration("1h"))'],
    [
      '100 < item.viewerCount < 500',
      '0: < cannot be applied to true or false and a whole number (write 100 < item.viewerCount && item.viewerCount < 500)',
    ],
    ['item.title in "Chess, Go"', '0: in cannot be applied to text and text (write item.title in ["Chess", "Go"])'],
    ['"rerun" in item.title', '0: in cannot be applied to text and text (write item.title.contains("rerun"))'],
    [
      'items[?0].tags.size()',
      '15: size cannot be called on a list of texts that may be absent with no arguments (items[?0].tags may be absent: write items[?0].tags.orValue([]))',
    ],
    ['items[-1].title', '6: the elements of a list count from 0 (write items[items.size() - 1] for the last element)'],
    ['item.tags[?-2]', '11: the elements of a list count from 0'],
    ['item.tags[?-1]', '11: the elements of a list count from 0 (write item.tags[?item.tags.size() - 1] for the last element)'],
    [
      'changes.entered.exists(c, c.item in items)',
      '26: in cannot be applied to an object and a list of objects (use a field of the object, for example .title or .id)',
    ],
    ['item in items', '0: in cannot be applied to an object and a list of objects (use a field of the object, for example .title or .id)'],
    ['either([], item.tags).map(t, t + "!")', '7: the type of a value is unknown (write a list with elements)'],
    ['item.title == "Chess" || "Go"', '0: expected true or false (write item.title in ["Chess", "Go"])'],
    ['item.title != "Chess" && "Go"', '0: expected true or false (write !(item.title in ["Chess", "Go"]))'],
    ['changes.map(c, c.item.title)', '0: changes is an object, not a list (write the list of one kind, for example changes.entered)'],
    ['item.viewerCount.compact()', '17: compact cannot be called on a whole number with no arguments (write compact(item.viewerCount))'],
    ['sum(item.title)', '0: sum cannot be called with text (usage: sum(a list of numbers))'],
    [
      'items[?0].title.size()',
      '16: size cannot be called on text that may be absent with no arguments (items[?0].title may be absent: write items[?0].title.orValue(""))',
    ],
  ])('has the wrong type: %s', (source, expected) => {
    expect(refusalOf(source)).toBe(expected);
  });

  test.each([
    ['a and b', '2: syntax error at and b (write && for "and")'],
    ['a AND b', '2: syntax error at AND b (write && for "and")'],
    ['NOT item.mature', '4: syntax error at item.mature (write ! for "not")'],
    ['not(item.mature)', '0: unknown function not (write ! before the condition)'],
    ['item.rank between 1 and 5', '10: syntax error at between 1 and 5 (write a >= 1 && a <= 5 for "between")'],
    ["item.title == 'it's'", "18: syntax error at s' (write double quotes around a text with an apostrophe)"],
    ['if(item.mature, 1, 2)', '0: reserved identifier: if (write condition ? a : b)'],
    ['item.title not in ["a"]', '11: syntax error at not in ["a"] (write !(a in b) for "not in")'],
    ['not item.mature', '4: syntax error at item.mature (write ! for "not")'],
    ['item.title ?? "x"', '12: syntax error at ? "x" (write either(a, b) for the first value that is not empty)'],
    ['item.title = "x"', '11: syntax error at = "x" (write == to compare)'],
    ['item.viewerCount > 1,5', '20: syntax error at ,5 (write 1.5)'],
    ['item.viewerCount > 1_000', '20: syntax error at _000 (write 1000)'],
    ['item.viewerCount > 10k', '21: syntax error at k (write 10000)'],
    ['item.viewerCount => 100', '17: syntax error at => 100 (write >= for "at least")'],
    ['item.viewerCount <> 100', '18: syntax error at > 100 (write != for "not equal")'],
    ['item.title =~ "x"', '11: syntax error at =~ "x" (write rx(text, "pattern"))'],
    ['item.title like "%x%"', '11: syntax error at like "%x%" (write it as a call: text.contains("…"))'],
    ['items.map(i => i.title)', '12: syntax error at => i.title) (there are no arrow functions: write list.map(x, x.id))'],
    ['items.map((i, n) => i.title)', '12: syntax error at , n) => i.title) (there are no arrow functions: write list.map(x, x.id))'],
    ['item.title contains "x"', '11: syntax error at contains "x" (write it as a call: text.contains("…"))'],
    ['item.tags[0:2]', '11: syntax error at :2] (write top(list, n) for a list, truncate(text, n) for text)'],
    ['item.title == “x”', '14: syntax error at “x” (write straight quotes)'],
    ['item.title ==\u00A0"x"', '13: syntax error at "x" (replace the special space here by a usual one)'],
    ['${{ item.title }}', '0: syntax error at ${{ item.title }} (remove ${{ }}: this is already an expression)'],
    ['item.title +', '11: the expression is incomplete (add a value behind +)'],
    ['item.title == "x', '14: the quotes are not closed'],
    [
      "item.title + '\n'",
      '14: text in quotes contains a line break (in double quotes, YAML turns \\n into a line break: write \\\\n, or start the value with | on a separate line)',
    ],
    ['if', '0: reserved identifier: if'],
    ['if item.mature then "18+"', '0: reserved identifier: if (write condition ? a : b)'],
    ['item.game?.name', '10: syntax error at .name (write . for ?. : a field of an absent record is empty)'],
    ["'it''s'", "4: syntax error at 's' (write \\ before a quote in text, or put the other quotes around the text)"],
    ['', '0: the expression is empty'],
    ['  ', '0: the expression is empty'],
  ])('has a syntax error: %j', (source, expected) => {
    expect(refusalOf(source)).toBe(expected);
  });

  test.each([
    ['max(1, 2)', 'write a > b ? a : b'],
    ['min(1, 2)', 'write a < b ? a : b'],
    ['item.title.replace("a", "b")', 'write text.split("a").join("b")'],
    ['item.title.upper()', 'write text.upperAscii()'],
    ['item.title.lower()', 'write text.lowerAscii()'],
    ['item.tags.length()', 'write .size() behind a list or a text'],
    ['plural(item.viewerCount, "viewer", "viewers")', 'write n == 1 ? "viewer" : "viewers"'],
    ['item.viewerCount.toFixed(2)', 'write compact(number) or string(int(x + 0.5))'],
    ['formatDate(item.startedAt, "DD.MM.YYYY")', 'write date(instant, "Europe/Paris")'],
  ])('has a function of another language: %s', (source, hint) => {
    expect(refusalOf(source)).toContain(hint);
  });

  test.each([
    ['has(item.game)', '0: has is not available'],
    ['dyn(item).titel', '0: dyn is not available'],
    ['type(item)', '0: type is not available'],
    ['item.title.matches("(a+)+$")', '11: matches is not available (use rx(text, "pattern"), which takes linear time)'],
    ['cel.bind(x, [1, 1], x + x)', '4: cel.bind is not available'],
    ['items.map(a, items.map(b, items.map(c, items.map(d, 1))))', '39: more than three nested loops'],
    ['items.map(a, items.map(b, items.sortBy(c, items.exists(d, true))))', '42: more than three nested loops'],
    ['items.sortBy(i.title, i.title)', '13: sortBy needs a name for the element (write list.sortBy(x, x.id))'],
    ['items.sortBy(i, i.owner)', '16: sortBy needs a text, a number, a timestamp, or true or false as its key'],
    ['items.groupBy(i, i.tags)', '17: groupBy needs a text, a number, a timestamp, or true or false as its key'],
    ['items.groupBy(i, i.titel)', '19: i has no titel (did you mean title?)'],
    ['items.sortBy(i, i.title).map(i, i.titel)', '34: i has no titel (did you mean title?)'],
    ['items.groupBy(i, i.title).map(g, g[0].titel)', '38: g[0] has no titel (did you mean title?)'],
    ['date(now, item.title)', '10: a time zone must be fixed text in quotes'],
    ['date(now, "Europe/Pariss")', '10: unknown time zone "Europe/Pariss"'],
    ['now.getHours("Mars/Base")', '13: unknown time zone "Mars/Base"'],
    ['discordTime(now, "Q")', '17: unknown discordTime style "Q" (available: t, T, d, D, f, F, R)'],
    ['date(now, "UTC", "shrt")', '17: unknown date style "shrt" (available: date, time, short, medium, long, full, iso)'],
    ['rx(item.title, item.title)', '15: the pattern of rx must be fixed text in quotes'],
    [
      'rx(item.title, "*rerun*")',
      '15: error parsing regexp: missing argument to repetition operator: `*` (in a pattern, .* is any text; without it, write text.contains("…"))',
    ],
    ['item.tags.contains("Chess")', '10: contains cannot be called on a list of texts with text (write "Chess" in item.tags)'],
    ['rx(item.title, "(")', '15: error parsing regexp'],
    ['rx(item.title, "(?=x)")', '15: error parsing regexp'],
    [`${'('.repeat(40)}1${')'.repeat(40)}`, '32: the expression is nested too deep'],
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
    expect(refusalOf(source, at)).toMatch(/unknown variable|has no/u);
  });
});

describe('a loop in another form', () => {
  test.each([
    ['items.groupBy("owner")', '6: groupBy needs a name for the element and an expression (write list.groupBy(x, x.id))'],
    [
      'items.sortBy(i, i.viewerCount, "desc")',
      '6: sortBy needs a name for the element and an expression (write list.sortBy(x, x.id); a minus before a number reverses the order)',
    ],
    ['items.filter("live")', '6: filter needs a name for the element and an expression (write list.filter(x, x.id != ""))'],
    [
      'item.tags.map()',
      '10: map needs a name for the element and an expression (write list.map(x, x.id) or list.map(x, x.id != "", x.id))',
    ],
  ])('is refused: %s', (source, expected) => {
    expect(refusalOf(source)).toBe(expected);
  });
});

describe('a variable that another site has', () => {
  const watch = 'streaming.getStreams';
  const webhook = { amount: { type: 'number', optional: false } } as const;

  test.each([
    [
      'item.rule != rule.id',
      'item',
      { watch: 'history.getDeliveries' },
      'write the id of the rule as text, or the condition as if of the rule',
    ],
    ['now > item.startedAt', 'item', { watch }, 'there is no now in where and key: write the condition as if of the rule'],
    ['steps.post.id == ""', 'item', { watch }, 'steps run after where and key: write if in a step'],
    ['steps.post.id == ""', 'firing', { watch }, 'steps run after if and keep of the rule: write if in a step'],
    ['it == ""', 'step', { watch }, 'only a step with forEach has it'],
    ['held.size() > 0', 'step', { watch }, 'only the steps of quiet, limit and gather have held'],
    ['keep.total', 'step', { watch }, 'only a rule with keep has keep'],
    ['command.user.id', 'step', { watch }, 'only a rule with command has command'],
    ['item.title', 'quiet', { watch }, 'write held.map(h, h.item.id), with any field of the item'],
    ['items.size()', 'quiet', { watch }, 'write held.map(h, h.item)'],
    ['item.title', 'step', {}, 'a rule without watch has no item: add watch to when'],
    ['item.name', 'step', { command: [] }, 'a rule that answers a command has no item: write command.options.<name>'],
    ['items.size()', 'step', { webhook }, 'a rule that a webhook starts has no items: write item'],
    ['item.title', 'fixed', { watch }, 'this value is fixed when the rule loads, so it has no item: it can read vars, each and lists'],
  ] as const)('is explained: %s in %s', (source, kind, names, hint) => {
    expect(refusalOf(source, { kind, names: { steps: {}, ...names } })).toContain(hint);
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
    'items.map(a, items.sortBy(b, b.viewerCount)).size()',
    'items.map(a, items.groupBy(b, b.viewerCount).map(c, c.size())).size()',
    'items.groupBy(a, a.title).map(g, g.map(a, g.map(b, 1))).size()',
    'items.sortBy(a, items.map(b, b.title).join()).size()',
    'items.all(a, items.all(b, true)) || true',
    'items.map(a, a.title.split("").map(b, a.title)).size()',
  ])('is stopped after too many steps: %s', (source) => {
    const workedMs = countProcessorMs();

    expect(() => valueOf(source, { items: many })).toThrow('stopped after 20000 steps');
    expect(workedMs()).toBeLessThan(1000);
  });

  test('can run again after it was stopped', () => {
    const source = 'items.map(a, items.map(b, 1).size())';
    expect(() => valueOf(source, { items: many })).toThrow('stopped');

    expect(valueOf(source, { items: many.slice(0, 2) })).toEqual([2, 2]);
  });

  test.each([
    ['items[9].title', 'index 9 is out of bounds: the list has 1 element; write [?9] for an empty value'],
    ['["a"].filter(t, t == "b")[0]', 'index 0 is out of bounds: the list has no elements; write [?0] for an empty value'],
    ['1 / (item.rank - 4)', 'division by zero'],
    ['item.tags[item.rank - 5]', 'index -1 is out of bounds: the elements of a list count from 0'],
    ['int(item.title)', 'int() needs the text of a whole number'],
    ['bool(item.title)', 'bool() needs the text true or false'],
    ['duration(item.title)', 'duration() needs a text such as 90s, 1h30m or 7d'],
    ['bytes(item.title).json().a', 'json() needs the bytes of a JSON text'],
    ['item.title.substring(99)', 'substring() needs positions in the text: truncate(text, n) shortens a text of any length'],
    ['item.title.indexOf("a", 99)', 'indexOf() needs positions in the text'],
    ['"👍".substring(0, 2)', 'substring() needs positions in the text: truncate(text, n) shortens a text of any length'],
    ['previous.viewerCount.value()', 'a value is absent: write [?"field"].orValue(…) with a default'],
    ['{"a": 1}["an optional.value"]', 'no such key: an optional.value'],
  ])('fails with a message: %s', (source, message) => {
    expect(() => valueOf(source)).toThrow(new RegExp(`^${RegExp.escape(message)}$`, 'u'));
  });
});
