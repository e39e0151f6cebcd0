import { describe, expect, test } from 'vitest';
import { check } from '../../support/rule-language.ts';

const STREAMS = 'when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }';

function withKeep(keep: string, when = STREAMS): string {
  return `id: r\n${when}\nkeep: ${keep}\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n`;
}

function typesOf(keep: string): Readonly<Record<string, string>> {
  return check(withKeep(keep)).rules[0]?.names.keep ?? {};
}

describe('stored values', () => {
  test('have the type of their start value, and a number gets fractions from its expression', () => {
    const types = typesOf(`
  count: "\${{ keep.count + 1 }}"
  total: "\${{ keep.total + double(keep.count) * 0.5 }}"
  sum: "\${{ keep.sum + keep.total }}"
  name: { start: "", next: "\${{ item.title }}" }
  isNew: { start: true, next: "false" }
  titles: { start: [], next: "top([item.title] + keep.titles, 3)" }`);

    expect(types).toEqual({ count: 'whole', total: 'number', sum: 'number', name: 'text', isNew: 'flag', titles: 'texts' });
  });

  test.for([
    ['an unknown value', '{ a: "keep.b + 1" }', 'expression'],
    ['a value of another type', '{ a: { start: 0, next: item.title } }', 'wrong-type'],
    ['a misspelled key', '{ a: { strat: 0, next: keep.a } }', 'unknown-key'],
    ['no expression', '{ a: { start: 0 } }', 'missing-key'],
    ['a name that expressions cannot read', '{ a-b: "1" }', 'unreadable-name'],
    ['more than 20 values', `{ ${Array.from({ length: 21 }, (_, i) => `v${i}: "1"`).join(', ')} }`, 'many-values'],
  ] as const)('are rejected: %s', ([, keep, code]) => {
    expect(check(withKeep(keep)).diagnostics.map((one) => one.code)).toContain(code);
  });

  test.for([
    ['text', 'item.title', 'text', '""'],
    ['joined text', 'keep.a + item.title', 'text', '""'],
    ['a list', '"keep.a + [item.title]"', 'a list of texts', '[]'],
    ['a truth value', '"!keep.a"', 'true or false', 'false'],
  ])('need a start value of their type: %s', ([, next, type, start]) => {
    const { diagnostics } = check(withKeep(`{ a: ${next} }`));

    expect(diagnostics.map(({ severity, path, message, hint }) => [severity, path, message, hint])).toEqual([
      ['error', 'keep.a', `the value is ${type}, but without start it starts with 0`, `write a: { start: ${start}, next: … }`],
    ]);
  });

  test('without a start value have one error, and none where they are read', () => {
    const source = withKeep('{ a: item.title }').replace('content: hi', 'content: "${{ keep.a }}"');

    expect(check(source).diagnostics.map(({ path }) => path)).toEqual(['keep.a']);
  });

  test.for([
    ['a number', '{ n: { start: "0", next: "${{ keep.n + 1 }}" } }', '0'],
    ['text of digits', `{ n: { start: "10", next: "\${{ keep.n + '1' }}" } }`, '10'],
    ['a field', '{ n: { start: "0", next: "${{ keep.n + item.viewerCount }}" } }', '0'],
    ['in one of two cases', '{ n: { start: "", next: "${{ item.mature ? keep.n : keep.n + 1 }}" } }', '0'],
  ] as const)('are reported if + joins text to a counter: %s', ([, keep, start]) => {
    expect(check(withKeep(keep)).diagnostics.map(({ severity, code, path, hint }) => [severity, code, path, hint])).toEqual([
      ['warning', 'text-counter', 'keep.n.start', `write start: ${start}`],
    ]);
  });

  test.for([
    ['a list in one text', '{ n: { start: "", next: "${{ keep.n + item.viewerCount }}" } }'],
    ['a counter with its conversions', '{ n: { start: "0", next: "${{ string(int(keep.n) + 1) }}" } }'],
    ['other text', '{ n: { start: "0", next: "${{ keep.n + item.title }}" } }'],
    ['a number', '{ n: { start: 0, next: "${{ keep.n + 1 }}" } }'],
  ] as const)('are not reported if they are no text counter: %s', ([, keep]) => {
    expect(check(withKeep(keep)).diagnostics).toEqual([]);
  });

  test('have no texts of restricted records', () => {
    const when = 'when: { every: 1m, watch: social.getMentions, account: mastodon, include: [direct] }';

    expect(check(withKeep('{ last: { start: "", next: item.text } }', when)).diagnostics.map(({ code }) => code)).toContain(
      'restricted-text',
    );
    const counted = check(withKeep('{ count: keep.count + 1 }', when)).diagnostics;
    expect(counted.map(({ code }) => code)).not.toContain('restricted-text');
  });
});

test('a step cannot read stored values that the rule does not have', () => {
  const source = 'id: r\nwhen: { every: 1m }\nthen: [{ do: discord.send, with: { channel: live, content: "${{ keep.total }}" } }]\n';

  expect(check(source).diagnostics.map(({ code }) => code)).toEqual(['expression']);
});
