import { expect, test } from 'vitest';
import type { FirstAttempt } from '#src/engine/delivery/first-attempt.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { silentLog } from '#src/log.ts';
import { attemptsAt } from '../../contract/begun-attempts.ts';
import { creating, firing, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { makeRule } from '../../support/rules.ts';
import { decided, nothing } from './fixture.ts';

const FIRED = firing([creating(['x'])]);

/** Runs a slot, and resolves with what happened, in order. */
async function runSlot({ firings = [FIRED], fails = false }: { readonly firings?: readonly (typeof FIRED)[]; readonly fails?: boolean }) {
  const clock = new ManualClock(SLOT_MS);
  const stored = memoryStates();
  const order: (string | readonly FirstAttempt[] | undefined)[] = [];
  const scheduler = await createScheduler({
    rules: [makeRule()],
    states: {
      ...stored,
      async commit(commit) {
        await clock.sleep(50);
        order.push(commit.begun);
        if (fails) throw new Error('the disk is full');
        return stored.commit(commit);
      },
    },
    read: async ([due], onPoll) => void (due && (await onPoll(due.rule.id, nothing))),
    advance: (options) => ({ ...decided(options), firings }),
    async beginWith({ firings: its }) {
      order.push('began');
      return { begun: its.flatMap((one) => attemptsAt(one)), [Symbol.asyncDispose]: async () => void order.push('ended') };
    },
    onCommit: () => order.push('woken'),
    clock,
    log: silentLog,
  });
  const ticked = scheduler.tick();
  await clock.advance(1_000);
  await ticked;
  return order;
}

test('the first attempts of firings begin with their commit, and end after it', async () => {
  expect(await runSlot({})).toEqual(['began', attemptsAt(FIRED), 'woken', 'ended']);
});

test('they end after a commit that failed', async () => {
  expect(await runSlot({ fails: true })).toEqual(['began', attemptsAt(FIRED), 'ended']);
});

test('a slot without firings begins nothing', async () => {
  expect(await runSlot({ firings: [] })).toEqual([undefined, 'woken']);
});
