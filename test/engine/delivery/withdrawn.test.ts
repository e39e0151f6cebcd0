import { describe, expect, test } from 'vitest';
import { openStore, type Store } from '#src/store/store.ts';
import { failing } from '../../support/fake-platform.ts';
import { committing, creating, firing, keysOf, setting } from '../../support/firings.ts';
import { begin } from '../../contract/delivery-steps.ts';
import { runEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;

/** Each way to withdraw a delivery that is not sent, with its reason. */
const WITHDRAWALS: readonly (readonly [name: string, withdraw: (store: Store) => Promise<unknown>, message: string])[] = [
  ['a pause', (store) => store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } }), 'ada paused the rule'],
  ['a deletion', (store) => store.ruleStates.retire('live'), 'the rule was deleted'],
  ['a rule that is turned off', (store) => store.ruleStates.disable('live'), 'the rule was turned off'],
];

/** Faults after which an attempt is usually repeated. */
const FAULTS = ['unanswered', 'unreachable', 'unavailable', 'malformed', 'rateLimited', 'unauthorized'] as const;

describe.each(WITHDRAWALS)('%s', (_, withdraw, message) => {
  test('during an attempt prevents the repeat after any failure', async () => {
    await using running = await runEngine({ visibleAfterMs: () => 10_000 });
    const { platform, store, clock } = running;
    const answer = Promise.withResolvers<void>();
    for (const fault of FAULTS) {
      platform.hangs.set(fault, answer.promise);
      platform.nextFailures.set(fault, [failing(fault)]);
    }
    const fired = firing([creating(FAULTS)]);
    await running.commit([fired]);

    await withdraw(store);
    answer.resolve();
    await clock.advance(0);
    // Other failures need a search first, and a rule without its file may return.
    const [, [, unreachable] = []] = await running.states();
    expect(unreachable).toBe(message.startsWith('ada') ? 'skipped' : 'pending');
    await clock.advance(60 * MINUTE_MS);

    expect(platform.records).toEqual([]);
    expect(platform.attempts.map(({ account }) => account).toSorted()).toEqual(FAULTS.toSorted());
    expect(await running.states()).toEqual(FAULTS.map((fault) => [fault, 'skipped']));
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ message });
  });

  test('during an attempt that succeeds leaves its record', async () => {
    await using running = await runEngine();
    const { platform, store, clock } = running;
    const answer = Promise.withResolvers<void>();
    platform.hangs.set('x', answer.promise);
    const fired = firing([creating(['x'])]);
    await running.commit([fired]);

    await withdraw(store);
    answer.resolve();
    await clock.advance(MINUTE_MS);

    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', result: { id: 'r1' } });
  });

  test('between a lost answer and the search finds the record, or sends nothing', async () => {
    await using running = await runEngine({ traits: { deduplicates: false }, visibleAfterMs: () => 10_000 });
    const { platform, store, clock } = running;
    platform.nextFailures.set('x', ['answerLost', 'unanswered']);
    const [there, absent] = [firing([creating(['x'])]), firing([creating(['x'], { with: { text: 'two' } })], { occasion: '2' })];
    await running.commit([there, absent]);

    await withdraw(store);
    await clock.advance(60 * MINUTE_MS);

    expect(platform.attempts).toHaveLength(1);
    expect(await running.find(keysOf(there)[0])).toMatchObject({ state: 'sent', result: { id: 'r1' } });
    expect(await running.find(keysOf(absent)[0])).toMatchObject({ state: 'skipped', message });
  });

  test('of a lost attempt prevents the repeat after the next start too', async () => {
    const lost = firing([creating(['x'])]);
    const [key = ''] = keysOf(lost);
    await using running = await runEngine({
      async store(clock) {
        const store = await openStore({ clock });
        await store.ruleStates.commit(committing([lost]));
        await begin(store, key);
        await withdraw(store);
        return store;
      },
    });

    await running.clock.advance(60 * MINUTE_MS);

    expect(running.platform.attempts).toEqual([]);
    expect(await running.find(key)).toMatchObject({ state: 'skipped', message });
  });

  test('during a pause between two attempts prevents the repeat', async () => {
    await using running = await runEngine();
    const { platform, store, clock } = running;
    platform.nextFailures.set('x', ['unavailable']);
    const fired = firing([creating(['x'])]);
    await running.commit([fired]);

    await withdraw(store);
    await clock.advance(60 * MINUTE_MS);

    expect([platform.records, platform.attempts.length]).toEqual([[], 1]);
    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'skipped', message });
  });

  test('of deliveries that the account has already read sends no more than the one under way', async () => {
    await using running = await runEngine();
    const { platform, store, clock } = running;
    platform.latencyMs = () => 1_500;
    await running.commit(Array.from({ length: 19 }, (_item, index) => firing([creating(['x'])], { episode: `stream ${index}` })));
    await clock.advance(1_600);
    expect(platform.records).toHaveLength(1);

    await withdraw(store);
    await clock.advance(60 * MINUTE_MS);

    expect(platform.records).toHaveLength(2);
    expect((await running.states()).filter(([, state]) => state === 'skipped')).toHaveLength(17);
  });

  test('while the first part of a thread is lost sends no part', async () => {
    await using running = await runEngine({ visibleAfterMs: () => 10_000 });
    const { platform, store, clock } = running;
    platform.nextFailures.set('x', ['unanswered']);
    await running.commit([firing([creating(['x'], { fit: 'thread', with: { text: 'one|two' } })])]);

    await withdraw(store);
    await clock.advance(60 * MINUTE_MS);

    expect(platform.records).toEqual([]);
    expect(await running.states()).toEqual([
      ['x', 'skipped'],
      ['x', 'skipped'],
    ]);
  });

  test('while a later part of a thread is lost completes the thread', async () => {
    await using running = await runEngine();
    const { platform, store, clock } = running;
    platform.nextFailures.set('x', [undefined, 'unanswered']);
    await running.commit([firing([creating(['x'], { fit: 'thread', with: { text: 'one|two|three' } })])]);

    await withdraw(store);
    await clock.advance(60 * MINUTE_MS);

    expect(platform.records.map(({ params }) => params['text'])).toEqual(['one', 'two', 'three']);
  });

  test('concerns only the elements of a list that are not sent', async () => {
    await using running = await runEngine({ visibleAfterMs: () => 10_000 });
    const { platform, store, clock } = running;
    platform.nextFailures.set('x', [undefined, 'unanswered']);
    await running.commit([firing([creating(['x'], { forEach: 'a,b,c' })])]);

    await withdraw(store);
    await clock.advance(60 * MINUTE_MS);

    const { items } = await store.deliveryLog.list();
    expect(items.toReversed().map(({ element, state }) => [element, state])).toEqual([
      [undefined, 'skipped'],
      ['a', 'sent'],
      ['b', 'skipped'],
      ['c', 'skipped'],
    ]);
  });
});

