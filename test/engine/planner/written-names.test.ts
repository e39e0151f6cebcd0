import { expect, test } from 'vitest';
import { mergeKey, mergeQueries, queriesOf } from '#src/engine/planner/merge-queries.ts';
import { recordedPollsOf } from '#src/engine/planner/recorded-polls.ts';
import { splitNames } from '#src/engine/planner/split-polls.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { bindLists } from '#src/rules/people/bind-lists.ts';
import { namesToAsk } from '#src/rules/people/partial-polls.ts';
import type { Rule } from '#src/rules/rule.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';

/** The id of a channel of YouTube, which only its capitals make that of the channel. */
const ID = 'UCAdaAdaAdaAdaAdaAdaAda1';

const naming = (users: readonly string[], id = 'named'): Rule =>
  makeRule({ id, watched: makeWatched({ accounts: ['youtube'], with: { users } }) });

/** A rule about a list with one more entry. */
function listing(id: string, fields: JsonObject = {}): Rule {
  const people = { list: 'team', platforms: { youtube: 'youtube' } };
  const rule = makeRule({ id: 'listed', watched: makeWatched({ accounts: ['youtube'], with: {}, people }) });
  const entries = [
    { list: 'team', server: undefined, id: 'grace', fields: {} },
    { list: 'team', server: undefined, id, fields },
  ];
  return bindLists(rule, { revision: '1', entries: () => entries, names: () => ['team'] });
}

test.for<[string, readonly Rule[]]>([
  ['in a rule', [naming(['grace', ID])]],
  ['with a mark', [naming(['grace', `@${ID}`])]],
  ['among the ids of an entry', [listing('ada', { youtube: 'ada', userIds: { youtube: ID } })]],
  ['in the field of an entry', [listing('ada', { youtube: ` @${ID}` })]],
  ['as an entry', [listing(ID)]],
  ['as an entry and in its field', [listing(ID, { youtube: ID })]],
  ['in several rules', [naming(['Grace', 'GRACE', ID], 'a'), listing(ID), naming([ID.toLowerCase()], 'b')]],
  ['in several rules, first without its capitals', [naming(['grace', ID.toLowerCase()], 'a'), naming([ID], 'b')]],
])('an id that is %s keeps its capitals in requests', ([, rules]) => {
  const polls = mergeQueries(rules.flatMap((rule) => queriesOf(rule)));
  const hinted = mergeQueries(rules.flatMap((rule) => queriesOf(rule, namesToAsk(rule, [ID]))));
  const parts = polls.flatMap((poll) => splitNames(poll, 1));

  expect(polls.map(({ params }) => params)).toEqual([{ users: [expect.stringMatching(/^grace$/iu), ID] }]);
  expect(hinted.map(({ params }) => params)).toEqual([{ users: [ID] }]);
  expect(parts.map(({ params }) => params)).toEqual([{ users: [expect.stringMatching(/^grace$/iu)] }, { users: [ID] }]);
});

test.for([
  ['in a rule', naming([ID])],
  ['in a list', listing('ada', { userIds: { youtube: ID } })],
] as const)('an id that is %s finds the polls that an older version recorded in lower case', async ([, rule]) => {
  const item = { id: 'live1', owner: { id: ID, handle: 'ada' } };
  const answer = { items: [item], approximate: false, partialErrors: [] };
  const query = mergeKey({ verb: 'streaming.getStreams', account: 'youtube', params: { users: [ID.toLowerCase()] } });
  const recorded = {
    async *read(key: string) {
      if (key === query) yield { slotMs: 10, params: { users: ['grace', ID.toLowerCase()] }, answer };
    },
  };

  const polls = await Array.fromAsync(recordedPollsOf(rule, recorded, 0));

  expect(polls).toMatchObject([{ poll: { items: [{ id: 'live1' }], complete: true }, missingNames: [] }]);
});
