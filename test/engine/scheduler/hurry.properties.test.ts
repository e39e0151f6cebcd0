import { createAgenda } from '#src/engine/scheduler/agenda.ts';
import { fc, runs } from '../../support/property.ts';
import { expect, test } from 'vitest';
import type { AdvanceOptions } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import { NEW_STATE } from '#src/rules/episode.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';
import { nothing, schedule, tickFor } from './fixture.ts';

const START = '2026-11-20T18:00:00Z';

const minutely = (watched: Partial<Watched> = {}, over: Partial<Rule> = {}): Rule =>
  makeRule({ schedule: { everyMs: 60_000 }, watched: makeWatched({ graceMs: 120_000, ...watched }), ...over });

/** The memory of a rule whose list was read. */
const read = ({ rule: { watched } }: AdvanceOptions): Partial<Advance> => ({
  change: { memory: { ...NEW_STATE.memory, fingerprint: watched?.fingerprint }, put: [], drop: [] },
});

test.for([
  ['a rule', minutely(), ['live 18:00:00', 'live 18:00:05*', 'live 18:01:00']],
  [
    'a rule that reads a list, after a sixth of its time',
    minutely({ withOf: () => ({}) }),
    ['live 18:00:00', 'live 18:00:10*', 'live 18:01:00'],
  ],
  [
    'a rule that counts polls, because such a poll counts only after half of its time',
    minutely({ confirm: { new: 2, gone: 2 } }),
    ['live 18:00:00', 'live 18:00:05*', 'live 18:01:00'],
  ],
  [
    'a rule with a feed, whose items are never missing',
    minutely({ kind: 'feed', graceMs: 0 }),
    ['live 18:00:00', 'live 18:00:05*', 'live 18:01:00'],
  ],
  [
    'a rule with a calendar, not at all',
    minutely({}, { schedule: { cron: '* * * * *', timezone: 'UTC' } }),
    ['live 18:00:00', 'live 18:01:00'],
  ],
  [
    'a rule that watches nothing, not at all',
    makeRule({ schedule: { everyMs: 60_000 }, watched: undefined }),
    ['live 18:00:00', 'live 18:01:00'],
  ],
] as const)('a hint brings the poll forward of %s', async ([, rule, expected]) => {
  const clock = new ManualClock(START);
  const { scheduler, ran } = await schedule({ rules: [rule], clock });
  await tickFor(scheduler, clock, 5);

  await scheduler.hurry([{ rule: rule.id }, { rule: 'unknown' }]);
  await tickFor(scheduler, clock, 60);

  expect(ran()).toEqual(expected);
});

test('a poll of hinted names is another one than the next slot, and soon after the last poll', async () => {
  const clock = new ManualClock(START);
  const { scheduler, ran, asked } = await schedule({
    rules: [minutely({ with: { users: ['ada', 'grace', 'linus'] } })],
    clock,
    made: read,
  });
  await tickFor(scheduler, clock, 30);
  await scheduler.hurry([{ rule: 'live', names: ['ada'] }]);
  await scheduler.hurry([{ rule: 'live', names: ['grace', 'ada'] }]);
  await tickFor(scheduler, clock, 1);
  await scheduler.hurry([{ rule: 'live', names: ['linus'] }]);
  await tickFor(scheduler, clock, 1);
  // The list lost this name since.
  await scheduler.hurry([{ rule: 'live', names: ['nobody'] }]);
  await tickFor(scheduler, clock, 27);
  await scheduler.hurry([{ rule: 'live', names: ['ada'] }]);
  await clock.advance(2_000);
  await tickFor(scheduler, clock, 1);

  expect(ran()).toEqual(['live 18:00:00', 'live 18:00:30*', 'live 18:00:31*', 'live 18:01:00']);
  expect(asked()).toEqual([undefined, ['ada', 'grace'], ['linus'], undefined]);
});

test('more names than an entry stores are a poll of the whole list', async () => {
  const clock = new ManualClock(START);
  const users = Array.from({ length: 300 }, (_, index) => `user-${index}`);
  const { scheduler, asked } = await schedule({ rules: [minutely({ with: { users } })], clock, made: read });
  await tickFor(scheduler, clock, 30);
  for (const name of users) await scheduler.hurry([{ rule: 'live', names: [name] }]);
  await tickFor(scheduler, clock, 20);
  expect(asked()).toEqual([undefined, undefined]);
});

test('before the first poll of an edited list, a hint polls the whole list', async () => {
  const clock = new ManualClock(START);
  const rule = minutely({ with: { users: ['ada', 'grace'] } });
  const { scheduler, asked } = await schedule({ rules: [rule], clock, made: read });
  await tickFor(scheduler, clock, 30);
  await scheduler.apply({ put: [minutely({ with: { users: ['ada', 'linus'] }, fingerprint: 'edited' }, { version: '2' })], drop: [] });
  await scheduler.hurry([{ rule: 'live', names: ['ada'] }]);
  await tickFor(scheduler, clock, 3);
  expect(asked()).toEqual([undefined, ['ada'], undefined]);
});

