import { expect, test } from 'vitest';
import { feed, list, messagesOf, SEND, slot } from './fixture.ts';
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

const INBOX = 'every: 1m, watch: social.getInbox, with: { pages: all }, account: bluesky, include: [direct]';
const MESSAGE = '{ do: social.sendMessage, as: bluesky, with: { user: "${{ item.participants[0].id }}", text: hi } }';
const REPLY = '{ do: social.createPost, as: mastodon, with: { replyTo: "${{ item.id }}", text: hi } }';

test('an answer to direct messages has no diagnostics', () => {
  expect(messagesOf(slot({ when: INBOX, steps: MESSAGE }))).toEqual([]);
});

test.for([
  ['a step about direct messages', slot({ when: INBOX, steps: SEND.replace('discord', '▲discord') })],
  ['a step beside an answer to direct messages', slot({ when: INBOX, steps: `${MESSAGE}\n  - ${SEND.replace('discord', '▲discord')}` })],
  ['include', feed({ when: ', ▲include: [direct]' })],
  ['include with a post', feed({ when: ', ▲include: [direct]', steps: '{ do: social.createPost, as: x, with: { text: hi } }' })],
] as const)('%s is reported if more people could read it, so that nothing is sent', ([, source]) => {
  const accounts = { social: { all: ['bluesky', 'mastodon', 'x'], defaults: [] }, discord: { all: ['discord'], defaults: [] } };
  expect(messagesOf(source, accounts)).toEqual([expect.stringMatching(/^▲ warning unsent-step/u)]);
});

test.for([
  ['with a reply', feed({ when: ', include: [direct]', steps: `${REPLY}\n  - ${SEND}` })],
  ['with per: slot', feed({ when: ', include: [direct], per: slot', top: 'if: items.size() > 0\nfuse: { firings: 100 }' })],
  [
    'that only reacts',
    feed({ when: ', include: [direct]', steps: '{ do: social.likePost, as: bluesky, with: { post: "${{ item.id }}" } }' }),
  ],
] as const)('a rule %s can use the items of include', ([, source]) => {
  expect(messagesOf(source)).toEqual([]);
});

test.for([
  ['where', feed({ when: ', where: item.visibility == ▲"direct"' })],
  ['if', feed({ top: 'if: item.visibility == ▲"followers"' })],
  ['a list', feed({ top: 'if: item.visibility in ["public", ▲"direct"]' })],
  ['include', feed({ when: ', include: [followers]', top: 'if: item.visibility == ▲"direct"', steps: REPLY })],
] as const)('a comparison with items that the rule leaves out is reported: %s', ([, source]) => {
  expect(messagesOf(source)).toEqual([expect.stringMatching(/^▲ warning excluded-audience: item\.visibility is never/u)]);
});

test.for([
  feed({ when: ', where: item.visibility != "direct"' }),
  feed({ when: ', where: item.visibility == "unlisted"' }),
  feed({ when: ', include: [direct]', top: 'if: item.visibility == "direct"', steps: REPLY }),
])('other comparisons have no diagnostics: %s', (source) => {
  expect(messagesOf(source)).toEqual([]);
});

test('comments have the audience of their first post', () => {
  const comments = 'every: 1m, watch: social.getPostComments, with: { post: "1" }, account: mastodon, include: [direct]';

  expect(messagesOf(slot({ when: comments, steps: REPLY }))).toEqual([]);
  expect(messagesOf(slot({ when: comments, steps: REPLY, top: 'keep: { ▲last: { start: "", next: item.root.text } }' }))).toEqual([
    expect.stringMatching(/^▲ error restricted-text/u),
  ]);
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
