import { expect, test } from 'vitest';
import { feed, list, messagesOf, slot } from './fixture.ts';
import { ruleOf } from '../../support/rule-language.ts';

test('a rule includes restricted items only with include, and an edit of include begins a new list', () => {
  const [plain, edited] = [ruleOf(feed({})), ruleOf(feed({ when: ', include: [direct, followers]' }))];

  expect(plain?.watched?.include).toBeUndefined();
  expect(edited?.watched?.include).toEqual(['direct', 'followers']);
  expect(edited?.watched?.fingerprint).not.toBe(plain?.watched?.fingerprint);
});

test.for([
  ['a list that everyone can read', list({ when: ', ▲include: [direct]' }), /warning idle-include/u],
  [
    'a list of direct messages without include',
    slot({ when: 'every: 1m, watch: ▲social.getInbox, with: { pages: all }, account: bluesky' }),
    /error restricted-items/u,
  ],
  ['include without watch', slot({ when: 'every: 1m, ▲include: [direct]' }), /error key-without-watch/u],
  ['an unknown audience', feed({ when: ', include: [▲private]' }), /error wrong-value: .*followers/u],
] as const)('%s is reported', ([, source, expected]) => {
  expect(messagesOf(source)).toEqual([expect.stringMatching(new RegExp(`^▲ ${expected.source}`, 'u'))]);
});

test('a list of direct messages with include has no diagnostics', () => {
  expect(
    messagesOf(slot({ when: 'every: 1m, watch: social.getInbox, with: { pages: all }, account: bluesky, include: [direct]' })),
  ).toEqual([]);
});
