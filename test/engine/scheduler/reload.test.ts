import { describe, expect, test } from 'vitest';
import { createLog } from '#src/log.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';
import { makeRule } from '../../support/rules.ts';
import { decided, nothing, schedule, slotsRun, tickFor } from './fixture.ts';
import { nextMsOf } from '../../support/next-ms.ts';

const edited = (rule: Rule, over: Partial<Rule> = {}): Rule => ({ ...rule, version: '2', ...over });
const evening: Partial<Rule> = { id: 'evening', schedule: { cron: '0 18 * * *', timezone: 'UTC' } };

/** A poll that the test answers. */
function byHand(): { readonly answer: () => Promise<Poll>; readonly give: (poll?: Poll) => void } {
  const { promise, resolve } = Promise.withResolvers<Poll>();
  return { answer: () => promise, give: (poll = nothing) => resolve(poll) };
}

describe('a reload', () => {
  test('keeps the timers of unchanged rules, and the pause before a retry', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const rules = [makeRule(), makeRule(evening)];
    const states = memoryStates({ live: clock.nowMs(), evening: clock.nowMs() - 1 });
    const failing = (): Promise<Poll> => Promise.resolve({ failure: 'unavailable' });
    const { scheduler } = await schedule({ rules, clock, states, answer: failing });
    await tickFor(scheduler, clock, 7);
    const before = [await nextMsOf(scheduler, 'live'), await nextMsOf(scheduler, 'evening')];

    await scheduler.apply({ put: [makeRule({ about: 'another object' }), makeRule(evening), makeRule({ id: 'new' })], drop: [] });

    expect([await nextMsOf(scheduler, 'live'), await nextMsOf(scheduler, 'evening')]).toEqual(before);
    expect(before[1]).toBe(Date.parse('2026-11-20T18:00:15Z'));
  });

  test('a running rule finishes its slot with its old version and continues with the new one', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const states = memoryStates({ live: clock.nowMs() - 1 });
    const { answer, give } = byHand();
    const rule = makeRule();
    const { scheduler, ran } = await schedule({ rules: [rule], clock, states, answer });

    const tick = scheduler.tick();
    const applied = scheduler.apply({ put: [edited(rule, { schedule: { everyMs: 15_000 } })], drop: [] });
    give();
    await Promise.all([tick, applied]);
    await tickFor(scheduler, clock, 20);

    expect(ran()).toEqual(['live 18:00:00', 'live 18:00:15 v2']);
  });

  test('a rule that is edited and edited back while it runs keeps its first version', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const states = memoryStates({ live: clock.nowMs() - 1 });
    const { answer, give } = byHand();
    const rule = makeRule();
    const { scheduler, ran } = await schedule({ rules: [rule], clock, states, answer });

    const tick = scheduler.tick();
    const applied = [edited(rule), rule].map((one) => scheduler.apply({ put: [one], drop: [] }));
    await clock.advance(0);
    give();
    await Promise.all([tick, ...applied]);
    await tickFor(scheduler, clock, 12);

    expect(ran()).toEqual(['live 18:00:00', 'live 18:00:10']);
  });

  test('does not end the pause of an unchanged rule whose slot failed', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const made = (): object => {
      throw new Error('the disk is full');
    };
    const { scheduler } = await schedule({ rules: [makeRule()], clock, states: memoryStates({ live: clock.nowMs() - 1 }), made });
    await scheduler.tick();

    await scheduler.apply({ put: [makeRule()], drop: [] });

    expect(await nextMsOf(scheduler, 'live')).toBe(clock.nowMs() + 5_000);
  });

  test('leaves the first poll of a new rule due if it changes the schedule', async () => {
    const clock = new ManualClock('2026-11-20T18:00:03Z');
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock });

    await scheduler.apply({ put: [edited(makeRule(), { schedule: { everyMs: 3_600_000 } })], drop: [] });
    await scheduler.tick();

    expect(ran()).toEqual(['live 18:00:03 v2*']);
  });

  test('a changed schedule runs no slot twice and loses no due slot', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const rule = makeRule({ watched: undefined });
    const { scheduler, ran } = await schedule({ rules: [rule], clock, states: memoryStates({ live: clock.nowMs() - 10_000 }) });

    await scheduler.apply({ put: [edited(rule, { schedule: { everyMs: 20_000 } })], drop: [] });
    await tickFor(scheduler, clock, 1);
    await scheduler.apply({ put: [edited(rule, { version: '3', schedule: { cron: '* * * * *', timezone: 'UTC' } })], drop: [] });
    await tickFor(scheduler, clock, 60);

    expect(ran()).toEqual(['live 18:00:00 v2', 'live 18:01:00 v3']);
  });

  test.for(['2026-11-20T18:30:00Z', '2026-11-20T18:00:00.001Z'])('at %s does not run a new wall time of 18:00', async (now) => {
    const clock = new ManualClock(now);
    const rule = makeRule({ watched: undefined, schedule: { cron: '0 12 * * *', timezone: 'UTC' }, maxAgeMs: 86_400_000 });
    const once = makeRule({ id: 'once', watched: undefined, schedule: { atMs: clock.nowMs() + 60_000 }, maxAgeMs: 86_400_000 });
    const lines: string[] = [];
    const log = createLog({ level: 'warn', secrets: [], color: false, write: (line) => lines.push(line.slice(21).trim()) });
    const states = memoryStates({ live: Date.parse('2026-11-20T12:00:00Z'), once: clock.nowMs() - 1 });
    const { scheduler, ran } = await schedule({ rules: [rule, once], clock, states, log });

    await scheduler.apply({
      put: [
        edited(rule, { schedule: { cron: '0 18 * * *', timezone: 'UTC' } }),
        edited(once, { schedule: { atMs: Date.parse('2026-11-20T18:00:00Z') } }),
      ],
      drop: [],
    });
    await tickFor(scheduler, clock, 5);

    expect(ran()).toEqual([]);
    expect(new Date((await nextMsOf(scheduler, 'live')) ?? 0).toISOString()).toBe('2026-11-21T18:00:00.000Z');
    expect(lines).toEqual([
      'warn  the time of a rule passed before the rule was loaded; the rule does not run rule=once at=2026-11-20T18:00:00.000Z',
    ]);
  });

  test('a new rule polls at once; a restored rule continues at its next slot', async () => {
    const clock = new ManualClock('2026-11-20T18:00:03Z');
    const states = memoryStates({ back: Date.parse('2026-11-20T17:00:00Z') });
    const { scheduler, ran } = await schedule({ rules: [], clock, states });
    await scheduler.tick();

    const back = makeRule({ id: 'back', watched: undefined, schedule: { cron: '0 * * * *', timezone: 'UTC' } });
    await scheduler.apply({ put: [makeRule(), back], drop: [] });
    await tickFor(scheduler, clock, 8);

    expect(ran()).toEqual(['live 18:00:03*', 'live 18:00:10']);
  });

  test('a rule that begins to watch polls at once, a rule that stops watching does not', async () => {
    const clock = new ManualClock('2026-11-20T18:00:03Z');
    const idle = makeRule({ id: 'idle', watched: undefined });
    const { scheduler, ran } = await schedule({ rules: [idle, makeRule()], clock, states: memoryStates({ idle: clock.nowMs() }) });

    await scheduler.apply({ put: [edited(idle, { watched: makeRule().watched }), edited(makeRule(), { watched: undefined })], drop: [] });
    await tickFor(scheduler, clock, 8);

    expect(ran().toSorted()).toEqual(['idle 18:00:03 v2*', 'idle 18:00:10 v2', 'live 18:00:10 v2']);
  });

  test('works after an earlier reload failed', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const states = memoryStates();
    let isBroken = false;
    const broken: MemoryStates = {
      ...states,
      lastSlots: () => (isBroken ? Promise.reject(new Error('database is locked')) : states.lastSlots()),
    };
    const { scheduler, ran } = await schedule({ rules: [], clock, states: broken });

    isBroken = true;
    const failed = scheduler.apply({ put: [makeRule({ id: 'first' })], drop: [] });
    await expect(failed).rejects.toThrow('database is locked');
    isBroken = false;
    await scheduler.apply({ put: [makeRule({ id: 'second' })], drop: [] });
    await tickFor(scheduler, clock, 1);

    expect(ran().map((slot) => slot.split(' ')[0])).toEqual(['second']);
  });

  test('a dropped rule ends; a running rule ends after its slot', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const { answer, give } = byHand();
    const rules = [makeRule(), makeRule({ id: 'idle', watched: undefined })];
    const states = memoryStates({ live: clock.nowMs() - 1, idle: clock.nowMs() });
    const { scheduler, ran } = await schedule({ rules, clock, states, answer });

    const tick = scheduler.tick();
    let isApplied = false;
    const applied = scheduler.apply({ put: [], drop: ['live', 'idle'] }).then(() => (isApplied = true));
    await clock.advance(1000);
    expect(isApplied).toBe(false);
    give();
    await Promise.all([tick, applied]);
    await tickFor(scheduler, clock, 30);

    expect(ran()).toEqual(['live 18:00:00']);
    expect(await nextMsOf(scheduler, 'live')).toBeUndefined();
  });

  test('a rule that is dropped and put again while it runs continues', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const { answer, give } = byHand();
    const states = memoryStates({ live: clock.nowMs() - 1 });
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock, states, answer });

    const tick = scheduler.tick();
    const applied = [scheduler.apply({ put: [], drop: ['live'] }), scheduler.apply({ put: [edited(makeRule())], drop: [] })];
    await clock.advance(0);
    give();
    await Promise.all([tick, ...applied]);
    await tickFor(scheduler, clock, 12);

    expect(ran()).toEqual(['live 18:00:00', 'live 18:00:10 v2']);
  });

  test('two simultaneous reloads apply in order', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const { scheduler, ran } = await schedule({ rules: [], clock });

    await Promise.all([scheduler.apply({ put: [makeRule()], drop: [] }), scheduler.apply({ put: [], drop: ['live'] })]);
    await tickFor(scheduler, clock, 12);

    expect(ran()).toEqual([]);
  });

  test('may come from within a slot, for the rule itself and all others', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const rules = Array.from({ length: 40 }, (_, n) => makeRule({ id: `rule-${n}` }));
    const applied: Promise<void>[] = [];
    const states = memoryStates();
    const stage = await schedule({
      rules,
      clock,
      states,
      made: ({ rule }) => {
        if (rule.id === 'rule-7' && applied.length === 0)
          applied.push(stage.scheduler.apply({ put: rules.slice(0, 39).map((one) => edited(one)), drop: ['rule-39'] }));
        return {};
      },
    });

    await tickFor(stage.scheduler, clock, 11);
    await Promise.all(applied);

    const second = slotsRun(states).filter((slot) => slot.includes('18:00:10'));
    expect(second).toHaveLength(39);
    expect(second.every((slot) => slot.endsWith('v2'))).toBe(true);
    expect(slotsRun(states)).toHaveLength(79);
  });
});