test('a pause that ended before the end of the attempt prevents the repeat as well', async () => {
  await using running = await runEngine({ visibleAfterMs: () => 10_000 });
  const { platform, store, clock } = running;
  platform.nextFailures.set('x', ['unanswered']);
  await running.commit([firing([creating(['x'])])]);

  await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
  await store.ruleStates.changePauses(['live'], { resume: 'now' });
  await clock.advance(60 * MINUTE_MS);

  expect([platform.records, await running.states()]).toEqual([[], [['x', 'skipped']]]);
});

test('a pause during the attempt at an edit of a card leaves the edit to be repeated', async () => {
  await using running = await runEngine();
  const { platform, store, clock } = running;
  platform.nextFailures.set('discord', ['unanswered']);
  const fired = firing([setting(['discord'])], { section: 'finally' });
  await running.commit([fired]);

  await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
  await clock.advance(MINUTE_MS);

  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', attempts: 2 });
});

test('a replaced firing that is lost is not repeated', async () => {
  await using running = await runEngine({ visibleAfterMs: () => 10_000 });
  const { platform, clock } = running;
  platform.nextFailures.set('x', ['unanswered']);
  await running.commit([firing([creating(['x'])])]);

  const next = firing([creating(['x'], { with: { text: 'next' } })], { occasion: '2' });
  await running.commit([next], { withdrawals: [{ rule: 'live', of: { queue: 'live/ada@1' }, section: 'then', message: 'replaced' }] });
  await clock.advance(60 * MINUTE_MS);

  expect(platform.records.map(({ params }) => params['text'])).toEqual(['next']);
});

test('a closing post whose attempt is open is sent if its item returns and ends again', async () => {
  await using running = await runEngine({ visibleAfterMs: () => MINUTE_MS });
  const { platform, clock } = running;
  const opened = firing([creating(['x'], { id: 'post' })]);
  const ended = (occasion: string) =>
    firing([creating(['x'], { id: 'vod', with: { text: 'over' } })], { section: 'finally', occasion, sees: [opened.id] });
  await running.commit([opened]);
  platform.nextFailures.set('x', ['unanswered']);
  await running.commit([ended('1')]);
  await running.commit([], {
    withdrawals: [{ rule: 'live', of: { episode: 'ada@1' }, section: 'finally', message: 'the item returned' }],
  });

  await clock.advance(10_000);
  await running.commit([ended('2')]);
  await clock.advance(60 * MINUTE_MS);

  expect(platform.records.map(({ params }) => params['text'])).toEqual(['hello', 'over']);
});

test('closing posts that were withdrawn and new ones keep the order of their steps if the item ends again', async () => {
  await using running = await runEngine();
  const { platform, clock } = running;
  const opened = firing([creating(['x'], { id: 'post' })]);
  const ended = (occasion: string, names: readonly string[], afterMs: number) =>
    firing(
      names.map((id) => creating(['x'], { id, with: { text: id }, afterMs })),
      { section: 'finally', occasion, sees: [opened.id] },
    );
  await running.commit([opened]);
  await running.commit([ended('1', ['first', 'third'], MINUTE_MS)]);
  await running.commit([], {
    withdrawals: [{ rule: 'live', of: { episode: 'ada@1' }, section: 'finally', message: 'the item returned' }],
  });
  await clock.advance(2 * MINUTE_MS);
  const skipped = (await running.states()).filter(([, state]) => state === 'skipped');

  await running.commit([ended('2', ['first', 'second', 'third'], 0)]);
  await clock.advance(MINUTE_MS);

  expect(skipped).toHaveLength(2);
  expect(platform.records.map(({ params }) => params['text'])).toEqual(['hello', 'first', 'second', 'third']);
});

test('a planned pause holds deliveries that the account has already read, before a process begins it', async () => {
  await using running = await runEngine({ maxPauseMs: 1_000 });
  const { platform, store, clock } = running;
  platform.latencyMs = () => 1_500;
  await running.commit(Array.from({ length: 19 }, (_item, index) => firing([creating(['x'])], { episode: `stream ${index}` })));

  await store.ruleStates.changePauses(['live'], { pause: { by: 'ada', fromMs: clock.nowMs() + 1_600 } });
  await clock.advance(MINUTE_MS);
  const sent = platform.records.length;
  await store.ruleStates.beginPlanned();
  await clock.advance(MINUTE_MS);

  expect([sent, platform.records.length]).toEqual([2, 2]);
  expect((await running.states()).filter(([, state]) => state === 'skipped')).toHaveLength(17);
});
