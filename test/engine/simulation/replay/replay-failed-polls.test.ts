import { expect, test } from 'vitest';
import type { Lists } from '#src/rules/lists.ts';
import { rulesIn, run, START_MS, type PollFault, type StageOptions } from './replay-fixture.ts';

const MINUTE_MS = 60_000;
const TEXT = "${{ item.owner.handle }} at ${{ date(now, 'UTC', 'time') }}";
const SENDS = `then: [{ do: discord.send, with: { channel: live, content: "${TEXT}" } }]`;

/** One stream per account, from the fifth minute on. */
const seen: StageOptions['seen'] = ({ account }, afterMs) =>
  afterMs < 4.5 * MINUTE_MS
    ? []
    : [{ id: account, owner: { id: account, handle: 'ada' }, startedAt: new Date(START_MS + 4.5 * MINUTE_MS).toISOString() }];

const during = (fromMinutes: number, toMinutes: number, fault: PollFault): NonNullable<StageOptions['pollFault']> => {
  return ({ account }, afterMs) =>
    account === 'twitch' && afterMs >= fromMinutes * MINUTE_MS && afterMs < toMinutes * MINUTE_MS ? fault : undefined;
};

const ADA = { id: 'ada', list: 'team', server: undefined, fields: { twitch: 'ada', kick: 'ada' } };
const LISTS: Lists = { revision: '1', entries: () => [ADA], names: () => ['team'] };

const STREAMS = 'watch: streaming.getStreams, confirm: { new: 1 }, with: { users: [ada] }';

test.for([
  {
    name: 'a poll without some names that is repeated for its slot',
    rule: `when: { cron: "*/5 * * * *", ${STREAMS} }`,
    pollFault: during(4.9, 5.1, 'name'),
    sent: '18:05 ada at 6:05 PM',
  },
  {
    name: 'failed polls at the end of quiet hours',
    rule: `when: { every: 1m, ${STREAMS} }\nquiet: { from: "17:00", to: "18:06", timezone: UTC, then: hold }`,
    pollFault: during(5.5, 8.5, 'whole'),
    sent: '18:09 ada at 6:09 PM',
  },
  {
    name: 'failed polls of one of the accounts of a person',
    rule: `when: { every: 1m, watch: streaming.getStreams, confirm: { new: 1 }, people: team }`,
    pollFault: during(0, 9, 'whole'),
    sent: '18:05 ada at 6:05 PM',
  },
])('the replay repeats the history of a rule with $name', async ({ rule: source, pollFault, sent }) => {
  const rules = rulesIn([`id: r\n${source}\n${SENDS}\n`]);
  await using stage = await run({ rules, seen, pollFault, lists: () => LISTS, forMs: 11 * MINUTE_MS });
  const [rule] = rules;
  if (!rule) throw new Error('there is no rule');

  const { events } = await stage.replay(rule);

  expect(events.map(({ kind, at, expected, actual }) => [kind, at.toISOString().slice(11, 16), actual, expected])).toEqual([
    ['same', sent.slice(0, 5), [sent.slice(6)], [sent.slice(6)]],
  ]);
});
