import { expect, test } from 'vitest';
import type { Lists } from '#src/rules/lists.ts';
import { run, rulesIn, START_MS } from './replay-fixture.ts';

const MOD = { name: 'Mod', via: 'discord', role: 'admin' } as const;
const ADA = { id: 'ada', list: 'team', server: undefined, fields: { twitch: 'ada' } };
const LISTS: Lists = { revision: '1', entries: (list) => (list === 'team' ? [ADA] : []), names: () => ['team', 'others'] };
const RULE = `id: r
when: { every: 1m, watch: streaming.getStreams, people: team }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;

test('the replay names the lists of its rule that people changed in the period', async () => {
  await using stage = await run({ rules: rulesIn([RULE]), seen: () => [], lists: () => LISTS, forMs: 180_000 });
  const [rule] = stage.rules;
  if (!rule) throw new Error('there is no rule');
  const { lists } = stage.store;

  await lists.edit({ list: 'others' }, MOD, () => ({ after: { grace: {} } }));
  const { changedLists: before } = await stage.replay(rule);
  const change = await lists.edit({ list: 'team', server: '1' }, MOD, () => ({ after: { ada: {} } }));
  const { changedLists: after } = await stage.replay(rule);
  const { changedLists: later } = await stage.replay(rule, (change?.at.getTime() ?? START_MS) + 1);

  expect([before, after, later]).toEqual([[], ['team'], []]);
});
