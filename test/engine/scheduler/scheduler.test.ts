import { describe, expect, test } from 'vitest';
import { ConfigError } from '#src/errors.ts';
import { createLog } from '#src/log.ts';
import { NEW_STATE } from '#src/rules/episode.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';
import { makeRule } from '../../support/rules.ts';
import { nothing, schedule, tickFor } from './fixture.ts';
import { nextMsOf } from '../../support/next-ms.ts';

describe('slots', () => {
  test('the first poll of a rule is a slot of its schedule if it falls on one', async () => {
    const clock = new ManualClock('2026-11-20T18:00:10Z');
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock });

    await tickFor(scheduler, clock, 11);

    expect(ran()).toEqual(['live 18:00:10', 'live 18:00:20']);
  });

  test('after a slot, the next run of the rule is known at once', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const { scheduler } = await schedule({ rules: [makeRule()], clock });

    await scheduler.tick();

    expect(await nextMsOf(scheduler, 'live')).toBe(Date.parse('2026-11-20T18:00:10Z'));
  });

  test('other work of the process runs between many rules that are due at once', async () => {
    const rules = Array.from({ length: 20 }, (_, n) => makeRule({ id: `rule-${n}` }));
    const made = (): object => {
      const untilMs = performance.now() + 2;
      while (performance.now() < untilMs);
      return {};
    };
    const { scheduler } = await schedule({ rules, clock: new ManualClock(), made });
    const events: string[] = [];

    setImmediate(() => events.push('other work'));
    await scheduler.tick();
    events.push('tick');

    expect(events).toEqual(['other work', 'tick']);
  });

  test('a rule without a stored list polls as soon as it starts, then on its grid', async () => {
    const clock = new ManualClock('2026-11-20T18:00:03Z');
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock });

    await tickFor(scheduler, clock, 20);

    expect(ran()).toEqual(['live 18:00:03*', 'live 18:00:10', 'live 18:00:20']);
  });

  test('a poll counts at its slot even if its answer is late, and it serves the slots in between', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const states = memoryStates({ live: clock.nowMs() });
    const { scheduler, ran } = await schedule({
      rules: [makeRule()],
      clock,
      states,
      answer: () => clock.sleep(25_000).then(() => nothing),
    });

    await clock.advance(10_000);
    void scheduler.tick();
    await clock.advance(25_000);
    const late = scheduler.tick();
    await clock.advance(5_000);
    void scheduler.tick();
    await clock.advance(25_000);
    await late;

    expect(ran()).toEqual(['live 18:00:10', 'live 18:00:40']);
  });

  test('a rule whose poll failed is retried after a growing pause, and rules without polls run in between', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const lines: string[] = [];
    const log = createLog({ level: 'info', secrets: [], color: false, write: (line) => lines.push(line.slice(11, 19)) });
    const rules = [makeRule(), makeRule({ id: 'clock', watched: undefined })];
    const states = memoryStates({ clock: clock.nowMs() - 1 });
    const { scheduler, ran } = await schedule({ rules, clock, states, log, answer: () => Promise.reject(new Error('no')) });

    await tickFor(scheduler, clock, 20);

    expect(ran()).toEqual(['clock 18:00:00', 'clock 18:00:10']);
    expect(lines).toHaveLength(3);
  });

  test('a slow rule does not delay other rules', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const rules = [makeRule({ id: 'slow' }), makeRule({ id: 'fast' })];
    const answer = (rule: Rule): Promise<Poll> => (rule.id === 'slow' ? new Promise<Poll>(() => undefined) : Promise.resolve(nothing));
    const { scheduler, ran } = await schedule({ rules, clock, answer });

    for (let round = 0; round < 3; round++) {
      void scheduler.tick();
      await clock.advance(10_000);
    }

    expect(ran()).toEqual(['fast 18:00:00', 'fast 18:00:10', 'fast 18:00:20']);
  });

  test('a rule that was running while other rules became due is due at its next slot', async () => {
    const clock = new ManualClock('2026-11-20T18:00:01Z');
    const rules = [makeRule({ id: 'slow' }), makeRule({ id: 'rare', schedule: { everyMs: 3_600_000 } })];
    const states = memoryStates({ slow: clock.nowMs(), rare: clock.nowMs() });
    const answer = (): Promise<Poll> => clock.sleep(5_000).then(() => nothing);
    const { scheduler, ran } = await schedule({ rules, clock, states, answer });

    for (let second = 0; second < 27; second++) {
      void scheduler.tick();
      await clock.advance(1000);
    }

    expect(ran()).toEqual(['slow 18:00:10', 'slow 18:00:20']);
  });

  test('a slot that another process ran does not run again', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const states = memoryStates({ live: clock.nowMs() });
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock, states });
    await clock.advance(10_000);
    await states.commit({ rule: 'live', slotMs: clock.nowMs(), firings: [], withdrawals: [], decisions: [] });

    await scheduler.tick();
    await clock.advance(10_000);
    await scheduler.tick();

    expect(ran()).toEqual(['live 18:00:20']);
  });

  test('a slot of a daily list runs although a value of the rule is changed before its commit, but not after a newer poll', async () => {
    for (const polledMs of [undefined, Date.parse('2026-11-20T18:00:00Z') + 1]) {
      const clock = new ManualClock('2026-11-20T18:00:00Z');
      const startMs = clock.nowMs() - 86_400_000;
      const states = memoryStates({ evening: startMs });
      const change = { memory: { ...NEW_STATE.memory, kept: { count: 2 }, lastPollMs: polledMs }, put: [], drop: [] };
      const other = { rule: 'evening', slotMs: startMs + 1, change, firings: [], withdrawals: [], decisions: [] };
      let isChanged = false;
      const load = async (rule: string) => {
        const state = await states.load(rule);
        if (!isChanged) isChanged = await states.commit(other);
        return state;
      };
      const rule = makeRule({ id: 'evening', schedule: { cron: '0 18 * * *', timezone: 'UTC' } });
      const { scheduler, ran } = await schedule({ rules: [rule], clock, states: { ...states, load } });

      await tickFor(scheduler, clock, 20);

      expect(ran()).toEqual(polledMs === undefined ? ['evening 18:00:00'] : []);
    }
  });
});

