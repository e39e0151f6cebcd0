import { expect, test } from 'vitest';
import type { Item } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { aStep, condition, MINUTE, START_MS, stream, type RuleOptions } from '../../rules/evaluate/fixture.ts';
import { rule, start, type Setting } from './rest-fixture.ts';

const live = (): readonly Item[] => [stream('ada')];

test.for<[string, Rule, readonly number[]]>([
  ['ten intervals, without within', rule(), [0, 1, 11, 21]],
  ['within', rule({ withinMs: 4 * MINUTE }), [0, 1, 5, 9, 13, 17, 21]],
  ['a within that is no multiple of every', rule({ withinMs: 2.5 * MINUTE }), [0, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21]],
  ['maxAge, if it is shorter', rule({ maxAgeMs: 3 * MINUTE }), [0, 1, 4, 7, 10, 13, 16, 19]],
  ['the interval, if within is as short', rule({ withinMs: MINUTE }), Array.from({ length: 22 }, (_, minute) => minute)],
])('while the platform notifies, polls are as far apart as %s', async ([, watching, expected]) => {
  const { until, polls } = await start({ rule: watching, shown: live });

  await until(21.5);

  expect(polls).toEqual(expected);
});

test.for<[string, Partial<Setting>]>([
  ['it reads lasting fields', { rule: rule({ watched: { decidingFields: ['id', 'owner', 'person'] } }), shown: live }],
  ['it has no item, whatever it reads', { rule: rule({ watched: { decidingFields: ['title', 'viewerCount'] } }), shown: () => [] }],
])('notifications about new and missing items are enough for the rest of a rule if %s', async ([, setting]) => {
  const { until, polls } = await start({ rule: rule(), names: ['ada'], presenceOnly: ['grace'], ...setting });

  await until(4.5);

  expect(polls).toEqual([0, 1]);
});

test('the requests of slots without a poll are estimated, without those of rules that are polled for the same names', async () => {
  const names = ['ada', ...Array.from({ length: 950 }, (_, index) => `user-${index}`)];
  const many = rule({ watched: { with: { users: names } } });
  const alone = await start({ rule: many, names });
  const beside = await start({
    rule: many,
    others: [rule({ id: 'other', withinMs: MINUTE, watched: { with: { users: names } } })],
    names,
  });

  for (const { until } of [alone, beside]) await until(4.5);

  expect(alone.polls).toEqual([0, 1]);
  expect(alone.saved).toEqual([2, 3, 4].map(() => ['twitch', 10]));
  expect(beside.saved).toEqual([]);
});

test('without within, polls are at most ten minutes apart', async () => {
  const { until, polls } = await start({ rule: rule({ schedule: { everyMs: 5 * MINUTE } }), shown: live });

  await until(36);

  expect(polls).toEqual([0, 5, 15, 25, 35]);
});

test.for<[string, Partial<Setting>]>([
  ['a name is only polled', { names: ['ada'] }],
  ['no platform notifies', { isNotified: false }],
  [
    'a field decides about whose changes the platform does not notify for one of the names',
    { rule: rule({ watched: { decidingFields: ['title'] } }), names: ['ada'], presenceOnly: ['grace'] },
  ],
  ['it fires at each slot', { rule: rule({ watched: { per: 'slot' } }) }],
  ['a field decides that no notification names', { rule: rule({ watched: { decidingFields: ['viewerCount'] } }) }],
  ['it needs each poll', { rule: rule({ while: [aStep({ do: 'discord.edit' })], watched: { decidingFields: undefined } }) }],
  ['its condition reads the time', { rule: rule({ watched: { where: condition('item.startedAt < now', () => true) } }) }],
])('a rule is polled at each slot if %s', async ([, setting]) => {
  const { until, polls } = await start({ rule: rule(), shown: live, ...setting });

  await until(4.5);

  expect(polls).toEqual([0, 1, 2, 3, 4]);
});

test('a rule rests whatever it reads, while its list is empty', async () => {
  const { until, polls } = await start({ rule: rule({ watched: { decidingFields: undefined } }) });

  await until(12);

  expect(polls).toEqual([0, 1, 11]);
});

test.for<[string, RuleOptions['watched'], readonly number[]]>([
  ['confirm', { confirm: { new: 3, gone: 1 } }, [0, 1, 4.25, 5, 6, 7]],
  ['settle', { settleMs: 2 * MINUTE }, [0, 1, 4.25, 5, 6, 7, 8]],
])('a rule is polled at its slots while %s waits for polls', async ([, watched, expected]) => {
  const { until, polls, scheduler, commits } = await start({
    rule: rule({ watched }),
    shown: (atMs) => (atMs >= START_MS + 4.2 * MINUTE ? live() : []),
  });
  await until(4.25);
  await scheduler.hurry([{ rule: 'card' }]);

  await until(9);

  expect(polls).toEqual(expected);
  expect(commits.flatMap(({ decisions }) => decisions.filter(({ outcome }) => outcome === 'fired'))).toHaveLength(1);
});

