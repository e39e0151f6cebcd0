import { expect, test } from 'vitest';
import { rulesIn, run, START_MS, type Disturbance, type StageOptions } from './replay-fixture.ts';

const MINUTE_MS = 60_000;
const RULE = `id: r
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, first: fire, confirm: { new: 1 }, changes: [entered, { changed: [title] }] }
then: [{ wait: 45s }, { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }]
`;

/** A stream whose title changes in the third minute. */
const seen: StageOptions['seen'] = (_query, afterMs) => [
  {
    id: 's1',
    owner: { id: 'ada', handle: 'ada' },
    title: afterMs < 2.5 * MINUTE_MS ? 'One' : 'Two',
    startedAt: new Date(START_MS).toISOString(),
  },
];

test.for<readonly [string, Disturbance, readonly string[]]>([
  ['a pause before the change', { kind: 'pause', afterMs: 2 * MINUTE_MS, forMs: 2 * MINUTE_MS }, ['same One', 'more Two']],
  ['a mute before the change', { kind: 'mute', afterMs: 2 * MINUTE_MS, key: 'ada' }, ['same One', 'more Two']],
  ['a pause that withdraws a waiting step', { kind: 'pause', afterMs: 10_000, forMs: MINUTE_MS }, ['more One', 'same Two']],
  ['a mute that withdraws a waiting step', { kind: 'mute', afterMs: 10_000, key: 'ada' }, ['more One', 'more Two']],
])('the replay counts the announcements that a person prevented: %s', async ([, disturbance, lines]) => {
  await using stage = await run({ rules: rulesIn([RULE]), seen, disturbances: [disturbance], forMs: 5 * MINUTE_MS });
  const [rule] = stage.rules;
  if (!rule) throw new Error('there is no rule');

  const { events, paused } = await stage.replay(rule);

  expect(events.map(({ kind, expected }) => `${kind} ${expected?.join(' ')}`)).toEqual(lines);
  expect(paused).toBe(lines.filter((line) => line.startsWith('more')).length);
});
