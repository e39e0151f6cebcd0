import { expect, test } from 'vitest';
import { rulesIn, run, START_MS, type StageOptions } from './replay-fixture.ts';

const MINUTE_MS = 60_000;
const STREAMS = 'watch: streaming.getStreams, confirm: { new: 1 }, with: { users: [ada] }';
const SENDS = `{ do: discord.send, with: { channel: live, content: "\${{ date(now, 'UTC', 'time') }}" } }`;

/** A stream from the second minute on. */
const seen: StageOptions['seen'] = (_query, afterMs) =>
  afterMs < 2 * MINUTE_MS
    ? []
    : [{ id: 's1', owner: { id: 'ada', handle: 'ada' }, startedAt: new Date(START_MS + 2 * MINUTE_MS).toISOString() }];

async function replayed(source: string, options: Pick<StageOptions, 'disturbances' | 'forMs'>): Promise<readonly unknown[]> {
  const rules = rulesIn([source]);
  await using stage = await run({ rules, seen, ...options });
  const [rule] = rules;
  if (!rule) throw new Error('there is no rule');
  const { events } = await stage.replay(rule);
  return events.map(({ kind, at, expected, actual }) => [kind, at.toISOString().slice(11, 16), actual, expected]);
}

test.for([
  ['quiet: { from: "17:00", to: "18:06", timezone: UTC, then: hold }', ['18:08 6:08 PM']],
  [`gather: { cron: "*/6 * * * *", timezone: UTC, then: [${SENDS}] }`, ['18:03 6:03 PM', '18:08 6:08 PM']],
] as const)('the replay continues after a stop of the program when the rule did: %s', async ([key, sent]) => {
  const events = await replayed(`id: r\nwhen: { every: 1m, ${STREAMS} }\n${key}\nthen: [${SENDS}]\n`, {
    disturbances: [{ kind: 'down', afterMs: 4.5 * MINUTE_MS, forMs: 4 * MINUTE_MS }],
    forMs: 10 * MINUTE_MS,
  });

  expect(events).toEqual(sent.map((line) => ['same', line.slice(0, 5), [line.slice(6)], [line.slice(6)]]));
});

test('the elements of a list that waited when the program stopped are not messages that the replay sends only now', async () => {
  const source = `id: r\nwhen: { every: 1m, ${STREAMS} }\nthen: [{ wait: 1m }, { do: discord.send, forEach: "['x', 'y']", with: { channel: live, content: "\${{ it }}" } }]\n`;

  const stopped = { kind: 'down', afterMs: 3.5 * MINUTE_MS, forMs: 10 * MINUTE_MS } as const;

  expect(await replayed(source, { disturbances: [stopped], forMs: 6 * MINUTE_MS })).toEqual([]);
});