test('a rule is polled at its next slot when the notifications of a name end', async () => {
  const { until, cover, coverage, polls } = await start({ rule: rule(), shown: live });
  await until(3.5);
  cover(['ada']);
  await until(5.5);
  cover(['ada', 'grace']);
  await until(8.5);
  coverage.clear('twitch');
  await until(10.5);

  expect(polls).toEqual([0, 1, 4, 5, 9, 10]);
});

test('a rest is no gap: an old stream that comes into the list is announced', async () => {
  const startedAt = new Date(START_MS - 3 * 60 * MINUTE).toISOString();
  const { until, scheduler, commits } = await start({
    rule: rule(),
    shown: (atMs) => (atMs >= START_MS + 8.2 * MINUTE ? [stream('ada', { startedAt })] : []),
  });
  await until(8.25);
  await scheduler.hurry([{ rule: 'card' }]);
  await until(9);

  expect(commits.at(-1)?.decisions).toMatchObject([{ outcome: 'fired' }]);
});

test('the end of a stream after a rest has the length that polls at each slot would show', async () => {
  const shown = (atMs: number): readonly Item[] => (atMs < START_MS + 8.2 * MINUTE ? live() : []);
  const [rested, polled] = await Promise.all(
    [true, false].map(async (isNotified) => {
      const { until, scheduler, commits } = await start({ rule: rule({ finally: [aStep({ do: 'discord.edit' })] }), shown, isNotified });
      await until(8.25);
      await scheduler.hurry([{ rule: 'card' }]);
      await until(13);
      return commits.flatMap(({ change }) => change?.put.filter(({ phase }) => phase === 'closed') ?? []);
    }),
  );

  expect(rested).toHaveLength(1);
  expect(rested?.map(({ lastSeenMs, closedMs }) => [lastSeenMs, closedMs])).toEqual(
    polled?.map(({ lastSeenMs, closedMs }) => [lastSeenMs, closedMs]),
  );
});

test.for<[string, { readonly seenBy: 'hint' | 'slot'; readonly opensBy: 'hint' | 'slot' }]>([
  ['a hint, if its poll showed the stream first and a slot announces it', { seenBy: 'hint', opensBy: 'slot' }],
  ['no hint, if a slot showed the stream first and a poll of a hint announces it', { seenBy: 'slot', opensBy: 'hint' }],
  ['a hint, if both polls followed one', { seenBy: 'hint', opensBy: 'hint' }],
])('with settle, a decision names %s', async ([, { seenBy, opensBy }]) => {
  const { until, scheduler, commits } = await start({
    rule: rule({ watched: { settleMs: 90_000 } }),
    shown: (atMs) => (atMs >= START_MS + 4.2 * MINUTE ? live() : []),
    isNotified: false,
  });
  await until(4.25);
  if (seenBy === 'hint') await scheduler.hurry([{ rule: 'card', names: ['ada'] }]);
  await until(seenBy === 'hint' ? 5.75 : 6.5);
  if (opensBy === 'hint') await scheduler.hurry([{ rule: 'card', names: ['ada'] }]);
  await until(8);

  const fired = commits.flatMap(({ slotMs, decisions }) =>
    decisions.flatMap((one) => (one.outcome === 'fired' ? [{ slotMs, ...one }] : [])),
  );
  expect(fired.map(({ details }) => details?.['noticedBy'])).toEqual([seenBy === 'hint' ? 'notification' : undefined]);
  expect(fired.map(({ slotMs }) => slotMs % MINUTE === 0)).toEqual([opensBy === 'slot']);
});

test('a poll of some names leaves the other names at rest, and the whole list is polled as early as without it', async () => {
  const { until, polls, scheduler, commits } = await start({
    rule: rule({ watched: { confirm: { new: 1, gone: 1 }, graceMs: 0 } }),
    shown: (atMs) => (atMs >= START_MS + 4.2 * MINUTE ? live() : []),
  });
  await until(4.25);
  await scheduler.hurry([{ rule: 'card', names: ['ada'] }]);
  await until(21.5);

  expect(polls).toEqual([0, 1, 4.25, 11, 21]);
  expect(commits.flatMap(({ decisions }) => decisions.filter(({ outcome }) => outcome === 'fired'))).toMatchObject([
    { atMs: START_MS + 4.25 * MINUTE },
  ]);
});

