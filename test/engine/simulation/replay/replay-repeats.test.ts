import { expect, test } from 'vitest';
import { explainMessage } from '#src/admin/queries/explain-message.ts';
import { stepName } from '#src/rules/step-name.ts';
import { rulesIn, run, START_MS, type Stage } from './replay-fixture.ts';

const RULE = `
id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, first: fire, confirm: { new: 1 } }
then:
  - { id: card, do: discord.send, with: { channel: live, content: LIVE } }
while:
  - { id: edit, do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ item.title }}" } }
  - { id: reminder, every: 2m, do: discord.send, with: { channel: live, content: still live } }
`;

const openPlayed = (): Promise<Stage> =>
  run({
    rules: rulesIn([RULE]),
    seen: () => [{ id: 's1', owner: { id: 'ada', handle: 'ada' }, title: 'Chess', startedAt: new Date(START_MS).toISOString() }],
    forMs: 330_000,
  });

/** For example `same 03 reminder still live`, with the minute. */
async function eventLines(stage: Stage, source: string): Promise<readonly string[]> {
  const [rule] = rulesIn([source]);
  if (!rule) throw new Error('there is no rule');
  const { events } = await stage.replay(rule);
  return events.map(
    ({ kind, position, at, expected, actual }) =>
      `${kind} ${at.toISOString().slice(14, 16)} ${stepName(position)} ${(expected ?? actual)?.join(' / ')}`,
  );
}

test('the replay compares each reminder of a step with every as a post, and an edit of every changes their number', async () => {
  await using stage = await openPlayed();

  expect(await eventLines(stage, RULE)).toEqual(['same 00 card LIVE', 'same 03 reminder still live', 'same 05 reminder still live']);
  expect(await eventLines(stage, RULE.replace('every: 2m', 'every: 4m'))).toEqual([
    'same 00 card LIVE',
    'fewer 03 reminder still live',
    'same 05 reminder still live',
  ]);
});

test('a message of a step with every is explained by the decision about its multiple', async () => {
  await using stage = await openPlayed();
  const { items } = await stage.store.deliveryLog.list({ rule: 'live', limit: 50 });
  const reminders = items.filter(({ do: verb, section }) => section === 'while' && verb === 'discord.send');
  const reasons = await Promise.all(
    reminders.map(async ({ result }) => {
      const { id } = result as { readonly id: string }; // the stage answers with an id
      const { origins } = await explainMessage(
        { message: id, server: undefined },
        { accounts: [], rules: stage.rules, store: stage.store },
      );
      return origins.map(({ decision }) => decision?.reason);
    }),
  );

  expect(reasons).toEqual(
    [4, 2].map((minutes) => [{ kind: 'everyReached', name: 'Chess', everyMs: 120_000, multipleMs: minutes * 60_000 }]),
  );
});

test('a replay of a rule without a poll begins within its history', async () => {
  const rules = rulesIn([
    'id: clock\nwhen: { cron: "* * * * *" }\nthen: [{ do: discord.send, with: { channel: live, content: another minute } }]\n',
  ]);
  await using stage = await run({ rules, seen: () => [], forMs: 330_000 });

  const [whole, later] = await Promise.all(
    [START_MS, START_MS + 150_000].map(async (sinceMs) => {
      const views = await Promise.all(rules.map((rule) => stage.replay(rule, sinceMs)));
      return views.flatMap(({ events }) => events.map(({ kind, at }) => `${kind} ${at.toISOString().slice(14, 16)}`));
    }),
  );

  expect(whole).toEqual(['same 01', 'same 02', 'same 03', 'same 04', 'same 05']);
  expect(later).toEqual(['same 03', 'same 04', 'same 05']);
});
