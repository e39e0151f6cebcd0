import { fc } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import type { Json } from '#src/clients/operation/json.ts';
import { differences } from '#src/engine/testing/differences.ts';
import { compareSent, type Sent, pairUp } from '#src/engine/testing/compare-sent.ts';
import type { Expectation } from '#src/engine/testing/rule-tests.ts';

describe('an expectation of parameters', () => {
  test.for<{ expected: Json; actual: Json | undefined }>([
    { expected: {}, actual: { text: 'a' } },
    { expected: { text: 'a' }, actual: { text: 'a', replyTo: 'b' } },
    { expected: { embed: { title: 'a' } }, actual: { embed: { title: 'a', footer: 'b' } } },
    { expected: { text: '/^a.c$/' }, actual: { text: 'abc' } },
    { expected: { text: '/🎮$/' }, actual: { text: 'plays 🎮' } },
    { expected: { text: '/' }, actual: { text: '/' } },
    { expected: { text: '/a.c/' }, actual: { text: '/a.c/x' } },
    { expected: { text: 'two lines\nof text\n' }, actual: { text: 'two lines\nof text' } },
    { expected: { content: 2048 }, actual: { content: '2048' } },
    { expected: { mention: ['a', '/b/'] }, actual: { mention: ['a', 'abc'] } },
    { expected: { mention: null }, actual: { content: 'a' } },
  ])('is met: $expected by $actual', ({ expected, actual }) => {
    expect(differences(expected, actual)).toEqual([]);
  });

  test.for<{ expected: Json; actual: Json; paths: readonly string[] }>([
    { expected: { text: 'a' }, actual: { text: 'b' }, paths: ['text'] },
    { expected: { text: 'a' }, actual: {}, paths: ['text'] },
    {
      expected: { text: 'a', embed: { title: 'b', url: 'c' } },
      actual: { text: 'a', embed: { title: 'x' } },
      paths: ['embed.title', 'embed.url'],
    },
    { expected: { text: '/^b/' }, actual: { text: 'ab' }, paths: ['text'] },
    { expected: { text: '/' }, actual: { text: 'a' }, paths: ['text'] },
    { expected: { count: 1 }, actual: { count: true }, paths: ['count'] },
    { expected: { mention: ['a'] }, actual: { mention: ['a', 'b'] }, paths: ['mention'] },
    { expected: { mention: null }, actual: { mention: ['a'] }, paths: ['mention'] },
    { expected: { fields: [{ name: 'a' }] }, actual: { fields: [{ name: 'b' }] }, paths: ['fields[0].name'] },
  ])('is not met: $expected by $actual', ({ expected, actual, paths }) => {
    expect(differences(expected, actual).map(({ path }) => path)).toEqual(paths);
  });
});

