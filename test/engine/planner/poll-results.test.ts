import { describe, expect, test } from 'vitest';
import { joinAnswers, lacksAddresses, pollsOf } from '#src/engine/planner/poll-results.ts';
import type { Need, StoredPollResult } from '#src/engine/planner/query.ts';
import { unionOf } from '#src/rules/named-users.ts';

const lookUp = (rule: string, user: string): Need => ({ rule, verb: 'social.getUserInfo', account: 'x', params: { user } });
const streams = (rule: string, users: readonly string[]): Need => ({
  rule,
  verb: 'streaming.getStreams',
  account: 'twitch',
  params: { users },
});
const answer = (over: Partial<StoredPollResult>): StoredPollResult => ({ items: [], approximate: false, partialErrors: [], ...over });
const failed = (...values: readonly string[]) => ({ message: 'unavailable', values });
const user = (id: string, handle: string) => ({ id, handle });

test.for([
  ['names of other rules failed', { partialErrors: [failed('linus', 'unasked')] }, true],
  ['names failed that no rule asked for', { partialErrors: [failed('linus'), failed('unasked')] }, false],
  ['the platform stopped early', { approximate: true }, false],
  ['the platform stopped early and names of other rules failed', { approximate: true, partialErrors: [failed('linus')] }, false],
] as const)('a poll whose query is shared is complete only if it lacks nothing: %s', ([, over, complete]) => {
  const needs = [streams('a', ['ada']), streams('b', ['linus'])];

  expect(pollsOf({ ...streams('', ['ada', 'linus']), needs }, answer(over)).get('a')).toMatchObject({ complete });
});

describe('the errors of a poll', () => {
  test('are those about its names, and those that may be about any name', () => {
    const needs = [streams('a', ['ada', 'grace']), streams('b', ['linus'])].map((need) => ({ ...need, isPartial: true }));
    const rejected = { message: 'row 3', fault: 'malformed', values: [] } as const;

    const polls = pollsOf(
      { ...streams('', ['ada', 'grace', 'linus']), needs },
      answer({ partialErrors: [failed('ADA', 'unasked'), failed('linus'), rejected] }),
    );

    const any = { account: 'twitch', failure: 'malformed: row 3', fault: 'malformed' };
    expect(polls.get('a')).toMatchObject({ errors: [{ account: 'twitch', names: ['ada'], failure: 'unavailable' }, any] });
    expect(polls.get('b')).toMatchObject({ errors: [{ account: 'twitch', names: ['linus'], failure: 'unavailable' }, any] });
  });

  test('are those of the whole list if its query cannot unite', () => {
    const posts: Need = { rule: 'a', verb: 'social.getPosts', account: 'x', params: { user: 'ada' } };

    expect(pollsOf({ ...posts, needs: [posts] }, answer({ partialErrors: [failed('7')] })).get('a')).toMatchObject({
      errors: [{ account: 'x', names: ['7'], failure: 'unavailable' }],
    });
  });
});

describe('names that differ by letter case', () => {
  test('are one user in the items and in the errors of a merged poll', () => {
    const needs = [streams('a', ['Ada']), streams('b', ['linus']), streams('c', ['GRACE'])];
    const items = [
      { id: 's1', owner: user('11', 'ADA') },
      { id: 's2', owner: user('12', 'grace') },
      { id: 's3', owner: user('12', 'Grace') },
    ];

    const polls = pollsOf({ ...streams('', ['ada', 'linus', 'grace']), needs }, answer({ items, partialErrors: [failed('LINUS')] }));

    expect([...polls.values()]).toEqual([
      { items: items.slice(0, 1), complete: true, more: undefined },
      { failure: 'unavailable' },
      { items: items.slice(1), complete: true, more: undefined },
    ]);
  });

  test('are one user in several results: an error counts only if no result has the name', () => {
    const union = unionOf(lookUp('a', 'ada'));
    if (!union) throw new Error('look-ups of users unite');
    const found = [answer({ items: [user('1', 'Ada')] }), answer({ partialErrors: [failed('ADA', 'Linus')] })];

    expect(joinAnswers(found, union)).toMatchObject({ items: [user('1', 'Ada')], partialErrors: [failed('Linus')] });
  });

  test.for([
    ['is missing', [], [], true],
    ['is there', [user('1', 'Ada@Social.test')], [], false],
    ['has an error', [], ['ADA@social.test'], false],
  ] as const)('an address that %s', ([, items, values, isLacking]) => {
    const need = lookUp('a', 'ada@SOCIAL.test');

    expect(lacksAddresses(need, answer({ items, partialErrors: [failed(...values)] }))).toBe(isLacking);
  });
});
