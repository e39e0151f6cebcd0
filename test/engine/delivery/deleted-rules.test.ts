import { describe, expect, test } from 'vitest';
import type { DeliveryRows } from '#src/engine/delivery/delivery-rows.ts';
import { withOrdering } from '#src/engine/delivery/delivery-store.ts';
import { failing } from '../../support/fake-platform.ts';
import { creating, firing, keysOf } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];

/** Two steps: the first one waits for `firstMs`, the second one for four hours. */
function waitingSteps(firstMs: number): ReturnType<typeof firing> {
  return firing([
    { ...creating(['x']), afterMs: firstMs },
    { ...creating(['mastodon']), afterMs: 4 * HOUR_MS },
  ]);
}

describe('the file of a rule with waiting steps', () => {
  test.for([
    { goneForMs: 3 * SECOND_MS, firstMs: 10 * MINUTE_MS },
    // The step is due while the file is gone.
    { goneForMs: 30 * SECOND_MS, firstMs: 5 * SECOND_MS },
    { goneForMs: 59 * SECOND_MS, firstMs: 59 * SECOND_MS },
    { goneForMs: HOUR_MS, firstMs: 2 * HOUR_MS },
  ])('that returns after $goneForMs ms sends them', async ({ goneForMs, firstMs }) => {
    await using running = await runEngine();
    const { store, clock, engine } = running;
    await running.commit([waitingSteps(firstMs)]);

    await store.ruleStates.retire('live');
    await clock.advance(goneForMs);
    expect(running.platform.records).toEqual([]);
    await store.ruleStates.reinstate(['live']);
    engine.wake();
    await clock.advance(5 * HOUR_MS);

    expect(running.platform.records.map(({ account }) => account)).toEqual(['x', 'mastodon']);
  });

  test.for(['retire', 'disable'] as const)('an attempt that fails before the rule is back is repeated: %s', async (stop) => {
    await using running = await runEngine({ visibleAfterMs: () => SECOND_MS });
    const { store, clock, platform } = running;
    const answer = Promise.withResolvers<void>();
    const faults = ['unreachable', 'unanswered'] as const;
    for (const fault of faults) {
      platform.hangs.set(fault, answer.promise);
      platform.nextFailures.set(fault, [failing(fault)]);
    }
    await running.commit([firing([creating(faults)])]);

    await store.ruleStates[stop]('live');
    answer.resolve();
    await clock.advance(10 * SECOND_MS);
    const gone = await running.states();
    await store.ruleStates.reinstate(['live']);
    await clock.advance(2 * MINUTE_MS);

    expect(gone.map(([, state]) => state)).toEqual(['pending', 'pending']);
    expect(platform.records.map(({ account }) => account).toSorted()).toEqual(faults.toSorted());
  });

  test('the minute does not count as time for the attempts', async () => {
    await using running = await runEngine();
    const { store, clock, platform } = running;
    const answer = Promise.withResolvers<void>();
    platform.hangs.set('x', answer.promise);
    platform.nextFailures.set('x', ['unreachable']);
    await running.commit([firing([creating(['x'], { retry: { forMs: MINUTE_MS } })])]);

    await store.ruleStates.retire('live');
    answer.resolve();
    await clock.advance(SECOND_MS);
    await store.ruleStates.reinstate(['live']);
    await clock.advance(2 * MINUTE_MS);

    expect(await running.states()).toEqual([['x', 'sent']]);
  });

  test('an attempt that fails while the rule returns is repeated, and not searched for', async () => {
    await using running = await runEngine({ runs: false });
    const fired = firing([creating(['x'])]);
    await running.commit([fired]);
    const delivery = { ...(await running.find(keysOf(fired)[0])), state: 'sending' } as const;
    let changes = 0;
    const rows: Pick<DeliveryRows, 'change' | 'find'> = {
      // The rule returns after the first change, which its withdrawal prevented.
      change: async (before, change) => (changes++ === 0 ? undefined : { ...before, ...change, dueAt: change.dueAt ?? before.dueAt }),
      find: async () => delivery,
    };

    const changed = await withOrdering({ ...running.store.deliveries, ...rows }).change(delivery, { state: 'pending' });

    expect(changed).toMatchObject({ state: 'pending', dueAt: delivery.dueAt });
  });

  test('new credentials do not end the minute', async () => {
    await using running = await runEngine();
    const { store, clock, platform, engine } = running;
    platform.nextFailures.set('x', ['unauthorized']);
    await running.commit([firing([creating(['x'])])]);

    await store.ruleStates.retire('live');
    await store.deliveries.retryRefused({ nowMs: clock.nowMs() });
    engine.wake();
    await clock.advance(3 * SECOND_MS);
    await store.ruleStates.reinstate(['live']);
    await clock.advance(2 * MINUTE_MS);

    expect(await running.states()).toEqual([['x', 'sent']]);
  });

  test('a rule that was paused during an attempt repeats nothing when it is back', async () => {
    await using running = await runEngine();
    const { store, clock, platform } = running;
    const answer = Promise.withResolvers<void>();
    platform.hangs.set('x', answer.promise);
    platform.nextFailures.set('x', [failing('unreachable')]);
    const fired = firing([creating(['x'])]);
    await running.commit([fired]);

    await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
    await store.ruleStates.retire('live');
    await store.ruleStates.reinstate(['live']);
    answer.resolve();
    await clock.advance(2 * MINUTE_MS);

    expect(platform.records).toEqual([]);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'skipped', reason: { kind: 'rulePaused' } });
  });

  test('a file that does not return closes a question, although its rule was paused while the question was sent', async () => {
    await using running = await runEngine();
    const { store, clock, platform } = running;
    const answer = Promise.withResolvers<void>();
    platform.hangs.set('discord', answer.promise);
    const question = firing([creating(['discord'], { do: 'discord.ask', with: { choices: ['yes'] }, answerWithinMs: 8 * HOUR_MS })]);
    await running.commit([question]);

    await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
    answer.resolve();
    await clock.advance(SECOND_MS);
    const asked = await running.states();
    await store.ruleStates.retire('live');
    running.engine.wake();
    await clock.advance(2 * MINUTE_MS);

    expect([asked, running.unanswered.map(({ id }) => id)]).toEqual([[['discord', 'asked']], keysOf(question)]);
  });

  test('a file that does not return withdraws each step when it is due, after a minute at the earliest', async () => {
    await using running = await runEngine();
    const { store, clock } = running;
    const fired = waitingSteps(5 * SECOND_MS);
    await running.commit([fired]);

    await store.ruleStates.retire('live');
    await clock.advance(59 * SECOND_MS);
    const before = await running.states();
    await clock.advance(SECOND_MS);
    const after = await running.states();
    await clock.advance(5 * HOUR_MS);

    expect([before, after, await running.states()]).toEqual([
      [
        ['x', 'pending'],
        ['mastodon', 'pending'],
      ],
      [
        ['x', 'skipped'],
        ['mastodon', 'pending'],
      ],
      [
        ['x', 'skipped'],
        ['mastodon', 'skipped'],
      ],
    ]);
    expect(await running.find(keysOf(fired)[1])).toMatchObject({ message: 'the rule was deleted', withdrawn: undefined });
    expect(running.platform.attempts).toEqual([]);
  });
});
