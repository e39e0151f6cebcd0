import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { BegunAttempts } from '#src/engine/delivery/first-attempt.ts';
import type { Firing } from '#src/rules/firing.ts';
import { createSharedLanes } from '#src/store/postgres/lanes.ts';
import { attemptsAt } from '../../contract/begun-attempts.ts';
import { find } from '../../contract/delivery-steps.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { committing, creating, firing, keysOf, renderPlainly } from '../../support/firings.ts';
import { startTwoProcesses } from './timed-database.ts';

/** A condition that statements fulfil soon. */
const SOON = { interval: 3 };

const { database, one, ending, awaitEnd } = await startTwoProcesses();

/** The timer of this process, by which requests end. */
let timerMs = 0;

beforeEach(() => {
  timerMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => timerMs);
});
afterEach(() => void vi.restoreAllMocks());

let firings = 0;

describe('an attempt in a commit', () => {
  /** The state of a new delivery of `x`, whose attempt begins with the token of a lane. */
  async function stateWith(token: number): Promise<string> {
    const rule = `rule-${++firings}`;
    const fired = firing([creating(['x'])], { rule });
    await one.store.ruleStates.commit(committing([fired], { rule, begun: attemptsAt(fired, { token }) }));
    return (await find(one.store, keysOf(fired)[0])).state;
  }

  const holdUntil = (ms: number, token: number) =>
    database.db.insertInto('lane').values({ account: 'x', holder: 'one', token, since_ms: 0, until_ms: ms }).execute();

  test('begins while its process holds the lane', async () => {
    await holdUntil(database.nowMs() + 1_000, 4);

    expect(await stateWith(4)).toBe('sending');
  });

  test('does not begin if another process took the lane before the commit', async () => {
    await holdUntil(database.nowMs() + 1_000, 5);

    expect(await stateWith(4)).toBe('pending');
  });

  test('does not begin if the lease ended before the commit', async () => {
    await holdUntil(database.nowMs(), 4);

    expect(await stateWith(4)).toBe('pending');
  });

  test('does not begin in a lane without a holder', async () => {
    expect(await stateWith(4)).toBe('pending');
  });
});

describe('a worker whose lane waits for work', () => {
  /** A worker that sent a first delivery, and begins the attempt at a second one. */
  async function begin() {
    const platform = new FakePlatform(one.clock);
    const engine = createDeliveryEngine({
      deliveries: one.store.deliveries,
      lanes: createSharedLanes({ ...one, share: () => 1 }),
      perform: platform.perform,
      recover: platform.recover,
      render: renderPlainly,
      clock: one.clock,
      log: one.log,
    });
    awaitEnd(engine.run(ending()));
    await commit(newFiring());
    const fired = newFiring();
    const [id = ''] = keysOf(fired);
    let attempts = await engine.beginWith({ firings: [fired] });
    const isBegun = async (): Promise<boolean> => {
      if (attempts.begun.length === 0) attempts = await engine.beginWith({ firings: [fired] });
      return attempts.begun.length > 0;
    };
    await expect.poll(isBegun, SOON).toBe(true);
    expect(platform.attempts).toHaveLength(1);
    return { platform, fired, id, attempts };
  }

  function newFiring(): Firing {
    return firing([creating(['x'])], { rule: `rule-${++firings}` });
  }

  async function commit(fired: Firing, attempts?: BegunAttempts): Promise<void> {
    await one.store.ruleStates.commit(committing([fired], { rule: fired.rule, begun: attempts?.begun }));
  }

  test('sends the delivery after its commit, once', async () => {
    const { platform, fired, id, attempts } = await begin();

    await commit(fired, attempts);
    expect(await find(one.store, id)).toMatchObject({ state: 'sending', attempts: 1 });
    await attempts[Symbol.asyncDispose]();

    await expect.poll(async () => (await find(one.store, id)).state, SOON).toBe('sent');
    expect(platform.counts()[id]).toBe(1);
  });

  test('sends nothing if another worker took the lane before the commit', async () => {
    const { platform, fired, id, attempts } = await begin();
    await database.db
      .updateTable('lane')
      .set((eb) => ({ holder: 'two', token: eb('token', '+', 1) }))
      .execute();

    await commit(fired, attempts);
    await attempts[Symbol.asyncDispose]();

    expect(await find(one.store, id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(platform.counts()[id]).toBeUndefined();
  });

  test('leaves the delivery to the next holder if it was frozen after the commit', async () => {
    const { platform, fired, id, attempts } = await begin();

    await commit(fired, attempts);
    // No timer of the process ran in the meantime.
    timerMs = 10_000;
    await attempts[Symbol.asyncDispose]();

    await expect.poll(() => one.lines.join(''), SOON).toContain('this worker lost the lease of an account');
    expect(platform.counts()[id]).toBeUndefined();
    expect(await find(one.store, id)).toMatchObject({ state: 'sending' });
  });
});
