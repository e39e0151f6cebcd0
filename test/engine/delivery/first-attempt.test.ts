import { expect, test } from 'vitest';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import { Postponed } from '#src/errors.ts';
import { withStepMessage } from '#src/rules/messages/format-step-reason.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { committing, creating, episodeOf, firing, keysOf, renderPlainly, setting, SLOT_MS } from '../../support/firings.ts';
import { begin } from '../../contract/delivery-steps.ts';
import { runEngine, type RunningEngine } from './running-engine.ts';

/** An engine whose lanes of `x` and `mastodon` wait, because their first deliveries were sent. */
async function runIdle(): Promise<RunningEngine> {
  const running = await runEngine();
  await running.commit([firing([creating(['x', 'mastodon'])], { occasion: 'before' })]);
  return running;
}

/** The number of changes that the engine stores beside the commit until the delivery is settled. */
function countChanges({ changes }: RunningEngine, id: string | undefined): readonly string[] {
  return changes.filter((one) => one.id === id).map(({ state }) => state);
}

test('the first step is stored as begun in the commit of its firing', async () => {
  await using running = await runIdle();
  const fired = firing([creating(['x'], { with: { text: 'now' } })], { occasion: '2' });
  const [id] = keysOf(fired);

  await using attempts = await running.engine.beginWith({ firings: [fired] });
  await running.store.ruleStates.commit(committing([fired], { slotMs: SLOT_MS + 10, begun: attempts.begun }));

  expect(await running.find(id)).toMatchObject({ state: 'sending', attempts: 1, params: { text: 'now' } });
  expect(running.platform.counts()[id ?? '']).toBeUndefined();
});

test('it is sent once after the commit', async () => {
  await using running = await runIdle();
  const fired = firing([creating(['x'])], { occasion: '2' });
  const [id = ''] = keysOf(fired);

  await running.commit([fired]);

  expect(countChanges(running, id)).toEqual(['sending', 'sent']);
  expect(running.platform.counts()[id]).toBe(1);
  expect(running.attempts.filter(({ kind }) => kind === 'reconcile')).toEqual([]);
});

test.for([
  ['its account has no lane yet', [creating(['y'])], {}],
  ['it waits', [creating(['x'], { afterMs: 1_000 })], {}],
  ['it is a question', [creating(['x'], { do: 'discord.ask' })], {}],
  ['it becomes a thread', [creating(['x'], { fit: 'thread', with: { text: 'one|two' } })], {}],
  ['it becomes a delivery for each element', [creating(['x'], { forEach: 'ada,grace' })], {}],
  ['it creates nothing', [setting(['x'])], {}],
  ['it belongs to `while`', [creating(['x'])], { section: 'while' as const }],
  ['its firing sees another one', [creating(['x'])], { sees: ['earlier'] }],
  ['its time is to come', [creating(['x'])], { atMs: SLOT_MS + 60_000 }],
  ['its time is over', [creating(['x'], { maxAgeMs: 1_000 })], { atMs: SLOT_MS - 60_000 }],
] as const)('nothing begins with the commit if %s', async ([, steps, more]) => {
  await using running = await runIdle();

  await using attempts = await running.engine.beginWith({ firings: [firing(steps, { occasion: '2', ...more })] });

  expect(attempts.begun).toEqual([]);
});

test.for([
  ['that the commit opens begins with it', { put: [episodeOf('ada@1')] }, 1],
  ['that the commit closes begins after it', { put: [{ ...episodeOf('ada@1'), closedMs: SLOT_MS }] }, 0],
  ['that the commit drops begins after it', { put: [] }, 0],
  ['that the commit leaves begins after it', undefined, 0],
] as const)('a step of an episode %s', async ([, change, count]) => {
  await using running = await runIdle();
  const scope = { rule: { id: 'live' }, now: '', episode: { id: 'ada@1', open: true } };

  await using attempts = await running.engine.beginWith({ firings: [firing([creating(['x'])], { occasion: '2', scope })], change });

  expect(attempts.begun).toHaveLength(count);
});

test('a defect of a template is logged once', async () => {
  const errors: unknown[] = [];
  let isBroken = false;
  await using running = await runEngine({
    log: { ...silentLog, error: (_fields, message) => errors.push(message) },
    render(due) {
      if (isBroken) throw new Error('a defect');
      return renderPlainly(due);
    },
  });
  await running.commit([firing([creating(['x'])], { occasion: 'before' })]);
  isBroken = true;

  await running.commit([firing([creating(['x'])], { occasion: '2' })]);

  expect(errors).toEqual(['a step could not be rendered', 'could not be sent']);
});