describe('the comparison of a case', () => {
  test('succeeds if all deliveries are expected, in any order within one instant', () => {
    const mismatches = compareSent(
      [expected({ do: 'b' }), expected({ do: 'a' })],
      [sent({ do: 'a', step: '1' }), sent({ do: 'b', step: '2' })],
    );

    expect(mismatches).toEqual([]);
  });

  test('fails on a missing step, even if the step ran at another time', () => {
    const mismatches = compareSent([expected({ atMs: 60_000 })], [sent({ atMs: 0 })]);

    expect(mismatches.map(({ kind }) => kind)).toEqual(['missing', 'unexpected']);
  });

  test('fails on an unexpected step', () => {
    const mismatches = compareSent([], [sent({})]);

    expect(mismatches).toEqual([{ kind: 'unexpected', sent: sent({}) }]);
  });

  test('fails on a different parameter and shows the nearest delivery', () => {
    const mismatches = compareSent(
      [expected({ with: { text: 'ada', reply: 'x' } }), expected({ with: { text: 'grace' } })],
      [
        sent({ step: '1', params: { text: 'linus', reply: 'y' } }),
        sent({ step: '2', params: { text: 'ada', reply: 'y' } }),
        sent({ step: '3', params: { text: 'grace' } }),
      ],
    );

    expect(mismatches).toMatchObject([
      { kind: 'different', sent: { step: '2' }, differences: [{ path: 'reply', expected: 'x', actual: 'y' }] },
      { kind: 'unexpected', sent: { step: '1' } },
    ]);
  });

  test('an expectation without `as` covers all deliveries of its step', () => {
    const both = [sent({ account: 'bluesky' }), sent({ account: 'mastodon' })];

    const mismatches = compareSent([expected({})], both);

    expect(mismatches).toEqual([]);
  });

  test('an expectation covers one step: the same step for another item needs a second expectation', () => {
    const mismatches = compareSent([expected({})], [sent({ step: 'ada 0' }), sent({ step: 'grace 0' })]);

    expect(mismatches).toMatchObject([{ kind: 'unexpected', sent: { step: 'grace 0' } }]);
  });

  test('all deliveries of a step must fit its expectation', () => {
    const both = [sent({ account: 'bluesky', params: { text: 'short' } }), sent({ account: 'mastodon', params: { text: 'long' } })];

    const mismatches = compareSent([expected({ with: { text: 'long' } })], both);

    expect(mismatches).toMatchObject([{ kind: 'different', sent: { account: 'bluesky' } }]);
  });

  test('`as` lists one delivery for each account', () => {
    const both = [sent({ account: 'bluesky' }), sent({ account: 'mastodon' })];

    expect(compareSent([expected({ as: ['bluesky', 'mastodon'] })], both)).toEqual([]);
    expect(compareSent([expected({ as: ['bluesky'] })], both)).toMatchObject([{ kind: 'unexpected', sent: { account: 'mastodon' } }]);
    expect(compareSent([expected({ as: ['x'] })], [sent({ account: 'bluesky' })]).map(({ kind }) => kind)).toEqual([
      'missing',
      'unexpected',
    ]);
    expect(compareSent([expected({ as: ['bluesky', 'x'] })], [sent({ account: 'bluesky' })])).toMatchObject([
      { kind: 'missing', expected: { as: ['x'] } },
    ]);
  });

  test('a step that reads may be expected', () => {
    const read = sent({ do: 'streaming.getUser', reads: true });

    expect(compareSent([], [read])).toEqual([]);
    expect(compareSent([expected({ do: 'streaming.getUser' })], [read])).toEqual([]);
  });

  test('a broad expectation leaves deliveries for narrow ones', () => {
    const mismatches = compareSent(
      [expected({}), expected({ with: { text: 'ada' } })],
      [sent({ step: '1', params: { text: 'ada' } }), sent({ step: '2', params: { text: 'grace' } })],
    );

    expect(mismatches).toEqual([]);
  });
});

test('the comparison finds the largest possible number of pairs', () => {
  const sides = fc.record({ left: fc.array(fc.nat(5), { maxLength: 5 }), right: fc.array(fc.nat(5), { maxLength: 5 }) });
  const near = (one: number, other: number): boolean => Math.abs(one - other) <= 1;

  fc.assert(
    fc.property(sides, ({ left, right }) => {
      const { restLeft, restRight } = pairUp(left, right, near);

      expect(left.length - restLeft.length).toBe(mostPairs(left, right));
      expect(right.length - restRight.length).toBe(mostPairs(left, right));
    }),
  );

  function mostPairs([one, ...others]: readonly number[], right: readonly number[]): number {
    if (one === undefined) return 0;
    const without = (index: number): readonly number[] => right.filter((_, i) => i !== index);
    const paired = right.flatMap((other, i) => (near(one, other) ? [1 + mostPairs(others, without(i))] : []));
    return Math.max(mostPairs(others, right), ...paired);
  }
});

function expected(expectation: Partial<Expectation>): Expectation {
  return { atMs: 0, line: 1, do: 'social.createPost', as: [], with: {}, ...expectation };
}

function sent(one: Partial<Sent>): Sent {
  return { atMs: 0, do: 'social.createPost', account: 'bluesky', params: { text: 'a' }, step: 'ada 0', part: '', reads: false, ...one };
}