test('a rule is stuck while its slots cannot be stored', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const states = memoryStates();
  let isFull = true;
  const full: MemoryStates = {
    ...states,
    commit: (made) => (isFull ? Promise.reject(new Error('database or disk is full')) : states.commit(made)),
  };
  const { scheduler } = await schedule({ rules: [makeRule()], clock, states: full });

  await tickFor(scheduler, clock, 1);
  const before = scheduler.stuck();
  isFull = false;
  await tickFor(scheduler, clock, 120);

  expect([before, scheduler.stuck()]).toEqual([['live'], []]);
});

test('an outage of the state is logged once, and its end, and a defect of a rule is logged for each rule', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const states = memoryStates();
  const full = new ConfigError('the state cannot be opened: the disk is full', { file: 'fanfare.sqlite' });
  let failure: Error | undefined = full;
  const lines: string[] = [];
  const { scheduler } = await schedule({
    rules: [makeRule({ id: 'one' }), makeRule({ id: 'two' })],
    clock,
    states: { ...states, commit: (made) => (failure ? Promise.reject(failure) : states.commit(made)) },
    log: createLog({ level: 'info', secrets: [], write: (line) => lines.push(line), color: false }),
  });

  await tickFor(scheduler, clock, 120);
  failure = undefined;
  await tickFor(scheduler, clock, 120);
  const outage = lines.splice(0).map((line) => line.split(/ +/u)[1]);
  failure = new Error('a defect');
  await tickFor(scheduler, clock, 20);

  expect(outage).toEqual(['error', 'info']);
  expect(new Set(lines.map((line) => /rule=(\w+)/u.exec(line)?.[1]))).toEqual(new Set(['one', 'two']));
});

test('a deleted rule is not stuck, even if it was running when it ended', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const states = memoryStates();
  let isFull = true;
  const full: MemoryStates = {
    ...states,
    commit: (made) => (isFull ? Promise.reject(new Error('database or disk is full')) : states.commit(made)),
  };
  const { scheduler } = await schedule({
    rules: [makeRule({ id: 'ended' }), makeRule({ id: 'dropped' })],
    clock,
    states: full,
    answer: () => clock.sleep(5_000).then(() => nothing),
  });

  const first = scheduler.tick();
  const dropping = scheduler.apply({ put: [], drop: ['dropped'] });
  await clock.advance(5_000);
  await Promise.all([first, dropping]);
  const before = scheduler.stuck();
  isFull = false;
  await scheduler.closeOut(makeRule({ id: 'ended' }), () => ({ firings: [], withdrawals: [], decisions: [] }));

  expect([before, scheduler.stuck()]).toEqual([['ended'], []]);
});