test('nothing begins with the commit if the step is suppressed', async () => {
  await using running = await runIdle();
  const fired = firing([creating(['x'])], { occasion: '2' });
  const suppressed = withStepMessage({ kind: 'unsupported', account: 'x', do: 'social.createPost' });

  await using attempts = await running.engine.beginWith({
    firings: [{ ...fired, steps: fired.steps.map((step) => ({ ...step, suppressed })) }],
  });

  expect(attempts.begun).toEqual([]);
});

test.for([
  ['waits after a refusal of its account', 'unauthorized' as const],
  ['waits for a retry', 'unavailable' as const],
  ['was postponed', new Postponed('not now', { until: new Date(SLOT_MS + 60_000) })],
] as const)('nothing begins with the commit if an earlier delivery %s', async ([, failure]) => {
  await using running = await runIdle();
  running.platform.nextFailures.set('x', [failure]);
  await running.commit([firing([creating(['x'])], { occasion: '2' })]);

  await using attempts = await running.engine.beginWith({ firings: [firing([creating(['x'])], { occasion: '3' })] });

  expect(attempts.begun).toEqual([]);
});

test('an attempt that the budget of its account postpones is made later', async () => {
  await using running = await runIdle();
  running.platform.nextFailures.set('x', [new Postponed('not now', { until: new Date(SLOT_MS + 60_000) })]);
  const fired = firing([creating(['x'])], { occasion: '2' });
  const [id = ''] = keysOf(fired);

  await running.commit([fired]);
  const waiting = await running.find(id);
  await running.clock.advance(60_000);

  expect(waiting).toMatchObject({ state: 'pending', attempts: 0, message: 'not now', giveUpAt: undefined });
  expect(countChanges(running, id)).toEqual(['sending', 'pending', 'sending', 'sent']);
  expect(running.platform.counts()[id]).toBe(1);
});

test.for([
  ['a pause', undefined],
  ['a planned pause', SLOT_MS + 1_000],
] as const)('nothing is sent if %s begins between the evaluation and the commit', async ([, fromMs]) => {
  await using running = await runIdle();
  const { engine, store, clock } = running;
  const fired = firing([creating(['x'])], { occasion: '2' });
  const [id = ''] = keysOf(fired);
  {
    await using attempts = await engine.beginWith({ firings: [fired] });
    expect(attempts.begun).toHaveLength(1);
    await store.ruleStates.changePauses(['live'], { pause: { by: 'ada', fromMs } });
    await clock.advance(1_000);
    await store.ruleStates.commit(committing([fired], { slotMs: SLOT_MS + 10, begun: attempts.begun }));
  }
  await clock.advance(60_000);

  expect(await running.find(id)).toMatchObject({ state: 'skipped', message: 'ada paused the rule' });
  expect(running.platform.counts()[id]).toBeUndefined();
});

test('a later step waits for the first one, which begins with the commit', async () => {
  await using running = await runIdle();
  const fired = firing([creating(['x'], { id: 'post' }), creating(['x'], { reads: ['post'] })], { occasion: '2' });
  const [first, second] = keysOf(fired);

  await using attempts = await running.engine.beginWith({ firings: [fired] });

  expect(attempts.begun.map(({ delivery }) => delivery.id)).toEqual([first]);
  await running.store.ruleStates.commit(committing([fired], { slotMs: SLOT_MS + 10, begun: attempts.begun }));
  expect(await running.find(second)).toMatchObject({ state: 'pending' });
});

test.for([
  ['that may stop it', { onError: 'stop' }, {}],
  ['whose result it reads', { id: 'post' }, { reads: ['post'] }],
] as const)('a step through another account waits for the step above it %s', async ([, above, below]) => {
  await using running = await runIdle();
  const fired = firing([creating(['x'], above), creating(['mastodon'], below)], { occasion: '2' });

  await using attempts = await running.engine.beginWith({ firings: [fired] });

  expect(attempts.begun.map(({ delivery }) => delivery.account)).toEqual(['x']);
});

test('a step begins through each of its accounts', async () => {
  await using running = await runIdle();

  await using attempts = await running.engine.beginWith({ firings: [firing([creating(['x', 'mastodon'])], { occasion: '2' })] });

  expect(attempts.begun.map(({ delivery }) => delivery.account)).toEqual(['x', 'mastodon']);
});

test('one attempt of an account at a time begins with a commit', async () => {
  await using running = await runIdle();
  const [one, other] = ['2', '3'].map((occasion) => firing([creating(['x'])], { occasion }));
  if (!one || !other) throw new Error('there are two firings');

  await using first = await running.engine.beginWith({ firings: [one] });
  await using second = await running.engine.beginWith({ firings: [other] });

  expect([first.begun.length, second.begun.length]).toEqual([1, 0]);
});