describe('a rule that is closed out', () => {
  const closing = (options: Parameters<typeof decided>[0]): ReturnType<typeof decided> => {
    const [decision] = decided(options).decisions;
    return { firings: [], withdrawals: [], decisions: decision ? [{ ...decision, outcome: 'closed' }] : [] };
  };

  test('commits its end after the running slot', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const { answer, give } = byHand();
    const states = memoryStates({ live: clock.nowMs() - 1 });
    const { scheduler } = await schedule({ rules: [makeRule()], clock, states, answer });

    const tick = scheduler.tick();
    const closed = scheduler.closeOut(makeRule(), closing);
    await clock.advance(3_000);
    give();
    await tick;
    expect(await closed).toBe(true);
    await tickFor(scheduler, clock, 30);

    expect(states.commits.map(({ slotMs, decisions }) => [new Date(slotMs).toISOString().slice(17, 19), decisions[0]?.outcome])).toEqual([
      ['00', 'unchanged'],
      ['03', 'closed'],
    ]);
  });

  test('is closed after its last slot, even if that slot is in the future', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const states = memoryStates({ live: clock.nowMs() + 60_000 });
    const { scheduler } = await schedule({ rules: [], clock, states });

    expect(await scheduler.closeOut(makeRule(), closing)).toBe(true);

    expect(states.commits.map(({ slotMs }) => slotMs)).toEqual([clock.nowMs() + 60_001]);
  });

  test('is closed after a slot that another process commits at the same time', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const states = memoryStates({ live: clock.nowMs() - 10_000 });
    const { scheduler } = await schedule({ rules: [], clock, states });

    const isClosed = await scheduler.closeOut(makeRule(), (options) => {
      if (states.commits.length === 0)
        void states.commit({ rule: 'live', slotMs: clock.nowMs(), firings: [], withdrawals: [], decisions: [] });
      return closing(options);
    });

    expect(isClosed).toBe(true);
    expect(states.commits.map(({ slotMs, decisions }) => [slotMs - clock.nowMs(), decisions[0]?.outcome])).toEqual([
      [0, undefined],
      [1, 'closed'],
    ]);
  });

  test('starts again if it is put again', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const states = memoryStates({ live: clock.nowMs() });
    const { scheduler } = await schedule({ rules: [makeRule()], clock, states });

    await clock.advance(2_000);
    await scheduler.closeOut(makeRule(), closing);
    await scheduler.apply({ put: [edited(makeRule())], drop: [] });
    await tickFor(scheduler, clock, 10);

    expect(slotsRun(states)).toEqual(['live 18:00:02', 'live 18:00:10 v2']);
  });
});
