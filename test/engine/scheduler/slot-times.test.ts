import { expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import type { SlotTimes } from '#src/engine/scheduler/slot-times.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';
import { decided, nothing, schedule } from './fixture.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');

test('a commit has the instants of the tick, of the poll, of the evaluation and of the commit', async () => {
  const clock = new ManualClock(START_MS);
  const stored = memoryStates();
  const times: (SlotTimes | undefined)[] = [];
  const { scheduler } = await schedule({
    rules: [makeRule()],
    clock,
    states: {
      ...stored,
      async commit(commit) {
        await clock.sleep(50);
        return stored.commit(commit);
      },
    },
    async answer() {
      await clock.sleep(300);
      return nothing;
    },
    onCommit: (_commit, its) => times.push(its),
  });

  const ticked = scheduler.tick();
  await clock.advance(1_000);
  await ticked;

  expect(times).toEqual([{ beganMs: START_MS, polledMs: START_MS + 300, evaluatedMs: START_MS + 300, committedMs: START_MS + 350 }]);
});

test('the commit of a slot has the accounts of the hints that brought it forward', async () => {
  const clock = new ManualClock(START_MS);
  const hints: (readonly string[] | undefined)[] = [];
  const rule = makeRule({
    schedule: { everyMs: 60_000 },
    watched: makeWatched({ accounts: ['twitch', 'kick', 'second'], with: { users: ['ada', 'grace', 'linus'] } }),
  });
  const { scheduler } = await schedule({ rules: [rule], clock, onCommit: (_commit, its) => hints.push(its?.hint?.accounts) });
  await scheduler.tick();
  await clock.advance(30_000);

  for (const [account, name] of [
    ['kick', 'ada'],
    ['second', 'grace'],
    ['twitch', 'ada'],
  ] as const)
    await scheduler.hurry([{ rule: 'live', names: [name], accounts: [account] }]);
  await scheduler.tick();
  // The state needs a poll of the whole list.
  await scheduler.tick();

  expect(hints).toEqual([undefined, ['kick', 'second']]);
});

test('the work of a poll ends after its commit', async () => {
  const clock = new ManualClock(START_MS);
  const stored = memoryStates();
  const order: string[] = [];
  const scheduler = await createScheduler({
    rules: [makeRule()],
    states: {
      ...stored,
      async commit(commit) {
        await clock.sleep(50);
        order.push('committed');
        return stored.commit(commit);
      },
    },
    async read([due], onPoll) {
      const begun = due && (await onPoll(due.rule.id, nothing));
      order.push('begun');
      await begun?.ended;
      order.push('ended');
    },
    advance: decided,
    onCommit: () => undefined,
    clock,
    log: silentLog,
  });

  const ticked = scheduler.tick();
  await clock.advance(1_000);
  await ticked;

  expect(order).toEqual(['begun', 'committed', 'ended']);
});

test('the commit that closes a deleted rule has no instants', async () => {
  const times: (SlotTimes | undefined)[] = [];
  const rule = makeRule();
  const { scheduler } = await schedule({ rules: [rule], clock: new ManualClock(START_MS), onCommit: (_commit, its) => times.push(its) });

  await scheduler.closeOut(rule, () => ({ firings: [], withdrawals: [], decisions: [] }));

  expect(times).toEqual([undefined]);
});
