import { expect, test } from 'vitest';
import type { FirstAttempt } from '#src/engine/delivery/first-attempt.ts';
import { newDelivery } from '#src/engine/delivery/new-delivery.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import type { Firing } from '#src/rules/firing.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { begin, find, type StoredDeliveries } from './delivery-steps.ts';

type Opened = StoredDeliveries & { readonly ruleStates: Pick<RuleStates, 'commit' | 'changePauses'> };
type Open = (clock: ManualClock) => Promise<Opened & AsyncDisposable>;

const SINCE = new Date(SLOT_MS);

/** The first attempts at all steps of a firing, as the delivery engine begins them. */
export function attemptsAt(fired: Firing, token?: number): readonly FirstAttempt[] {
  return fired.steps.map((planned) => ({
    delivery: newDelivery(planned, fired, { nowMs: SLOT_MS }),
    change: { state: 'sending', attempts: 1, params: { text: 'begun' }, since: SINCE, attemptedAt: SINCE, giveUpAt: SINCE },
    token,
  }));
}

/** The contract of attempts that begin with the commit of their firing. */
export function begunAttemptsContract(open: Open): void {
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

  test('an attempt begins before a planned pause, and not during a pause', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const [paused, planned] = ['paused', 'planned'].map((rule) => firing([creating(['x'])], { rule }));
    if (!paused || !planned) throw new Error('there are two firings');
    await store.ruleStates.changePauses(['paused'], { pause: { by: 'ada' } });
    await store.ruleStates.changePauses(['planned'], { pause: { by: 'ada', fromMs: SLOT_MS + 1 } });
    await store.ruleStates.commit(committing([paused], { rule: 'paused', begun: attemptsAt(paused) }));
    await store.ruleStates.commit(committing([planned], { rule: 'planned', begun: attemptsAt(planned) }));

    expect((await find(store, keysOf(paused)[0])).state).toBe('skipped');
    // The plan is not due yet.
    expect((await find(store, keysOf(planned)[0])).state).toBe('sending');
  });

  test('a commit that was made before changes no attempt', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));

    await store.ruleStates.commit(committing([fired], { begun: attemptsAt(fired) }));

    expect((await find(store, keysOf(fired)[0])).state).toBe('pending');
  });
}
