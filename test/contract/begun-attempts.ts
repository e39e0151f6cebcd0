import { expect, test } from 'vitest';
import type { FirstAttempt } from '#src/engine/delivery/first-attempt.ts';
import { newDelivery } from '#src/engine/delivery/new-delivery.ts';
import type { Firing } from '#src/rules/firing.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { begin, find } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

const SINCE = new Date(SLOT_MS);

/** The first attempts at all steps of a firing, as the delivery engine begins them. */
export function attemptsAt(fired: Firing, { token, nowMs = SLOT_MS }: Partial<AttemptValues> = {}): readonly FirstAttempt[] {
  const now = new Date(nowMs);
  return fired.steps.map((planned) => ({
    delivery: newDelivery(planned, fired, { nowMs }),
    change: { state: 'sending', attempts: 1, params: { text: 'begun' }, since: now, attemptedAt: now, giveUpAt: now },
    token,
  }));
}

interface AttemptValues {
  readonly token: number;
  readonly nowMs: number;
}

/** The contract of attempts that begin with the commit of their firing. */
export function begunAttemptsContract(open: OpenStore): void {
  test('an attempt begins with its commit', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x', 'mastodon']), creating(['x'])]);
    const [atX, atMastodon, later] = keysOf(fired);

    await store.ruleStates.commit(committing([fired], { begun: attemptsAt(fired).slice(0, 2) }));

    const begun = { state: 'sending', attempts: 1, params: { text: 'begun' }, since: SINCE, attemptedAt: SINCE };
    expect(await find(store, atX)).toMatchObject(begun);
    expect(await find(store, atMastodon)).toMatchObject(begun);
    expect(await find(store, later)).toMatchObject({ state: 'pending', attempts: 0 });
    expect((await store.deliveries.begun('x')).map(({ id }) => id)).toEqual([atX]);
  });

  test.for(['pending', 'sending', 'asked'] as const)('an attempt does not begin behind an open delivery that is %s', async (state) => {
    await using store = await open(new ManualClock(SLOT_MS));
    const before = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([before]));
    if (state !== 'pending') await begin(store, keysOf(before)[0], { state });
    const fired = firing([creating(['x'])], { episode: 'grace@1' });

    await store.ruleStates.commit(committing([fired], { slotMs: SLOT_MS + 1, begun: attemptsAt(fired) }));

    expect(await find(store, keysOf(fired)[0])).toMatchObject({ state: 'pending', attempts: 0, params: undefined, since: undefined });
  });

  test('of two attempts through an account, the first one begins with the commit', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x']), creating(['x'])]);

    await store.ruleStates.commit(committing([fired], { begun: attemptsAt(fired) }));

    const states = await Promise.all(keysOf(fired).map(async (id) => (await find(store, id)).state));
    expect(states).toEqual(['sending', 'pending']);
  });

  test('an attempt does not begin behind a delivery that waits for its time', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleStates.commit(committing([firing([creating(['x'], { afterMs: 60_000 })])]));
    const fired = firing([creating(['x'])], { episode: 'grace@1' });

    await store.ruleStates.commit(committing([fired], { slotMs: SLOT_MS + 1, begun: attemptsAt(fired) }));

    expect((await find(store, keysOf(fired)[0])).state).toBe('pending');
  });

  test('an attempt does not begin before the search that follows a restore', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.restores.note();
    const fired = firing([creating(['x'])]);

    await store.ruleStates.commit(committing([fired], { begun: attemptsAt(fired) }));

    expect(await find(store, keysOf(fired)[0])).toMatchObject({ state: 'pending', searchSince: expect.any(Date) });
  });

  /** A person plans or begins a pause between the evaluation at `SLOT_MS` and the commit. */
  test.for([
    ['a pause of now on', {}, 'skipped'],
    ['a pause that ended', { untilMs: SLOT_MS }, 'sending'],
    ['a planned pause that begins now', { fromMs: SLOT_MS + 10 }, 'skipped'],
    ['a planned pause that began a moment ago', { fromMs: SLOT_MS + 9 }, 'skipped'],
    ['a planned pause that no process began or ended', { fromMs: SLOT_MS + 5, untilMs: SLOT_MS + 9 }, 'pending'],
    ['a planned pause that has not begun', { fromMs: SLOT_MS + 11 }, 'sending'],
  ] as const)('with %s, the attempt is %s', async ([, pause, state]) => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const fired = firing([creating(['x'])]);
    const begun = attemptsAt(fired);
    await store.ruleStates.changePauses(['live'], { pause: { by: 'ada', ...pause } });
    clock.set(SLOT_MS + 10);

    await store.ruleStates.commit(committing([fired], { begun }));

    expect((await find(store, keysOf(fired)[0])).state).toBe(state);
  });

  test('a commit that was made before changes no attempt', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));

    await store.ruleStates.commit(committing([fired], { begun: attemptsAt(fired) }));

    expect((await find(store, keysOf(fired)[0])).state).toBe('pending');
  });

  test.for(['pending', 'sending', 'sent'] as const)('a firing that is decided again leaves its delivery %s', async (state) => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    await begin(store, keysOf(fired)[0]);
    await begin(store, keysOf(fired)[0], { state, params: { text: 'first' } });
    const before = await find(store, keysOf(fired)[0]);
    const again = { ...fired, atMs: SLOT_MS + 1 };

    await store.ruleStates.commit(committing([again], { slotMs: SLOT_MS + 1, begun: attemptsAt(again) }));

    expect(await find(store, keysOf(fired)[0])).toEqual(before);
  });
}