describe('a slot with a failed poll', () => {
  const failing = (): Promise<Poll> => Promise.resolve({ failure: 'unavailable' });

  test('on a grid waits for the next slot', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock, answer: failing });

    await tickFor(scheduler, clock, 15);

    expect(ran()).toEqual(['live 18:00:00', 'live 18:00:10']);
  });

  test('of a cron expression is retried with growing pauses, at its own slot', async () => {
    const clock = new ManualClock('2026-11-20T17:59:00Z');
    const states = memoryStates({ evening: clock.nowMs() });
    const asked: string[] = [];
    const answer = (): Promise<Poll> => {
      asked.push(new Date(clock.nowMs()).toISOString().slice(14, 19));
      return asked.length < 4 ? failing() : Promise.resolve(nothing);
    };
    const { scheduler, ran } = await schedule({
      rules: [makeRule({ id: 'evening', schedule: { cron: '0 18 * * *', timezone: 'UTC' } })],
      clock,
      states,
      answer,
    });

    await tickFor(scheduler, clock, 120);

    expect(asked).toEqual(['00:00', '00:05', '00:15', '00:35']);
    expect(ran()).toEqual(['evening 18:00:00']);
  });

  test('at the first poll of a rule is retried after the usual pauses', async () => {
    const clock = new ManualClock('2026-11-20T17:00:00Z');
    const asked: string[] = [];
    const answer = (): Promise<Poll> => {
      asked.push(new Date(clock.nowMs()).toISOString().slice(14, 19));
      return failing();
    };
    const { scheduler } = await schedule({
      rules: [makeRule({ schedule: { cron: '0 18 * * *', timezone: 'UTC' } })],
      clock,
      answer,
    });

    await tickFor(scheduler, clock, 20);

    expect(asked).toEqual(['00:00', '00:05', '00:15']);
  });

  test('is committed with its failure when it is older than maxAge', async () => {
    const clock = new ManualClock('2026-11-20T17:59:50Z');
    const states = memoryStates({ evening: clock.nowMs() });
    const rule = makeRule({ id: 'evening', schedule: { cron: '0 18 * * *', timezone: 'UTC' }, maxAgeMs: 30_000 });
    const { scheduler } = await schedule({ rules: [rule], clock, states, answer: failing });

    await tickFor(scheduler, clock, 60);

    expect(states.commits.flatMap(({ decisions }) => decisions.map(({ message }) => message))).toEqual(['unavailable']);
  });
});

test('a slot whose poll was aborted is not committed, and runs at the next start', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const states = memoryStates({ live: clock.nowMs() - 10_000 });
  const stopping = new AbortController();
  const answer = (): Promise<Poll> => {
    stopping.abort();
    return Promise.resolve({ failure: 'This operation was aborted' });
  };

  const first = await schedule({ rules: [makeRule()], clock, states, answer });
  await first.scheduler.tick(stopping.signal);
  const second = await schedule({ rules: [makeRule()], clock, states });
  await second.scheduler.tick();

  expect(states.commits.map(({ decisions }) => decisions.map(({ message }) => message))).toEqual([['read']]);
});

describe('a slot that fails', () => {
  test('is repeated after growing pauses, and each failure is logged', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const lines: string[] = [];
    const log = createLog({ level: 'error', secrets: [], color: false, write: (line) => lines.push(line.slice(11, 19)) });
    let failures = 3;
    const made = (): object => {
      if (failures-- > 0) throw new Error('the disk is full');
      return {};
    };
    const rule = makeRule({ schedule: { everyMs: 3_600_000 } });
    const { scheduler, ran } = await schedule({ rules: [rule], clock, states: memoryStates({ live: clock.nowMs() - 1 }), made, log });

    await tickFor(scheduler, clock, 60);

    expect(ran()).toEqual(['live 18:00:00']);
    expect(clock.nowMs() - Date.parse('2026-11-20T18:00:00Z')).toBe(60_000);
    expect(lines).toHaveLength(3);
  });
});

test('the pause of a failing slot grows up to ten minutes', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const startMs = clock.nowMs();
  const attemptsMs: number[] = [];
  const made = (): object => {
    attemptsMs.push((clock.nowMs() - startMs) / 1000);
    throw new Error('the disk is full');
  };
  const rule = makeRule({ schedule: { everyMs: 86_400_000 } });
  const { scheduler } = await schedule({ rules: [rule], clock, states: memoryStates({ live: startMs - 1 }), made });

  for (let attempt = 0; attempt < 12; attempt++) {
    await clock.advance(Math.max(0, ((await nextMsOf(scheduler, 'live')) ?? 0) - clock.nowMs()));
    await scheduler.tick();
  }

  const pausesSeconds = attemptsMs.slice(1).map((atSeconds, index) => atSeconds - (attemptsMs[index] ?? 0));
  expect(pausesSeconds).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600]);
});

test('after the clock is set back, no slot runs twice, and the log has one line', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const lines: string[] = [];
  const log = createLog({ level: 'warn', secrets: [], color: false, write: (line) => lines.push(line.slice(21).trim()) });
  const { scheduler, ran } = await schedule({ rules: [makeRule()], clock, states: memoryStates({ live: clock.nowMs() }), log });

  await tickFor(scheduler, clock, 21);
  clock.set('2026-11-20T18:00:00Z');
  await tickFor(scheduler, clock, 31);

  expect(ran()).toEqual(['live 18:00:10', 'live 18:00:20', 'live 18:00:30']);
  expect(lines).toEqual(['warn  the clock was set back; slots that have run are not repeated byMs=20000']);
});
