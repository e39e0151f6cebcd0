import { describe, expect, test } from 'vitest';
import { createLog, silentLog, type Log } from '#src/log.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createScheduler, type Scheduler } from '#src/scheduler/scheduler.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { memoryStates, type MemoryStates } from '../support/memory-states.ts';
import { makeRule } from '../support/rules.ts';

const HOUR_MS = 3_600_000;
const nothing: Poll = { items: [], complete: true };

interface Setting {
  readonly rules: readonly Rule[];
  readonly clock: ManualClock;
  readonly states?: MemoryStates;
  /** What a rule's poll answers. */
  readonly answer?: (rule: Rule) => Promise<Poll>;
  readonly log?: Log;
}

async function schedule({
  rules,
  clock,
  states = memoryStates(),
  answer = () => Promise.resolve(nothing),
  log = silentLog,
}: Setting): Promise<{ scheduler: Scheduler; ran: () => string[] }> {
  const scheduler = await createScheduler({
    rules,
    states,
    read: (due) => new Map(due.map((rule) => [rule.id, answer(rule)])),
    advance: ({ rule, poll, slotMs }) => ({
      firings: [],
      withdrawals: [],
      decisions: [{ rule: rule.id, atMs: slotMs, outcome: 'quiet', reason: poll && 'failure' in poll ? poll.failure : 'read' }],
    }),
    onCommit: () => undefined,
    clock,
    log,
  });
  const time = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
  return {
    scheduler,
    ran: () => states.commits.filter(({ decisions }) => decisions.length > 0).map(({ rule, slotMs }) => `${rule} ${time(slotMs)}`),
  };
}

async function tickFor(scheduler: Scheduler, clock: ManualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await scheduler.tick();
    await clock.advance(1000);
  }
}

describe('slots', () => {
  test('a rule without a stored list polls as soon as it starts, then on its grid', async () => {
    const clock = new ManualClock('2026-11-20T18:00:03Z');
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock });

    await tickFor(scheduler, clock, 20);

    expect(ran()).toEqual(['live 18:00:03', 'live 18:00:10', 'live 18:00:20']);
  });

  test('a poll counts at its slot, however late its answer comes, and slots that came meanwhile are merged with it', async () => {
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

  test('a slow rule delays no other', async () => {
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

  test('a slot that another process has run is not run again', async () => {
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
});

describe('slots that passed while it was down', () => {
  const morning = (over: Partial<Rule> = {}): Rule =>
    makeRule({ id: 'morning', schedule: { cron: '0 9 * * *', timezone: 'UTC' }, watched: undefined, ...over });
  const start = '2026-11-20T09:30:00Z';
  const yesterday = { morning: Date.parse('2026-11-19T09:00:00Z') };

  test('once: the latest of them runs at the start', async () => {
    const clock = new ManualClock(start);
    const { scheduler, ran } = await schedule({ rules: [morning()], clock, states: memoryStates(yesterday) });

    await tickFor(scheduler, clock, 3);

    expect(ran()).toEqual(['morning 09:00:00']);
  });

  test('skip: none of them runs', async () => {
    const clock = new ManualClock(start);
    const { scheduler, ran } = await schedule({ rules: [morning({ missed: 'skip' })], clock, states: memoryStates(yesterday) });

    await tickFor(scheduler, clock, 3);

    expect(ran()).toEqual([]);
  });

  test('none older than maxAge runs', async () => {
    const clock = new ManualClock(start);
    const { scheduler, ran } = await schedule({ rules: [morning({ maxAgeMs: HOUR_MS / 4 })], clock, states: memoryStates(yesterday) });

    await tickFor(scheduler, clock, 3);

    expect(ran()).toEqual([]);
  });

  test('a rule that is new and watches nothing has missed nothing, and from then on can miss a slot', async () => {
    const clock = new ManualClock('2026-11-20T08:30:00Z');
    const states = memoryStates();
    await schedule({ rules: [morning()], clock, states });
    clock.set('2026-11-20T09:30:00Z');

    const { scheduler, ran } = await schedule({ rules: [morning()], clock, states });
    await tickFor(scheduler, clock, 1);

    expect(ran()).toEqual(['morning 09:00:00']);
  });
});

test('a rule that cannot be read is told once in the log, and once when it can be again', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], color: false, write: (line) => lines.push(line.slice(21).trim()) });
  let fails = true;
  const answer = (): Promise<Poll> => Promise.resolve(fails ? { failure: 'unauthorized: Twitch does not accept the secret' } : nothing);
  const { scheduler } = await schedule({ rules: [makeRule()], clock, answer, log });

  await tickFor(scheduler, clock, 30);
  fails = false;
  await tickFor(scheduler, clock, 30);

  expect(lines).toEqual([
    'warn  what a rule watches cannot be read rule=live why="unauthorized: Twitch does not accept the secret"',
    'info  what a rule watches can be read again rule=live',
  ]);
});

describe('a slot that could not be read', () => {
  const failing = (): Promise<Poll> => Promise.resolve({ failure: 'unavailable' });

  test('on a grid waits for the next', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock, answer: failing });

    await tickFor(scheduler, clock, 15);

    expect(ran()).toEqual(['live 18:00:00', 'live 18:00:10']);
  });

  test('of a cron expression is read again with growing pauses, at its own slot', async () => {
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

  test('is given up, with its reason, when it is older than maxAge', async () => {
    const clock = new ManualClock('2026-11-20T17:59:50Z');
    const states = memoryStates({ evening: clock.nowMs() });
    const rule = makeRule({ id: 'evening', schedule: { cron: '0 18 * * *', timezone: 'UTC' }, maxAgeMs: 30_000 });
    const { scheduler } = await schedule({ rules: [rule], clock, states, answer: failing });

    await tickFor(scheduler, clock, 60);

    expect(states.commits.flatMap(({ decisions }) => decisions.map(({ reason }) => reason))).toEqual(['unavailable']);
  });
});

test('what is still being read when it is told to stop was not run, and its slot comes again at the next start', async () => {
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

  expect(states.commits.map(({ decisions }) => decisions.map(({ reason }) => reason))).toEqual([['read']]);
});
