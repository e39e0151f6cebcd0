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

/** Streams that begin a minute apart. */
const arriving: StageOptions['seen'] = (_query, afterMs) =>
  ['ada', 'grace', 'linus'].slice(0, Math.floor(afterMs / MINUTE_MS)).map((handle) => ({
    id: handle,
    owner: { id: handle, handle },
    title: 'One',
    startedAt: new Date(START_MS).toISOString(),
  }));

const WATCHED = 'when: { every: 1m, watch: streaming.getStreams, with: { users: [ada, grace, linus] }, first: fire, confirm: { new: 1 } }';
const SENT = `[{ do: discord.send, with: { channel: live, content: "\${{ held.map(h, h.item.id).join('+') }}" } }]`;
/** Collects until six minutes after the start. */
const GATHER = `id: r
${WATCHED}
gather: { count: 9, cron: "6 * * * *", timezone: UTC, then: ${SENT} }
`;
/** The second and the third stream exceed the limit, which allows a further firing four minutes after the first one. */
const LIMIT = `id: r
${WATCHED}
limit: { firings: 1, per: 4m, then: ${SENT} }
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.id }}" } }]
`;

test.for<readonly [string, string, readonly string[]]>([
  ['gather', GATHER, ['same 18:06, then 18:10 ada+grace+linus']],
  ['limit', LIMIT, ['same 18:02 ada', 'same 18:06, then 18:10 grace+linus']],
])('the replay counts the run of the steps of %s that a pause delayed, once', async ([, source, lines]) => {
  const pause: Disturbance = { kind: 'pause', afterMs: 4.5 * MINUTE_MS, forMs: 5 * MINUTE_MS };
  await using stage = await run({ rules: rulesIn([source]), seen: arriving, disturbances: [pause], forMs: 12 * MINUTE_MS });
  const [rule] = stage.rules;
  if (!rule) throw new Error('there is no rule');

  const { events, paused } = await stage.replay(rule);

  const time = (at: Date): string => at.toISOString().slice(11, 16);
  expect(
    events.map(({ kind, at, actualAt = at, expected }) => {
      const then = time(actualAt) === time(at) ? '' : `, then ${time(actualAt)}`;
      return `${kind} ${time(at)}${then} ${expected?.join(' ')}`;
    }),
  ).toEqual(lines);
  expect(paused).toBe(1);
});

test('the replay says that a pause may have prevented more announcements than there are stored decisions', async () => {
  const rules = rulesIn([RULE.replace('every: 1m', 'every: 10s')]);
  const changing: StageOptions['seen'] = (query, afterMs) =>
    seen(query, 0).map((item) => ({ ...item, title: `Title ${Math.floor(afterMs / 10_000)}` }));
  const pause: Disturbance = { kind: 'pause', afterMs: MINUTE_MS, forMs: 10 * MINUTE_MS };
  await using stage = await run({ rules, seen: changing, disturbances: [pause], forMs: 11 * MINUTE_MS });
  const [rule] = rules;
  if (!rule) throw new Error('there is no rule');

  // Of 60 decisions, 50 are stored. Five announcements waited when the pause began.
  expect(await stage.replay(rule)).toMatchObject({ paused: 55, pausedIsMinimum: true });
  expect(await stage.replay(rule, stage.endMs - 5 * MINUTE_MS)).toMatchObject({ paused: 30, pausedIsMinimum: false });
});
