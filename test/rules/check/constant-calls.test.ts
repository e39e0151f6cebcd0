import { describe, expect, test } from 'vitest';
import { check } from '../../support/rule-language.ts';
import { valueOf } from '../expression/fixture.ts';

const SEND = 'do: discord.send, with: { channel: live, content: hi }';

/** The diagnostics of a rule: severity and column, message and hint. */
function diagnosticsOf(condition: string, top = ''): readonly unknown[] {
  const source = `id: r
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
${top}
if: '${condition}'
then: [{ ${SEND} }]
`;
  return check(source).diagnostics.map(({ severity, column, message, hint }) => [severity, column - 6, message, hint]);
}

describe('a call with constants that always fails is an error', () => {
  test.for([
    ['now - item.startedAt < duration("7days")', 23, 'duration() needs a text such as 90s, 1h30m or 7d', undefined],
    ['now > timestamp("2026-12-24")', 6, 'timestamp() requires a string in ISO 8601 format', 'write timestamp("2026-12-24T00:00:00Z")'],
    ['now > timestamp("tomorrow")', 6, 'timestamp() requires a string in ISO 8601 format', 'write it as 2030-12-24T18:00:00Z'],
    ['now > timestamp(1795197600000)', 6, 'timestamp() needs seconds since 1970: divide milliseconds by 1000', undefined],
    ['item.viewerCount > int("abc")', 19, 'int() needs the text of a whole number', undefined],
    ['item.viewerCount > int(double("x"))', 23, 'double() needs the text of a number', undefined],
    ['bool("yes")', 0, 'bool() needs the text true or false', undefined],
    ['item.viewerCount > 10 / 0', 19, 'division by zero', 'divide by a number other than 0'],
    ['item.viewerCount > 10 % (1 - 1)', 19, 'modulo by zero', 'divide by a number other than 0'],
    ['item.title == ["a"][1]', 14, 'index 1 is out of bounds: the list has 1 element; write [?1] for an empty value', undefined],
    ['items.exists(i, i.viewerCount > int("x"))', 32, 'int() needs the text of a whole number', undefined],
    [
      'item.mature && now > timestamp("2026-12-24")',
      21,
      'timestamp() requires a string in ISO 8601 format',
      'write timestamp("2026-12-24T00:00:00Z")',
    ],
  ] as const)('%s', ([condition, column, message, hint]) => {
    expect(diagnosticsOf(condition)).toEqual([['error', column, message, hint]]);
  });
});

describe('a call with vars that fails is a warning', () => {
  const VARS = 'vars: { start: 2026-12-24, least: abc, none: 0 }';

  test.for([
    ['now > timestamp(vars.start)', 6, 'timestamp() requires a string in ISO 8601 format', 'write timestamp("2026-12-24T00:00:00Z")'],
    ['item.viewerCount > int(vars.least)', 19, 'int() needs the text of a whole number', undefined],
    ['item.mature && item.viewerCount > 10 / vars.none', 34, 'division by zero', 'divide by a number other than 0'],
  ] as const)('%s', ([condition, column, message, hint]) => {
    expect(diagnosticsOf(condition, VARS)).toEqual([['warning', column, message, hint]]);
  });

  test.for([
    'vars.none != 0 && item.viewerCount > 10 / vars.none',
    'item.viewerCount > 10 / vars.none || vars.none == 0',
    'item.viewerCount > (vars.none == 0 ? 5 : 10 / vars.none)',
  ])('unless another part tests the value: %s', (condition) => {
    expect(diagnosticsOf(condition, VARS)).toEqual([]);
  });
});

test.for([
  ['now > timestamp("2026-02-30T00:00:00Z")', '2026-02-30 is not a day of the calendar', 'the last day of the month is 2026-02-28'],
  ['now > timestamp("2026-12-24T18:00:00.000")', 'the timestamp has no time zone', 'add Z for UTC, or for example +01:00'],
] as const)('a timestamp that becomes another one is a warning: %s', ([condition, message, hint]) => {
  expect(diagnosticsOf(condition)).toEqual([['warning', 6, message, hint]]);
});

test.for([
  'now > timestamp("2026-12-24T18:00:00Z")',
  'now > timestamp("2028-02-29T00:00:00+01:00")',
  'now > timestamp(1795197600)',
  'now - item.startedAt < duration("168h")',
  'item.viewerCount > int("12") && bool("true")',
  'item.viewerCount / 10 > 5',
  'item.tags.map(t, t + "x").size() > int("1")',
])('a call that succeeds has no diagnostic: %s', (condition) => {
  expect(diagnosticsOf(condition)).toEqual([]);
});

test.for([
  ['duration(duration("7d"))', '7d'],
  ['duration(duration("2w"))', '14d'],
  ['duration(duration("1h 30m"))', '1h 30m'],
  ['duration(duration("1d2h3m"))', '1d 2h'],
  ['duration(duration("1.5d"))', '1d 12h'],
  ['now + duration("1w") == now + duration("168h")', true],
  ['now + duration("-1d") == now - duration("24h")', true],
  ['item.tags.map(t, now + duration("1d") == now + duration("24h"))', [true, true]],
] as const)('duration reads days and weeks: %s', ([source, value]) => {
  expect(valueOf(source, { item: { tags: ['a', 'b'] } })).toEqual(value);
});
