import { expect, test } from 'vitest';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ruleOf } from '../../support/rule-language.ts';
import { cardRule, MINUTE, START_MS } from './fixture.ts';

const KEY = (item: Item): string | undefined => (typeof item['id'] === 'string' ? item['id'] : undefined);

function feedRule(include?: readonly ('followers' | 'direct')[]): Rule {
  return cardRule({ watched: { verb: 'social.getPosts', kind: 'feed', key: KEY, include, first: 'fire' } });
}

const post = (id: string, visibility: string): Item => ({ platform: 'mastodon', id, text: 'hi', visibility });
const POSTS = ['public', 'unlisted', 'followers', 'direct'].map((visibility) => post(visibility, visibility));

function announcedBy(rule: Rule, items: readonly Item[], state: RuleState = NEW_STATE) {
  const advanced = advance({ rule, state, poll: { items, complete: true }, slotMs: START_MS });
  return { ...advanced, announced: advanced.firings.map(({ scope }) => scope.item?.['id']) };
}

test.for([
  [undefined, ['public', 'unlisted']],
  [['followers'], ['public', 'unlisted', 'followers']],
  [['direct'], ['public', 'unlisted', 'direct']],
  [
    ['followers', 'direct'],
    ['public', 'unlisted', 'followers', 'direct'],
  ],
] as const)('with include %j, the rule announces %j', ([include, expected]) => {
  expect(announcedBy(feedRule(include), POSTS).announced).toEqual(expected);
});

test('records without a visibility are public, and a private list is for its owner only', () => {
  const items = [{ id: 'a stream' }, { id: 'a list', visibility: 'private' }];

  expect(announcedBy(feedRule(), items).announced).toEqual(['a stream']);
  expect(announcedBy(feedRule(['direct']), items).announced).toEqual(['a stream', 'a list']);
});

test('the decision has the number of items that were left out, and not their names', () => {
  const { decisions } = announcedBy(feedRule(), POSTS);

  expect(decisions.map(({ reason }) => reason).filter((reason) => reason?.kind === 'restricted')).toEqual([
    { kind: 'restricted', followers: 1, direct: 1 },
  ]);
  const { change } = announcedBy(feedRule(), POSTS.slice(2));
  expect(announcedBy(feedRule(), POSTS.slice(2)).decisions).toMatchObject([
    { outcome: 'unchanged', reason: { kind: 'unchanged', read: 2, restricted: { kind: 'restricted', followers: 1, direct: 1 } } },
  ]);
  expect(change?.put).toEqual([]);
});

test('an item that is left out does not count for take, and an item without a key does not spoil the list', () => {
  const rule = cardRule({ watched: { kind: 'ranking', key: KEY, take: 1, first: 'fire' } });

  expect(announcedBy(rule, [post('1', 'direct'), { visibility: 'followers' }, post('2', 'public')]).announced).toEqual(['2']);
});

test('the rule does not announce older items that an edit of include adds', () => {
  const before = feedRule();
  const first = announcedBy(before, POSTS);
  const state: RuleState = {
    ...NEW_STATE,
    memory: first.change?.memory ?? NEW_STATE.memory,
    episodes: new Map(first.change?.put.map((episode) => [episode.id, episode])),
  };
  const edited = cardRule({ watched: { ...before.watched, include: ['direct'], fingerprint: 'edited' } });
  const old = POSTS.map((item) => ({ ...item, createdAt: new Date(START_MS - 60 * MINUTE).toISOString() }));

  const poll = { items: old, complete: true };
  const { firings } = advance({ rule: edited, state, poll, slotMs: START_MS + MINUTE });

  expect(firings.filter(({ section }) => section !== 'while')).toEqual([]);
});

test('a thread has the audience of its first post, and its restricted replies are left out', () => {
  const reply = (id: string, visibility: string) => ({ depth: 1, post: post(id, visibility) });
  const thread = (id: string, visibility: string): Item => ({
    id,
    root: post(id, visibility),
    replies: [reply(`${id}-public`, 'public'), reply(`${id}-direct`, 'direct')],
  });
  const shown = (include?: readonly ('followers' | 'direct')[]) =>
    announcedBy(feedRule(include), [thread('1', 'public'), thread('2', 'direct')])
      .firings.map(({ scope }) => scope.item ?? {})
      .map(({ id, replies }) => [id, Array.isArray(replies) ? replies.length : undefined]);

  expect(shown()).toEqual([['1', 1]]);
  expect(shown(['direct'])).toEqual([
    ['1', 2],
    ['2', 2],
  ]);
});

const secret = (id: string, text: string): Item => ({ platform: 'mastodon', id, text, visibility: 'direct', counts: { likes: 3 } });

test('reasons have no texts of items that not everyone can read', () => {
  const rule = ruleOf(
    `id: r
when: { every: 1m, watch: social.getMentions, account: mastodon, include: [direct], first: fire, where: 'item.text.contains("stream") && item.counts.likes > 1' }
if: item.text.startsWith("When") && item.counts.likes > 5
then: [{ do: social.createPost, as: mastodon, with: { replyTo: "\${{ item.id }}", text: hi } }]
`,
  );
  const { decisions } = announcedBy(rule, [secret('1', 'my address'), secret('2', 'a stream for my address')]);
  const told = JSON.stringify(decisions);

  expect(told).toContain('item.text is …');
  expect(told).not.toContain('my address');
  expect(JSON.stringify(announcedBy(rule, [{ ...secret('1', 'my address'), visibility: 'public' }]).decisions)).toContain('my address');
});

test('the reason of a change has no texts of an item that not everyone can read', () => {
  const rule = cardRule({
    watched: {
      verb: 'social.getMentions',
      kind: 'feed',
      key: KEY,
      include: ['direct'],
      changes: [{ kind: 'changed', fields: ['text', 'likes'] }],
    },
  });
  const item = (text: string, likes: number, visibility: string): Item => ({ ...post('1', visibility), text, likes });
  const reasonsFor = (visibility: string): string => {
    const first = announcedBy(rule, [item('old secret', 1, visibility)]);
    const state: RuleState = {
      ...NEW_STATE,
      memory: first.change?.memory ?? NEW_STATE.memory,
      episodes: new Map(first.change?.put.map((episode) => [episode.id, episode])),
    };
    const poll = { items: [item('new secret', 2, visibility)], complete: true };
    return JSON.stringify(advance({ rule, state, poll, slotMs: START_MS + MINUTE }).decisions);
  };

  expect(reasonsFor('public')).toContain('new secret');
  expect(reasonsFor('direct')).toContain('a new text: …, was …, a new likes: 2, was 1');
  expect(reasonsFor('direct')).not.toContain('secret');
});
