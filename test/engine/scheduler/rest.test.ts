import { expect, test } from 'vitest';
import { createCoverage } from '#src/engine/coverage.ts';
import { createNotifiedRules } from '#src/engine/notified-rules.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { isJsonObject } from '#src/clients/operation/json.ts';
import { silentLog } from '#src/log.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { aStep, cardRule, condition, MINUTE, START_MS, stream, type RuleOptions } from '../../rules/evaluate/fixture.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { fc, runs } from '../../support/property.ts';

const FIELDS = ['id', 'owner', 'title'];
const NOTIFIED = [{ operation: 'getStreams', parameter: 'users', fields: FIELDS }];

/** A rule about two channels that a platform notifies about. */
function rule({ watched, ...options }: RuleOptions = {}): Rule {
  return cardRule({
    while: [],
    finally: [],
    ...options,
    watched: { with: { users: ['ada', 'Grace'] }, decidingFields: [], graceMs: 3 * MINUTE, confirm: { new: 1, gone: 1 }, ...watched },
  });
}

interface Setting {
  readonly rule: Rule;
  readonly others?: readonly Rule[];
  /** The list at a minute. */
  readonly shown?: (atMs: number) => readonly Item[] | undefined;
  readonly names?: readonly string[];
  readonly isNotified?: boolean;
}

/** A scheduler with the notifications of a platform. `polls` has the minutes of the polls. */
async function start({ rule: watching, others = [], shown = () => [], names = ['ada', 'grace'], isNotified = true }: Setting) {
  const clock = new ManualClock(START_MS);
  const states = memoryStates();
  const coverage = createCoverage();
  const cover = (some: readonly string[]) =>
    coverage.set({ account: 'twitch', client: 'streaming', operations: NOTIFIED, names: new Map([['getStreams', some]]) });
  cover(names);
  const polls: number[] = [];
  const saved: (readonly [account: string, requests: number])[] = [];
  const asked: { readonly at: number; readonly names: readonly string[] | undefined }[] = [];
  const scheduler = await createScheduler({
    rules: [watching, ...others],
    states,
    read: async (due, onPoll) => {
      polls.push((clock.nowMs() - START_MS) / MINUTE);
      const items = shown(clock.nowMs());
      for (const { rule: one, asked: some } of due) {
        const names = some?.['twitch'];
        asked.push({ at: (clock.nowMs() - START_MS) / MINUTE, names });
        const found = items?.filter(({ owner }) => !names || (isJsonObject(owner) && names.some((name) => name === owner['handle'])));
        await onPoll(one.id, found ? { items: found, complete: true } : { failure: 'the platform is down' });
      }
    },
    advance,
    notified: isNotified ? createNotifiedRules({ coverage, onSaved: (...one) => void saved.push(one), clock }) : undefined,
    onCommit: () => undefined,
    clock,
    log: silentLog,
  });
  return {
    scheduler,
    clock,
    coverage,
    cover,
    polls,
    saved,
    asked,
    commits: states.commits,
    /** Ticks four times a minute. */
    until: async (minutes: number): Promise<void> => {
      while (clock.nowMs() < START_MS + minutes * MINUTE) {
        await scheduler.tick();
        await clock.advance(15_000);
      }
    },
  };
}

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
  const { until, polls } = await start({ rule: rule(), shown: (atMs) => (atMs === START_MS + 11 * MINUTE ? undefined : live()) });

  await until(14);

  expect(polls).toEqual([0, 1, 11, 12]);
});

const someRule = fc
  .record({
    changes: fc.constantFrom<RuleOptions>(
      {},
      { watched: { changes: [{ kind: 'entered' }, { kind: 'left' }] } },
      { watched: { changes: [{ kind: 'changed', fields: ['title'] }], decidingFields: ['title'] } },
      { finally: [aStep({ do: 'discord.edit' })] },
      { watched: { where: condition('item.title != "2"', ({ item }) => item?.['title'] !== '2'), decidingFields: ['title'] } },
      { quiet: { fromMinute: 18 * 60 + 10, toMinute: 18 * 60 + 16, timezone: 'UTC', then: 'hold' } },
    ),
    watched: fc.record({
      confirm: fc.constantFrom({ new: 1, gone: 1 }, { new: 2, gone: 2 }),
      graceMs: fc.constantFrom(0, 3 * MINUTE),
      settleMs: fc.constantFrom(0, 2 * MINUTE),
      first: fc.constantFrom<'silent' | 'fire'>('silent', 'fire'),
    }),
    withinMs: fc.constantFrom(undefined, MINUTE, 3 * MINUTE, 7.5 * MINUTE, 20 * MINUTE),
    cooldown: fc.constantFrom<RuleOptions>({}, { cooldown: { forMs: 5 * MINUTE, per: 'item' } }),
  })
  .map(({ changes, watched, withinMs, cooldown }) =>
    rule({ ...changes, ...cooldown, withinMs, watched: { ...watched, ...changes.watched } }),
  );

