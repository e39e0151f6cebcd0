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

test('a step that everyone may read has one warning, at its key', () => {
  const step = '{ ▲audience: public, do: discord.send, with: { channel: live, content: hi } }';
  expect(messagesOf(feed({ when: ', include: [direct]', steps: step }))).toEqual([expect.stringMatching(/^▲ warning wider-audience/u)]);
});

test.for([
  ['a look-up of direct messages without include', '{ id: inbox, do: ▲social.getInbox, as: bluesky }', /error restricted-items/u],
  ['include at a write', '{ ▲include: [direct], do: discord.send, with: { channel: live, content: hi } }', /warning idle-include/u],
] as const)('%s is reported', ([, steps, expected]) => {
  expect(messagesOf(slot({ steps }))).toEqual([expect.stringMatching(new RegExp(`^▲ ${expected.source}`, 'u'))]);
});
