import { describe, expect, test } from 'vitest';
import { NO_LISTS } from '#src/rules/lists.ts';
import type { Poll } from '#src/rules/poll.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { makeRule } from '../../support/rules.ts';
import { nothing, schedule, tickFor } from './fixture.ts';

describe('a requested run', () => {
  test('is a slot at that instant, beside the schedule, and resolves with its commit', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock });
    await tickFor(scheduler, clock, 5);

    const made = await scheduler.run('live');
    await tickFor(scheduler, clock, 6);

    expect(made?.decisions).toEqual([expect.objectContaining({ message: 'read', atMs: Date.parse('2026-11-20T18:00:05Z') })]);
    expect(ran()).toEqual(['live 18:00:00', 'live 18:00:05', 'live 18:00:10']);
  });

  test('of a rule that watches nothing does not replace its slot', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const at = Date.parse('2026-11-20T18:00:20Z');
    const { scheduler, ran } = await schedule({ rules: [makeRule({ watched: undefined, schedule: { atMs: at } })], clock });

    await scheduler.run('live');
    await tickFor(scheduler, clock, 25);

    expect(ran()).toEqual(['live 18:00:00', 'live 18:00:20']);
  });

  test('follows the running slot', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const first = Promise.withResolvers<Poll>();
    const answers = [first.promise, Promise.resolve(nothing)];
    const { scheduler, ran } = await schedule({ rules: [makeRule()], clock, answer: () => answers.shift() ?? Promise.resolve(nothing) });
    const tick = scheduler.tick();

    const runs = scheduler.run('live');
    await clock.advance(3_000);
    first.resolve(nothing);
    await Promise.all([tick, runs]);

    expect(ran()).toEqual(['live 18:00:00', 'live 18:00:03']);
  });

  test('with a failed poll has the failure, and is neither stored nor retried', async () => {
    const clock = new ManualClock('2026-11-20T18:00:30Z');
    const states = memoryStates({ live: Date.parse('2026-11-20T18:00:00Z') });
    const rule = makeRule({ schedule: { cron: '0 * * * *', timezone: 'UTC' } });
    const { scheduler, ran } = await schedule({ rules: [rule], clock, states, answer: () => Promise.resolve({ failure: 'unavailable' }) });

    const made = await scheduler.run('live');
    await tickFor(scheduler, clock, 60);

    expect(made?.decisions.map(({ message }) => message)).toEqual(['unavailable']);
    expect(ran()).toEqual([]);
  });

  test('with a failed poll leaves the slot that is still tried again', async () => {
    const clock = new ManualClock('2026-11-20T17:59:59Z');
    let isUp = false;
    const answer = (): Promise<Poll> => Promise.resolve(isUp ? nothing : { failure: 'unavailable' });
    const rule = makeRule({ schedule: { cron: '0 18 * * *', timezone: 'UTC' } });
    const states = memoryStates({ live: Date.parse('2026-11-20T17:00:00Z') });
    const { scheduler, ran } = await schedule({ rules: [rule], clock, states, answer });
    await tickFor(scheduler, clock, 30);

    await scheduler.run('live');
    isUp = true;
    await tickFor(scheduler, clock, 120);

    expect(ran()).toEqual(['live 18:00:00']);
  });

  test('for a webhook whose lists cannot be read stores nothing, so that its sender repeats it', async () => {
    const clock = new ManualClock('2026-11-20T18:00:30Z');
    const states = memoryStates();
    const webhook = { webhook: 'alert', key: 'once', item: {} };
    const rule = makeRule({ watched: undefined, schedule: { webhook: 'alert' }, readLists: ['team'] });
    let isReadable = false;
    const current = () => (isReadable ? Promise.resolve(NO_LISTS) : Promise.reject(new Error('the disk fails')));
    const { scheduler } = await schedule({ rules: [rule], clock, states, lists: { current } });

    expect(await scheduler.run('live', { webhook })).toBeUndefined();
    expect(states.commits.flatMap(({ received }) => received ?? [])).toEqual([]);
    isReadable = true;
    expect(await scheduler.run('live', { webhook })).toMatchObject({ received: webhook });
  });

  test.for([
    ['of a webhook, which its sender repeats', { webhook: 'alert' }],
    ['beside a rare schedule', { cron: '0 0 1 1 *', timezone: 'UTC' }],
  ] as const)('%s leaves no rule stuck if it fails', async ([, when]) => {
    const clock = new ManualClock('2026-11-20T18:00:30Z');
    const states = memoryStates({ live: Date.parse('2026-11-20T18:00:00Z') });
    const broken = { ...states, commit: () => Promise.reject(new Error('a defect')) };
    const { scheduler } = await schedule({ rules: [makeRule({ watched: undefined, schedule: when })], clock, states: broken });

    expect(await scheduler.run('live', { webhook: { webhook: 'alert', key: 'once', item: {} } })).toBeUndefined();
    await tickFor(scheduler, clock, 30);

    expect(scheduler.stuck()).toEqual([]);
  });

  test('at the instant of another one is a separate slot', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const { scheduler, ran } = await schedule({ rules: [makeRule({ watched: undefined })], clock });

    const made = await Promise.all([scheduler.run('live'), scheduler.run('live')]);

    expect(made.map((one) => one?.slotMs)).toEqual([clock.nowMs(), clock.nowMs() + 1]);
    expect(ran()).toHaveLength(2);
  });

  test('of a rule that is off does nothing', async () => {
    const { scheduler } = await schedule({ rules: [], clock: new ManualClock() });

    expect(await scheduler.run('live')).toBeUndefined();
  });
});