test('an evaluation gets to know whether a hint brought its poll, even if the poll is in the schedule', async () => {
  const clock = new ManualClock(START);
  const notified: (readonly unknown[])[] = [];
  const { scheduler } = await schedule({
    rules: [minutely({ with: { user: 'ada' } })],
    clock,
    made: ({ isHinted, isNotified }) => {
      notified.push([isHinted, isNotified]);
      return {};
    },
  });
  await tickFor(scheduler, clock, 5);
  await scheduler.hurry([{ rule: 'live' }]);
  await tickFor(scheduler, clock, 55);
  await scheduler.hurry([{ rule: 'live' }]);
  await tickFor(scheduler, clock, 1);

  expect(notified).toEqual([
    [false, false],
    [true, true],
    [false, false],
  ]);
});

test('hints within a second share a poll, and later ones have another', async () => {
  const clock = new ManualClock(START);
  const { scheduler, ran } = await schedule({ rules: [minutely()], clock });
  await tickFor(scheduler, clock, 5);

  for (const seconds of [0, 0, 3]) {
    await tickFor(scheduler, clock, seconds);
    await scheduler.hurry([{ rule: 'live' }]);
  }
  await tickFor(scheduler, clock, 4);

  expect(ran()).toEqual(['live 18:00:00', 'live 18:00:05*', 'live 18:00:08*']);
});

test('a hint during a poll brings another poll, because the answer may be older', async () => {
  const clock = new ManualClock(START);
  const answers: PromiseWithResolvers<Poll>[] = [];
  const answer = (): Promise<Poll> => {
    const next = Promise.withResolvers<Poll>();
    answers.push(next);
    return next.promise;
  };
  const { scheduler, ran } = await schedule({ rules: [minutely()], clock, answer });
  const first = scheduler.tick();
  await expect.poll(() => answers.length).toBe(1);
  await scheduler.hurry([{ rule: 'live' }]);
  answers[0]?.resolve(nothing);
  await first;
  await clock.advance(1_000);
  const second = scheduler.tick();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.resolve(nothing);
  await second;

  expect(ran()).toEqual(['live 18:00:00', 'live 18:00:01*']);
});

test('through hints, clock changes, failed and busy polls, slots ascend, and no slot of the schedule waits', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('ticks' as const), seconds: fc.integer({ min: 1, max: 90 }) }) },
    { weight: 6, arbitrary: fc.constantFrom({ kind: 'hint' as const }, { kind: 'hintWhileBusy' as const }) },
    { weight: 2, arbitrary: fc.constantFrom({ kind: 'up' as const }, { kind: 'down' as const }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('setBack' as const, 'jump' as const), ms: fc.integer({ min: 1, max: 200_000 }) }),
    },
  );
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 300 }), fc.array(step, { maxLength: 40 }), (everySeconds, steps) => {
      const everyMs = everySeconds * 1_000;
      const rule = minutely({}, { schedule: { everyMs } });
      const agenda = createAgenda();
      let nowMs = Date.parse(START);
      let [lastMs, ranAtMs, isHintedBusy, isFailed] = [nowMs - 1, nowMs, false, false];
      agenda.put(rule, { last: { slotMs: lastMs }, startMs: nowMs, wasDown: false });

      function tick(): void {
        for (const { slotMs, woken } of agenda.due(nowMs)) {
          expect(slotMs - lastMs).toBeGreaterThanOrEqual(woken ? 1_000 : 1);
          agenda.begin(rule.id);
          if (isHintedBusy) agenda.hurry({ rule: rule.id }, nowMs);
          isHintedBusy = false;
          agenda.finish(rule.id, { slotMs, nowMs, wakeMs: undefined, isFailed });
          agenda.end(rule.id, nowMs);
          [lastMs, ranAtMs] = [slotMs, nowMs];
        }
        expect(Math.floor(nowMs / everyMs) * everyMs).toBeLessThanOrEqual(Math.max(ranAtMs, lastMs));
      }

      for (const one of steps) {
        if (one.kind === 'ticks') for (let second = 0; second < one.seconds; second++, nowMs += 1_000) tick();
        else if (one.kind === 'hint') agenda.hurry({ rule: rule.id }, nowMs);
        else if (one.kind === 'hintWhileBusy') isHintedBusy = true;
        else if (one.kind === 'up' || one.kind === 'down') isFailed = one.kind === 'down';
        else nowMs += one.kind === 'jump' ? one.ms : -one.ms;
      }
    }),
    { numRuns: runs(200, 5_000) },
  );
});
