import { describe, expect, test } from 'vitest';
import { conditionOf } from '#src/rules/expression/condition.ts';
import type { Scope } from '#src/rules/rule.ts';
import { formatFalsehood } from '#src/rules/messages/format-falsehood.ts';
import { ada, catalogue, scopeOf } from '../../support/rule-language.ts';

const site = { kind: 'firing', names: { watch: 'streaming.getGameStreams', steps: {} } } as const;

function verdict(source: string, scope: Scope = scopeOf()): unknown {
  const answer = conditionOf(source, { site, catalogue }).test(scope);
  return answer.holds ? true : formatFalsehood(answer.condition);
}

describe('a condition', () => {
  test.each([
    'item.viewerCount < 1000',
    'item.rank <= 5 && item.language in ["en", "fr"]',
    'previous.viewerCount > 5 || item.rank == 4',
    '${{ !item.mature }}',
  ])('is true: %s', (source) => {
    expect(verdict(source)).toBe(true);
  });

  test.each([
    ['item.viewerCount >= 1000', 'item.viewerCount >= 1000 is false: item.viewerCount is 740'],
    ['item.rank <= 5 && item.language in ["fr"]', 'item.language in ["fr"] is false: item.language is "en"'],
    ['item.rank > 5 || item.mature', 'item.rank > 5 is false: item.rank is 4, and item.mature is false'],
    ['!(item.viewerCount > 5)', '!(item.viewerCount > 5) is false: item.viewerCount > 5 is true'],
    ['item.viewerCount - (10 - 5) > 5000', 'item.viewerCount - (10 - 5) > 5000 is false: item.viewerCount - (10 - 5) is 735'],
    ['(item.rank + 1) * 2 > 50', '(item.rank + 1) * 2 > 50 is false: (item.rank + 1) * 2 is 10'],
    ['previous.viewerCount > 5', 'previous.viewerCount > 5 is false: previous.viewerCount is absent'],
    ['rx(item.title, "speedrun")', 'rx(item.title, "speedrun") is false: item.title is "Ranked until I win"'],
    ['item.title.startsWith("LIVE")', 'item.title.startsWith("LIVE") is false: item.title is "Ranked until I win"'],
    ['items.size() > 3', 'items.size() > 3 is false: items.size() is 1'],
    ['items.exists(i, i.rank == 1)', 'items.exists(i, i.rank == 1) is false'],
    ['now - item.startedAt < duration("1h")', 'now - item.startedAt < duration("1h") is false: now - item.startedAt is "2h 5m"'],
    ['item.game.name ==\n  "Go"', 'item.game.name == "Go" is false: item.game.name is "Chess"'],
  ])('is false, with the false clause and its values: %s', (source, because) => {
    expect(verdict(source)).toContain(because);
  });

  test('shortens long values', () => {
    const long = scopeOf({ ...ada, title: 'x'.repeat(500) });

    expect(String(verdict('item.title == ""', long)).length).toBeLessThan(140);
  });

  test.each([
    [
      'items[7].title == "x"',
      'items[7].title == "x" cannot be evaluated: index 7 is out of bounds: the list has 1 element; write [?7] for an empty value',
    ],
    ['1 / (item.rank - 4) > 1', '1 / (item.rank - 4) > 1 cannot be evaluated: division by zero'],
    [
      'item.startedAt + duration("99999999w") < now',
      'item.startedAt + duration("99999999w") < now cannot be evaluated: the timestamp is out of range',
    ],
  ])('is false with an error if it cannot be evaluated: %s', (source, because) => {
    expect(verdict(source)).toBe(because);
  });

  test('does not throw for any item', () => {
    const condition = conditionOf('item.viewerCount > 5 && item.tags.exists(t, t == "x")', { site, catalogue });

    const odd = [{}, { viewerCount: 'many' }, { viewerCount: 9, tags: [null, 5, {}] }, { viewerCount: Number.NaN }, { tags: 'x' }];

    expect(odd.map((item) => condition.test(scopeOf(item)).holds)).toEqual([false, false, false, false, false]);
  });
});
