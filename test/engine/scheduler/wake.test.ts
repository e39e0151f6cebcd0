import { describe, expect, test } from 'vitest';
import type { AdvanceOptions } from '#src/rules/evaluate/advance.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { makeRule } from '../../support/rules.ts';
import { nothing, schedule, slotsRun, tickFor } from './fixture.ts';
import { nextMsOf } from '../../support/next-ms.ts';

const WAKE_MS = Date.parse('2026-11-20T18:00:25Z');

/** Asks for a run at `wakeMs` until it comes. */
const asking =
  (wakeMs = WAKE_MS) =>
  ({ slotMs }: AdvanceOptions) =>
    slotMs < wakeMs ? { wakeMs } : {};

const hourly = (over: Partial<Rule> = {}): Rule => makeRule({ id: 'hourly', schedule: { cron: '0 * * * *', timezone: 'UTC' }, ...over });

describe('a run that the rule requested', () => {
  test('happens at its instant, beside the schedule', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock, made: asking() });

    await tickFor(scheduler, clock, 35);

    expect(ran()).toEqual(['live 18:00:00', 'live 18:00:10', 'live 18:00:20', 'live 18:00:25*', 'live 18:00:30']);
  });

  test('shares a slot of the schedule at the same instant', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock, made: asking(clock.nowMs() + 10_000) });

    await tickFor(scheduler, clock, 15);

    expect(ran()).toEqual(['live 18:00:00', 'live 18:00:10']);
  });

  test('happens even after a restart', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const states = memoryStates();
    const first = await schedule({ rules: [hourly()], clock, states, made: asking() });
    await tickFor(first.scheduler, clock, 5);

    const second = await schedule({ rules: [hourly()], clock, states });
    await tickFor(second.scheduler, clock, 30);

    expect(slotsRun(states)).toEqual(['hourly 18:00:00', 'hourly 18:00:25*']);
  });

  test('that passed while the program was down shares the missed slot, if the rule watches something', async () => {
    const clock = new ManualClock('2026-11-20T17:59:50Z');
    const states = memoryStates();
    const first = await schedule({ rules: [hourly()], clock, states, made: asking() });
    await tickFor(first.scheduler, clock, 1);
    clock.set('2026-11-20T18:30:00Z');

    const second = await schedule({ rules: [hourly()], clock, states });
    await tickFor(second.scheduler, clock, 3);

    expect(slotsRun(states)).toEqual(['hourly 17:59:50*', 'hourly 18:00:25']);
  });

  test('that passed while the program was down is a separate run, if the rule watches nothing', async () => {
    const clock = new ManualClock('2026-11-20T17:00:00Z');
    const states = memoryStates();
    const rule = hourly({ watched: undefined });
    const first = await schedule({ rules: [rule], clock, states, made: asking() });
    await tickFor(first.scheduler, clock, 1);
    clock.set('2026-11-20T18:30:00Z');

    const second = await schedule({ rules: [rule], clock, states });
    await tickFor(second.scheduler, clock, 5);

    expect(slotsRun(states)).toEqual(['hourly 17:00:00', 'hourly 18:00:00', 'hourly 18:00:25*']);
  });

  test.for([
    ['is within maxAge keeps its instant', '2026-11-20T19:00:25Z', 'live 18:00:25*'],
    ['is older than maxAge runs now', '2026-11-22T09:30:00Z', 'live 09:30:00*'],
  ] as const)('that was missed and %s', async ([, now, expected]) => {
    const clock = new ManualClock('2026-11-20T17:00:00Z');
    const states = memoryStates();
    const rule = makeRule({ schedule: { cron: '0 17 * * *', timezone: 'UTC' } });
    const first = await schedule({ rules: [rule], clock, states, made: asking() });
    await tickFor(first.scheduler, clock, 1);
    clock.set(now);

    const second = await schedule({ rules: [rule], clock, states });
    await tickFor(second.scheduler, clock, 3);

    expect(slotsRun(states)).toEqual(['live 17:00:00', expected]);
  });

  test('survives a slot with a failed poll', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    let polls = 0;
    const { scheduler, ran } = await schedule({
      rules: [makeRule()],
      clock,
      answer: () => Promise.resolve(++polls === 2 ? { failure: 'unavailable' } : nothing),
      made: ({ poll, slotMs }) =>
        poll && 'failure' in poll
          ? {}
          : {
              change: { memory: { firings: 0, firedMs: {} }, put: [], drop: [] },
              ...(slotMs < WAKE_MS - 10_000 ? { wakeMs: WAKE_MS } : {}),
            },
    });

    await tickFor(scheduler, clock, 20);

    expect(ran()).toEqual(['live 18:00:00', 'live 18:00:10']);
    expect(await nextMsOf(scheduler, 'live')).toBe(Date.parse('2026-11-20T18:00:20Z'));
    await tickFor(scheduler, clock, 6);
    expect(ran().at(-1)).toBe('live 18:00:20');
  });
});