/** The times at which a channel changes: it begins, ends, or has another title. */
const someChanges = fc.array(
  fc.record({
    afterS: fc.integer({ min: 10, max: 900 }),
    name: fc.constantFrom('ada', 'grace'),
    to: fc.constantFrom<string | undefined>(undefined, '1', '2'),
  }),
  { maxLength: 8 },
);

/** The list that the platform shows at a time, by the changes before it. */
function worldOf(changes: readonly { readonly afterS: number; readonly name: string; readonly to: string | undefined }[]) {
  let atMs = START_MS;
  const timeline = changes.map(({ afterS, ...change }) => ({ ...change, atMs: (atMs += afterS * 1_000) }));
  const shown = (nowMs: number): readonly Item[] =>
    ['ada', 'grace'].flatMap((name) => {
      const past = timeline.filter((one) => one.atMs <= nowMs && one.name === name);
      const title = past.at(-1)?.to;
      const begun = past.findLastIndex(({ to }, index) => to !== undefined && past[index - 1]?.to === undefined);
      const id = `${name}-${begun}`;
      return title === undefined ? [] : [stream(name, { id, title, startedAt: new Date(past[begun]?.atMs ?? 0).toISOString() })];
    });
  return { timeline, shown };
}

test('with notifications, a rule at rest announces the same at the same times as one that is polled at each slot', async () => {
  let spared = 0;
  await fc.assert(
    fc.asyncProperty(someRule, someChanges, fc.boolean(), async (watching, changes, isWhole) => {
      const { timeline, shown } = worldOf(changes);
      const [rested, polled] = await Promise.all(
        [true, false].map(async (isNotified) => {
          const stage = await start({ rule: watching, shown, isNotified });
          for (const { atMs, name } of timeline) {
            await stage.until((atMs - START_MS) / MINUTE);
            await stage.scheduler.hurry([{ rule: 'card', names: isWhole ? undefined : [name] }]);
          }
          await stage.until((stage.clock.nowMs() - START_MS) / MINUTE + 25);
          const announced = stage.commits.flatMap(({ slotMs, decisions, firings, withdrawals }) => [
            ...decisions.filter(({ outcome }) => outcome !== 'unchanged').map((decision) => ({ slotMs, ...decision })),
            ...firings,
            ...withdrawals,
          ]);
          // A rule that reads the number of polls does not rest, and one that reads ranks has no polls of some names.
          // A slot that is due at the instant of a hint serves it, and only a rest leaves the hint to its own poll.
          const text = JSON.stringify(announced).replaceAll(/"(?:polls|rank)":\d+,?|(?: at| is) #\d+|,?"noticedBy":"notification"/gu, '');
          return { polls: stage.polls.length, announced: text };
        }),
      );
      spared += (polled?.polls ?? 0) - (rested?.polls ?? 0);
      expect(rested?.announced).toEqual(polled?.announced);
    }),
    { numRuns: runs(10, 2_000) },
  );
  expect(spared).toBeGreaterThan(runs(10, 2_000));
});

test('if notifications stop without an error, no poll of a name is later than within after the one before it', async () => {
  await fc.assert(
    fc.asyncProperty(someRule, someChanges, fc.integer({ min: 0, max: 8 }), fc.boolean(), async (watching, changes, heard, isWhole) => {
      const { timeline, shown } = worldOf(changes);
      const stage = await start({ rule: watching, shown });
      for (const { atMs, name } of timeline.slice(0, heard)) {
        await stage.until((atMs - START_MS) / MINUTE);
        await stage.scheduler.hurry([{ rule: 'card', names: isWhole ? undefined : [name] }]);
      }
      await stage.until(60 + 3 * changes.length);
      // An independent model: `within`, or ten intervals, but at least the interval.
      const longest = Math.max(1, (watching.withinMs ?? 10 * MINUTE) / MINUTE);
      for (const name of ['ada', 'grace']) {
        const polls = stage.asked.flatMap(({ at, names }) => (names?.includes(name) === false ? [] : [at]));
        const apart = polls.slice(1).map((at, index) => at - (polls[index] ?? 0));
        expect(Math.max(...apart)).toBeLessThanOrEqual(longest);
      }
    }),
    { numRuns: runs(10, 1_000) },
  );
});