test('a slow commit delays the other deliveries of its account by two seconds at most', async () => {
  await using running = await runIdle();
  const { engine, store, clock, platform } = running;
  const [slow, other] = ['2', '3'].map((occasion) => firing([creating(['x'])], { occasion, episode: `ada@${occasion}` }));
  if (!slow || !other) throw new Error('there are two firings');
  const [slowId = '', otherId = ''] = [...keysOf(slow), ...keysOf(other)];
  {
    await using attempts = await engine.beginWith({ firings: [slow] });
    await store.ruleStates.commit(committing([other], { slotMs: SLOT_MS + 10 }));
    engine.wake();
    await clock.advance(1_999);
    expect(platform.counts()[otherId]).toBeUndefined();
    await clock.advance(1);
    expect(platform.counts()[otherId]).toBe(1);
    await store.ruleStates.commit(committing([slow], { slotMs: SLOT_MS + 11, begun: attempts.begun }));
  }
  await clock.advance(0);

  expect(platform.counts()[slowId]).toBe(1);
});

test('a commit whose error hides that it was stored has its attempt made', async () => {
  await using running = await runIdle();
  const fired = firing([creating(['x'])], { occasion: '2' });
  const [id = ''] = keysOf(fired);
  {
    await using attempts = await running.engine.beginWith({ firings: [fired] });
    await running.store.ruleStates.commit(committing([fired], { slotMs: SLOT_MS + 10, begun: attempts.begun }));
    // The connection is lost before the answer of the commit, so the scheduler wakes no lane.
  }
  await running.clock.advance(0);

  expect(running.platform.counts()[id]).toBe(1);
});

test('an attempt that another process began first is not made again', async () => {
  await using running = await runIdle();
  const fired = firing([creating(['x'])], { occasion: '2' });
  const [id = ''] = keysOf(fired);
  {
    await using attempts = await running.engine.beginWith({ firings: [fired] });
    expect(attempts.begun).toHaveLength(1);
    // The lease of this process is over, so its commit begins nothing.
    await running.store.ruleStates.commit(committing([fired], { slotMs: SLOT_MS + 10 }));
    await begin(running.store, id, { dueAt: new Date(SLOT_MS + 60_000) });
  }
  await running.clock.advance(59_000);

  expect(running.platform.counts()[id]).toBeUndefined();
});

test('a begun attempt that cannot be read after its commit is searched for before it is repeated', async () => {
  let isDown = false;
  await using running = await runEngine({
    store: async (clock) => {
      const store = await openStore({ clock });
      const find: DeliveryStore['find'] = async (id) => (isDown ? Promise.reject(new Error('no connection')) : store.deliveries.find(id));
      return { ...store, deliveries: { ...store.deliveries, find } };
    },
  });
  await running.commit([firing([creating(['x'])], { occasion: 'before' })]);
  const fired = firing([creating(['x'])], { occasion: '2' });
  const [id = ''] = keysOf(fired);
  {
    await using attempts = await running.engine.beginWith({ firings: [fired] });
    await running.store.ruleStates.commit(committing([fired], { slotMs: SLOT_MS + 10, begun: attempts.begun }));
    isDown = true;
  }
  isDown = false;
  running.engine.wake();
  await running.clock.advance(60_000);

  expect(running.attempts.map(({ kind }) => kind)).toEqual(['attempt', 'reconcile', 'attempt']);
  expect(running.platform.counts()[id]).toBe(1);
});

test('a delivery whose commit failed is sent as every other one after the next commit', async () => {
  await using running = await runIdle();
  const fired = firing([creating(['x'])], { occasion: '2' });
  const [id = ''] = keysOf(fired);
  {
    await using _attempts = await running.engine.beginWith({ firings: [fired] });
  }
  expect(running.platform.counts()[id]).toBeUndefined();

  await running.commit([fired]);

  expect(running.platform.counts()[id]).toBe(1);
});

test('the end of the program between the commit and the request leaves a delivery to the next run', async () => {
  await using running = await runIdle();
  const fired = firing([creating(['x'])], { occasion: '2' });
  const [id = ''] = keysOf(fired);
  const attempts = await running.engine.beginWith({ firings: [fired] });
  await running.store.ruleStates.commit(committing([fired], { slotMs: SLOT_MS + 10, begun: attempts.begun }));

  expect(await running.find(id)).toMatchObject({ state: 'sending' });
  await attempts[Symbol.asyncDispose]();
  await running.stop();

  expect(running.platform.counts()[id]).toBe(1);
  expect(await running.find(id)).toMatchObject({ state: 'sent' });
});
