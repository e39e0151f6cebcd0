import { expect, test } from 'vitest';
import { ConfigError } from '#src/errors.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';
import { makeRule } from '../../support/rules.ts';
import { nothing, schedule } from './fixture.ts';

const MINUTE = 60_000;
const TICK_MS = 5_000;
/** Outages of many lengths, so that they end at different times of a pause. */
const OUTAGES_MS = [3, 41, 75].map((minutes) => minutes * MINUTE + 20_000);

/** States that cannot be stored until an instant. */
function unstorable(clock: ManualClock, untilMs: number): MemoryStates {
  const states = memoryStates({ frequent: clock.nowMs(), rare: clock.nowMs(), daily: clock.nowMs() });
  return {
    ...states,
    async commit(commit) {
      if (clock.nowMs() < untilMs) throw new ConfigError('the disk is full', { file: 'fanfare.sqlite' });
      return states.commit(commit);
    },
  };
}

/** The polls of each rule before and after the end of an outage, and its first commit in seconds after the end. */
async function runOutage(lengthMs: number, rules: readonly ReturnType<typeof makeRule>[]) {
  const clock = new ManualClock('2026-11-20T18:00:01Z');
  const endMs = clock.nowMs() + lengthMs;
  const states = unstorable(clock, endMs);
  const committed = new Map<string, number>();
  const polls = new Map<string, number>();
  const { scheduler } = await schedule({
    rules,
    clock,
    states,
    answer({ id }) {
      polls.set(id, (polls.get(id) ?? 0) + 1);
      return Promise.resolve(nothing);
    },
    onCommit: ({ rule }) => committed.has(rule) || void committed.set(rule, (clock.nowMs() - endMs) / 1000),
  });
  while (clock.nowMs() < endMs + 15 * MINUTE) {
    await scheduler.tick();
    if (clock.nowMs() >= endMs && committed.size === rules.length) break;
    await clock.advance(TICK_MS);
  }
  return { committed, polls };
}

const FREQUENT = makeRule({ id: 'frequent', schedule: { everyMs: MINUTE } });

test.for(OUTAGES_MS)(
  'after an outage of the state of %i ms, a rule runs within its interval, and was polled no more often',
  async (lengthMs) => {
    const { committed, polls } = await runOutage(lengthMs, [FREQUENT]);

    expect(committed.get('frequent')).toBeLessThanOrEqual(65);
    // The first pauses are shorter than the interval.
    expect(polls.get('frequent')).toBeLessThanOrEqual(lengthMs / MINUTE + 5);
  },
);

test.for(OUTAGES_MS)('after an outage of the state of %i ms, a rule without polls runs within a minute', async (lengthMs) => {
  const alone = makeRule({
    id: 'daily',
    schedule: { cron: '1 18 * * *', timezone: 'UTC' },
    watched: undefined,
    maxAgeMs: 24 * 60 * MINUTE,
  });

  const { committed } = await runOutage(lengthMs, [alone]);

  expect(committed.get('daily')).toBeLessThanOrEqual(65);
});

test.for(OUTAGES_MS)(
  'after an outage of the state of %i ms, the first rule that is stored ends the pauses of the others',
  async (lengthMs) => {
    const rare = makeRule({ id: 'rare', schedule: { everyMs: 60 * MINUTE } });
    const daily = makeRule({ id: 'daily', schedule: { cron: '1 18 * * *', timezone: 'UTC' }, maxAgeMs: 24 * 60 * MINUTE });

    const { committed } = await runOutage(lengthMs, [FREQUENT, rare, daily]);

    expect(committed.get('daily')).toBeLessThanOrEqual(70);
  },
);
