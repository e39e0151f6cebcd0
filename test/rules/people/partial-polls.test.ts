import { expect, test } from 'vitest';
import { bindLists } from '#src/rules/people/bind-lists.ts';
import { namesToAsk, takesPartialPolls, watchedNames } from '#src/rules/people/partial-polls.ts';
import type { ListEntry, Lists } from '#src/rules/lists.ts';
import type { Condition, Rule, Watched } from '#src/rules/rule.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';

const condition = (source: string): Condition => ({ source, test: () => ({ holds: true }) });
const watching = (watched: Partial<Watched>, over: Partial<Rule> = {}): Rule =>
  makeRule({ watched: makeWatched({ with: { users: ['Ada', '@grace', 'linus'] }, ...watched }), ...over });

test.for<[string, Rule, boolean]>([
  ['streams of users', watching({}), true],
  ['changes of titles and viewers', watching({ changes: [{ kind: 'changed', fields: ['title'] }, { kind: 'left' }] }), true],
  ['a ranking', watching({ kind: 'ranking', verb: 'streaming.getTopStreams', with: {} }), false],
  ['the first items only', watching({ take: 5 }), false],
  ['changes of ranks', watching({ changes: [{ kind: 'moved' }] }), false],
  ['one announcement for a poll', watching({ per: 'poll' }), false],
  ['items that users share', watching({ sharesKeys: true }), false],
  ['steps that read the list', watching({}, { readsList: true }), false],
  ['steps that read a rank', watching({}, { readsRank: true }), false],
  ['a condition on the list', watching({}, { if: condition('size(items) > 1') }), false],
  ['a condition on the item', watching({}, { if: condition('item.viewerCount > 1') }), true],
  ['several accounts', watching({ accounts: ['twitch', 'kick'] }), true],
  ['ids on several platforms', watching({ accounts: ['twitch', 'kick'], with: { users: ['ada', '12'] } }), false],
  ['nothing', makeRule({ watched: undefined }), false],
])('whether a poll of some names is enough for a rule that watches %s', ([, rule, expected]) => {
  expect(takesPartialPolls(rule)).toBe(expected);
});

test.for([
  [['ada', 'nobody'], { twitch: ['ada'] }],
  [['@Grace', 'LINUS'], { twitch: ['grace', 'linus'] }],
  [['nobody'], { twitch: [] }],
  // All names are the whole list.
  [['ada', 'grace', 'linus'], undefined],
] as const)('a hint about %s asks for the names that the rule has', ([hinted, expected]) => {
  expect(namesToAsk(watching({}), hinted)).toEqual(expected);
});

test('an entry of a list is asked for with its names on all platforms', () => {
  const entry = (id: string, fields: ListEntry['fields']): ListEntry => ({ list: 'team', server: undefined, id, fields });
  const entries = [entry('ada', { kick: 'ada_k' }), entry('grace', { kick: 'shared' }), entry('linus', { kick: 'shared' })];
  const lists: Lists = { revision: '1', entries: () => entries, names: () => ['team'] };
  const rule = bindLists(
    watching({ accounts: ['twitch', 'kick'], with: {}, people: { list: 'team', platforms: { twitch: 'twitch', kick: 'kick' } } }),
    lists,
  );

  expect(namesToAsk(rule, ['ada'])).toEqual({ twitch: ['ada'], kick: ['ada_k'] });
  expect(namesToAsk(rule, ['shared'])).toEqual({ twitch: ['grace', 'linus'], kick: ['shared'] });
  expect(namesToAsk(rule, ['ada', 'shared'])).toBeUndefined();
});

test('hints reach the entries of a list in any letter case', () => {
  const rule = watching({ with: {}, people: { list: 'team', platforms: { twitch: 'twitch' } } });
  const entries = [{ list: 'team', server: undefined, id: 'Ada', fields: {} }];
  const bound = bindLists(rule, { revision: '1', entries: () => entries, names: () => ['team'] });

  expect(watchedNames(rule)).toEqual(new Set(['ada']));
  expect(bound.watched?.people?.index?.names).toEqual({ twitch: ['Ada'] });
});