test.for<[string, RuleOptions['watched'], readonly Item[], readonly Item[], readonly number[]]>([
  ['a stream begins and has to be confirmed', { confirm: { new: 3, gone: 1 } }, [], live(), [5.25, 6, 7]],
  ['a stream begins and has to last', { settleMs: 2 * MINUTE }, [], live(), [5.25, 6, 7, 8]],
  ['a stream ends', { graceMs: 0 }, live(), [], [5.25]],
  ['a stream ends and has to be confirmed', { confirm: { new: 1, gone: 2 }, graceMs: 0 }, live(), [], [5.25, 6]],
  ['a stream ends and may come back', {}, live(), [], [5.25, 6, 7, 8, 9]],
])('if %s, a rule at rest asks for this channel only, as long as it waits', async ([, watched, before, after, expected]) => {
  const { until, asked, scheduler } = await start({
    rule: rule({ watched }),
    shown: (atMs) => (atMs >= START_MS + 5.2 * MINUTE ? after : before),
  });
  await until(5.25);
  await scheduler.hurry([{ rule: 'card', names: ['ada'] }]);
  await until(22);

  expect(asked.flatMap(({ at, names }) => (names ? [] : [at]))).toEqual([0, 1, 11, 21]);
  expect(asked.flatMap(({ at, names }) => (names ? [at] : []))).toEqual(expected);
});

test('a rule whose slots ask for a channel that waits is not at rest', async () => {
  const { until, scheduler } = await start({ rule: rule(), shown: (atMs) => (atMs >= START_MS + 5.2 * MINUTE ? [] : live()) });
  const isResting = async () => (await scheduler.plansOf(['card'])).get('card')?.resting !== undefined;
  await until(5.25);
  const before = await isResting();
  await scheduler.hurry([{ rule: 'card', names: ['ada'] }]);
  await until(6);

  expect([before, await isResting()]).toEqual([true, false]);
});

test('a hint in the second before a slot does not bring the poll of the whole list', async () => {
  const { until, asked, scheduler, clock } = await start({ rule: rule(), shown: live });
  await until(4.75);
  for (const stepMs of [14_400, 300]) {
    await clock.advance(stepMs);
    await scheduler.hurry([{ rule: 'card', names: ['ada'] }]);
    await scheduler.tick();
  }
  await until(12);

  expect(asked.flatMap(({ at, names }) => (names ? [] : [at]))).toHaveLength(3);
  expect(asked.flatMap(({ names }) => (names ? [names] : []))).toEqual([['ada'], ['ada']]);
});

test('if notifications of the other names are lost, the first poll after a rest with polls of some names still finds a new broadcast', async () => {
  const stream2 = { id: 'grace-2', startedAt: new Date(START_MS + 6 * MINUTE).toISOString() };
  const grace = (atMs: number): readonly Item[] => {
    if (atMs < START_MS + 2 * MINUTE) return [stream('grace', { id: 'grace-1' })];
    return atMs < START_MS + 6 * MINUTE ? [] : [stream('grace', stream2)];
  };
  const { until, scheduler, commits } = await start({
    rule: rule(),
    shown: (atMs) => [...grace(atMs), ...(atMs >= START_MS + 5.2 * MINUTE ? live() : [])],
  });
  await until(5.25);
  await scheduler.hurry([{ rule: 'card', names: ['ada'] }]);
  await until(13);

  const fired = commits.flatMap(({ decisions }) => decisions.filter(({ outcome }) => outcome === 'fired'));
  expect(fired.map(({ item }) => item)).toEqual(['ada', 'grace']);
});

test('a failed poll after a rest is no gap, and the next slot polls again', async () => {
  const old = stream('grace', { startedAt: new Date(START_MS - 3 * 60 * MINUTE).toISOString() });
  const { until, polls, commits } = await start({
    rule: rule(),
    shown(atMs) {
      if (atMs === START_MS + 11 * MINUTE) return undefined;
      return atMs < START_MS + 11 * MINUTE ? live() : [...live(), old];
    },
  });

  await until(14);

  expect(polls).toEqual([0, 1, 11, 12, 13]);
  expect(commits.flatMap(({ decisions }) => decisions.filter(({ outcome }) => outcome === 'fired'))).toMatchObject([{ item: 'grace' }]);
});

test.for<[string, readonly Item[], readonly Item[], readonly number[]]>([
  ['no channel is live', [], [], [0, 1, 11]],
  ['its channel is live', [], live(), [0, 1, 5, 6, 7, 8, 9, 10, 11]],
  ['another channel is live', [stream('grace')], [stream('grace')], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
])(
  'after the poll of a hint, a rule with a field that is not notified rests only while no channel is live: %s',
  async ([, before, after, expected]) => {
    const { until, asked, scheduler } = await start({
      rule: rule({ watched: { decidingFields: ['viewerCount'] } }),
      shown: (atMs) => (atMs >= START_MS + 4.2 * MINUTE ? after : before),
    });
    await until(4.25);
    await scheduler.hurry([{ rule: 'card', names: ['ada'] }]);
    await until(11.5);

    expect(asked.flatMap(({ at, names }) => (names ? [] : [at]))).toEqual(expected);
  },
);
