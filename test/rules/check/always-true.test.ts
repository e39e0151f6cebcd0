import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { fc, runs } from '../../support/property.ts';
import { ada, check, diagnosticsOf, unmark } from '../../support/rule-language.ts';
import { valueOf } from '../expression/fixture.ts';

/** A rule that watches streams, with a condition. */
function rule(condition: string): string {
  return `id: r
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
if: '${condition}'
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;
}

function messagesOf(condition: string): readonly unknown[] {
  const { source, place } = unmark(rule(condition));
  return check(source).diagnostics.map(({ line, column, severity, message, hint }) => [
    `${line}:${column}` === place ? '▲' : `${line}:${column}`,
    severity,
    message,
    hint,
  ]);
}

describe('a condition that is always true is reported', () => {
  test.for([
    [
      'item.game.name != "Chess" || ▲item.game.name != "Go"',
      'this or item.game.name != "Chess" is always true: each value fits one of them',
      'write && to exclude all of these values',
    ],
    [
      'item.viewerCount > 100 || ▲item.viewerCount <= 100',
      'this or item.viewerCount > 100 is always true: each value fits one of them',
      undefined,
    ],
    [
      'item.viewerCount > 100 || ▲item.viewerCount < 101',
      'this or item.viewerCount > 100 is always true: each value fits one of them',
      undefined,
    ],
    [
      'item.viewerCount < 5 || item.viewerCount > 5 || ▲item.viewerCount == 5',
      'this or item.viewerCount < 5 or item.viewerCount > 5 is always true: each value fits one of them',
      undefined,
    ],
    ['item.mature || ▲!item.mature', 'this or item.mature is always true: each value fits one of them', undefined],
    ['item.mature == false || ▲item.mature', 'this or item.mature == false is always true: each value fits one of them', undefined],
    [
      '!(item.language in ["de", "en"]) || ▲item.language != "fr"',
      'this or !(item.language in ["de", "en"]) is always true: each value fits one of them',
      'write && to exclude all of these values',
    ],
    [
      'item.title.contains("a") || ▲item.title.contains("")',
      'this is always true: every text has the empty text',
      'write a text between the quotes',
    ],
    ['▲item.title.startsWith("")', 'this is always true: every text has the empty text', 'write a text between the quotes'],
    [
      'item.mature && (item.language != "a" || ▲item.language != "b")',
      'this or item.language != "a" is always true: each value fits one of them',
      'write && to exclude all of these values',
    ],
    [
      'items.exists(i, i.language != "a" || ▲i.language != "b")',
      'this or i.language != "a" is always true: each value fits one of them',
      'write && to exclude all of these values',
    ],
    [
      'previous.viewerCount > 5 || ▲!(previous.viewerCount > 5)',
      'this or previous.viewerCount > 5 is always true: each value fits one of them',
      undefined,
    ],
  ] as const)('%s', ([condition, message, hint]) => {
    expect(messagesOf(condition)).toEqual([['▲', 'warning', message, hint]]);
  });
});

describe('a condition that is never true is reported', () => {
  test.for([
    ['item.language in ["de", "en"] && ▲item.language == "fr"', 'item.language in ["de", "en"]'],
    ['item.language == "fr" && ▲item.language in ["de", "en"]', 'item.language == "fr"'],
    ['item.owner.handle != "ada" && ▲item.owner.handle == "ada"', 'item.owner.handle != "ada"'],
    ['item.mature && ▲!item.mature', 'item.mature'],
    ['item.mature == true && ▲item.mature == false', 'item.mature == true'],
    ['item.viewerCount > 5 && ▲item.viewerCount < 6', 'item.viewerCount > 5'],
    ['item.title.contains("a") && ▲!item.title.contains("a")', 'item.title.contains("a")'],
    ['(item.language == "a" || item.language == "b") && ▲item.language == "c"', 'item.language == "a" || item.language == "b"'],
    [
      'item.language in ["a", "b"] && item.language != "a" && ▲item.language != "b"',
      'item.language in ["a", "b"] and item.language != "a"',
    ],
  ] as const)('%s', ([condition, other]) => {
    expect(messagesOf(condition)).toEqual([['▲', 'warning', `this is never true together with ${other}`, undefined]]);
  });
});

test.for([
  // An absent number fits no comparison.
  'previous.viewerCount > 100 || previous.viewerCount <= 100',
  'previous.viewerCount != 1 || previous.viewerCount != 2',
  'item.viewerCount > 100 || item.viewerCount < 100',
  'item.language != "a" && item.language != "b"',
  'item.language == "a" || item.language == "b"',
  'item.language < "b" || item.language > "b"',
  'item.language != "a" || item.title != "b"',
  'items.exists(i, i.language != "a") || items.exists(i, i.language != "b")',
  'item.mature || item.language == ""',
  'item.viewerCount > 5 && item.viewerCount < 7',
  'item.title.contains("a") && !item.title.contains("b")',
  'items.sortBy(i, i.mature || i.language == "a").size() > 1',
  'items.groupBy(i, i.mature && i.language == "a").size() > 1',
  'items.exists_one(i, i.mature || i.language == "a")',
  'items.map(i, i.mature && i.language == "a", i.title).all(t, t == "a" || t == "b")',
  'previous.viewerCount.orValue(0) > 5 || item.tags[?0].hasValue()',
])('a condition that can be both has no diagnostic: %s', (condition) => {
  expect(diagnosticsOf(rule(condition))).toEqual([]);
});

describe('clauses of any form', () => {
  const NUMBERS = [-2, -1, 0, 1, 2];
  const TEXTS = ['', 'a', 'b', 'c', 'a\0', 'ab'];
  const operator = fc.constantFrom('<', '<=', '>', '>=', '==', '!=');
  const number = fc.tuple(
    fc.constantFrom('item.viewerCount', 'previous.viewerCount'),
    operator,
    fc.constantFrom('-1', '0', '1', '-0.5', '0.5'),
  );
  const text = fc.tuple(fc.constant('item.language'), operator, fc.constantFrom('""', '"a"', '"b"', '"ab"'));
  const flag = fc.tuple(fc.constant('item.mature'), fc.constantFrom('==', '!='), fc.constantFrom('true', 'false'));
  const compared = fc
    .oneof(number, text, flag)
    .map(([of, op, limit]) =>
      limit.includes('.') && op.endsWith('=') && op.length === 2 && '=!'.includes(op.charAt(0))
        ? `${of} > ${limit}`
        : `${of} ${op} ${limit}`,
    );
  const plain = fc.oneof(
    compared,
    fc.constantFrom('item.mature', 'item.language in ["a", "b"]', 'item.language in ["a"]', 'item.viewerCount in [0, 1]'),
  );
  const clause = fc.tuple(plain, fc.boolean()).map(([source, isNegated]) => (isNegated ? `!(${source})` : source));
  const clauses = fc.array(clause, { minLength: 2, maxLength: 4 });
  const scopes: readonly Readonly<Record<string, JsonObject>>[] = NUMBERS.flatMap((viewerCount) =>
    TEXTS.flatMap((language) =>
      [true, false].flatMap((mature) => {
        const item = { ...ada, viewerCount, language, mature };
        return [{ item, previous: {} }, ...NUMBERS.map((before) => ({ item, previous: { ...ada, viewerCount: before } }))];
      }),
    ),
  );
  const results = (condition: string): ReadonlySet<unknown> => new Set(scopes.map((scope) => valueOf(condition, scope)));
  const reportsOf = (condition: string): readonly string[] => check(rule(condition)).diagnostics.map(({ message }) => message);

  test('are reported only if all items agree', () => {
    fc.assert(
      fc.property(clauses, fc.constantFrom('&&', '||'), (some, op) => {
        const condition = some.join(` ${op} `);
        const reports = reportsOf(condition);
        const found = results(condition);
        const isAlways = reports.some((message) => message.includes('is always true'));
        const isNever = reports.some((message) => message.startsWith('this is never true'));
        expect((isAlways && found.has(false)) || (isNever && found.has(true))).toBe(false);
      }),
      { numRuns: runs(60, 600) },
    );
  });

  test('are reported if all items agree about two clauses of one value', () => {
    fc.assert(
      fc.property(clause, clause, fc.constantFrom('&&', '||'), (first, second, op) => {
        const condition = `${first} ${op} ${second}`;
        const [one, two] = [first, second].map((source) => results(source).size);
        fc.pre(one === 2 && two === 2 && results(condition).size === 1);
        expect(reportsOf(condition)).not.toEqual([]);
      }),
      { numRuns: runs(20, 200) },
    );
  });
});
