import { expect, test } from 'vitest';
import type { Store } from '#src/store/store.ts';
import { committing, creating, firing, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { begin } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

const HOUR_MS = 3_600_000;
const [FROM, UNTIL] = [SLOT_MS + HOUR_MS, SLOT_MS + 3 * HOUR_MS];
const HOLIDAYS = { by: 'ada', fromMs: FROM, untilMs: UNTIL } as const;

/** The contract of pauses that a person planned. */
export function plannedPausesContract(open: OpenStore): void {
  test('a planned pause is in force from its begin to its end, whether or not it was begun', async () => {
    for (const isBegun of [true, false]) {
      const clock = new ManualClock(SLOT_MS);
      await using store = await open(clock);
      const { ruleStates } = store;
      expect(await ruleStates.changePauses(['live', 'other'], { pause: HOLIDAYS })).toEqual(['live', 'other']);
      const pauseOf = async () => [(await ruleStates.paused()).get('live')?.person, (await ruleStates.load('live')).paused];
      const plan = { ...HOLIDAYS, atMs: SLOT_MS };

      expect(await pauseOf()).toEqual([undefined, undefined]);
      expect(await ruleStates.planned()).toEqual(new Map([['live', [plan]], ['other', [plan]]])); // prettier-ignore
      expect(await ruleStates.beginPlanned()).toEqual({ rules: [], nextMs: FROM });

      clock.set(FROM);
      const begun = isBegun ? (await ruleStates.beginPlanned()).rules : [];
      expect(begun).toEqual(isBegun ? ['live', 'other'] : []);
      const pause = { by: 'ada', atMs: FROM, untilMs: UNTIL, plannedMs: SLOT_MS };
      expect(await pauseOf(), String(isBegun)).toEqual([pause, pause]);
      expect(await ruleStates.planned()).toEqual(new Map());
      await ruleStates.commit(committing([firing([creating(['x'])])], { slotMs: FROM }));
      expect(await outcomes(store)).toEqual([['x', 'skipped', 'ada paused the rule']]);

      clock.set(UNTIL);
      expect(await pauseOf()).toEqual([undefined, undefined]);
    }
  });

  test('a planned pause withdraws announcements and steps with collected changes that wait at its begin, and keeps begun ones and edits of `finally`', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const fired = firing([creating(['x', 'mastodon'])]);
    const closing = firing([setting(['discord'])], { section: 'finally' });
    const collected = firing([setting(['bluesky'])], { section: 'gather', episode: 'gathered', queue: 'live/gathered' });
    await store.ruleStates.commit(committing([fired, closing, collected]));
    await store.ruleStates.commit(committing([firing([creating(['x'])], { rule: 'other' })], { rule: 'other' }));
    await begin(store, fired.steps[1]?.key);
    await store.ruleStates.changePauses(['live'], { pause: HOLIDAYS });

    clock.set(FROM);
    // Before the pause is begun, nothing of its rule begins.
    expect(await due(store, clock)).toEqual([['other', 'x']]);
    await store.ruleStates.beginPlanned();

    expect(await due(store, clock)).toEqual([
      ['live', 'discord'],
      ['other', 'x'],
    ]);
    expect(await outcomes(store)).toEqual([
      ['x', 'skipped', 'ada paused the rule'],
      ['mastodon', 'sending', undefined],
      ['discord', 'pending', undefined],
      ['bluesky', 'skipped', 'ada paused the rule'],
      ['x', 'pending', undefined],
    ]);
  });

  test('the longer of two pauses stays', async () => {
    const ends = [UNTIL, UNTIL + 1, undefined];
    for (const nowUntil of ends) {
      for (const laterUntil of ends) {
        const clock = new ManualClock(SLOT_MS);
        await using store = await open(clock);
        const { ruleStates } = store;
        await ruleStates.changePauses(['live'], { pause: { by: 'grace', untilMs: nowUntil } });
        await ruleStates.changePauses(['live'], { pause: { by: 'ada', fromMs: FROM, untilMs: laterUntil } });
        clock.set(FROM);
        await ruleStates.beginPlanned();

        const longer = Math.max(nowUntil ?? Infinity, laterUntil ?? Infinity);
        const person = (await ruleStates.paused()).get('live')?.person;
        expect(person?.untilMs ?? Infinity, `${nowUntil} and ${laterUntil}`).toBe(longer);
        expect(person?.by).toBe((laterUntil ?? Infinity) > (nowUntil ?? Infinity) ? 'ada' : 'grace');
      }
    }
  });

  test('a planned pause that passed while no process ran withdraws what was decided before its end', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    await store.ruleStates.commit(committing([firing([creating(['x'])])]));
    await store.ruleStates.changePauses(['live'], { pause: HOLIDAYS });

    clock.set(UNTIL + 1);
    await store.ruleStates.commit(
      committing([firing([creating(['mastodon'])], { atMs: UNTIL + 1, occasion: '2' })], { slotMs: UNTIL + 1 }),
    );
    expect(await store.ruleStates.beginPlanned()).toEqual({ rules: ['live'], nextMs: undefined });

    expect(await store.ruleStates.paused()).toEqual(new Map());
    expect(await outcomes(store)).toEqual([
      ['x', 'skipped', 'ada paused the rule'],
      ['mastodon', 'pending', undefined],
    ]);
  });

  test('a pause that began or passed by a clock that was ahead is planned again', async () => {
    for (const aheadMs of [FROM, UNTIL, UNTIL + 1_000 * HOUR_MS]) {
      const clock = new ManualClock(SLOT_MS);
      await using store = await open(clock);
      const { ruleStates } = store;
      await ruleStates.changePauses(['live'], { pause: HOLIDAYS });
      clock.set(aheadMs);
      await ruleStates.beginPlanned();

      clock.set(SLOT_MS);
      await store.storedClock.continueFromNow();

      expect(await ruleStates.beginPlanned()).toEqual({ rules: [], nextMs: FROM });
      expect(await ruleStates.paused(), String(aheadMs)).toEqual(new Map());
      expect(await ruleStates.planned()).toEqual(new Map([['live', [{ ...HOLIDAYS, atMs: SLOT_MS }]]]));
      clock.set(FROM);
      await ruleStates.beginPlanned();
      expect((await ruleStates.paused()).get('live')?.person).toEqual({ by: 'ada', atMs: FROM, untilMs: UNTIL, plannedMs: SLOT_MS });
    }
  });

  test('a resumed rule runs during a planned pause, and later plans stay until they are cancelled', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { ruleStates } = store;
    const easter = { by: 'grace', fromMs: UNTIL + HOUR_MS, untilMs: undefined };
    const change = (one: Parameters<typeof ruleStates.changePauses>[1]) => ruleStates.changePauses(['live'], one);
    await change({ pause: HOLIDAYS });
    await change({ pause: easter });
    expect([await change({ pause: HOLIDAYS }), await change({ resume: 'now' })]).toEqual([[], []]);

    for (const isBegun of [true, false]) {
      await change({ pause: HOLIDAYS });
      clock.set(FROM + 1);
      if (isBegun) await ruleStates.beginPlanned();
      expect(await change({ resume: 'now' })).toEqual(['live']);
      await ruleStates.beginPlanned();
      expect(await ruleStates.paused()).toEqual(new Map());
      clock.set(SLOT_MS);
    }

    expect((await ruleStates.planned()).get('live')?.map(({ by, fromMs }) => [by, fromMs])).toEqual([['grace', easter.fromMs]]);
    expect([await change({ resume: 'planned' }), await change({ resume: 'planned' })]).toEqual([['live'], []]);
    expect(await ruleStates.planned()).toEqual(new Map());
  });

  test('two processes begin a planned pause once, and a slot that commits at the same time is withdrawn', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { ruleStates } = store;
    await ruleStates.changePauses(['live'], { pause: HOLIDAYS });
    clock.set(FROM);
    const slots = [0, 1, 2].map((at) =>
      committing([firing([creating([`x${at}`])], { atMs: FROM + at, occasion: `${at}` })], { slotMs: FROM + at }),
    );

    const [one, other] = await Promise.all([
      ruleStates.beginPlanned(),
      ruleStates.beginPlanned(),
      ...slots.map((slot) => ruleStates.commit(slot)),
    ]);

    expect([one.rules, other.rules].toSorted((a, b) => a.length - b.length)).toEqual([[], ['live']]);
    expect(new Set((await outcomes(store)).map(([, state]) => state))).toEqual(new Set(['skipped']));
  });

  test('a renamed rule keeps its planned pauses', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { ruleStates } = store;
    await ruleStates.commit(committing([]));
    await ruleStates.changePauses(['live', 'on-air'], { pause: HOLIDAYS });
    await ruleStates.changePauses(['live'], { pause: { ...HOLIDAYS, fromMs: FROM + 1 } });
    await ruleStates.rename({ from: 'live', to: 'on-air' });

    expect([...(await ruleStates.planned())].map(([rule, plans]) => [rule, plans.map(({ fromMs }) => fromMs)])).toEqual([
      ['on-air', [FROM, FROM + 1]],
    ]);
  });

  test.for([
    [undefined, FROM + 2],
    [FROM + 2, undefined],
    [FROM + 2, FROM + 1],
    [FROM + 1, FROM + 2],
  ])('of two planned pauses from the same instant to %s and %s, a renamed rule keeps the longer one', async ([old, now]) => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { ruleStates } = store;
    await ruleStates.commit(committing([]));
    for (const [rule, untilMs] of [
      ['live', old],
      ['on-air', now],
    ] as const)
      await ruleStates.changePauses([rule], { pause: { by: 'ada', fromMs: FROM, untilMs } });

    await ruleStates.rename({ from: 'live', to: 'on-air' });

    const longest = old !== undefined && now !== undefined ? Math.max(old, now) : undefined;
    expect([...(await ruleStates.planned())].map(([rule, plans]) => [rule, plans.map(({ untilMs }) => untilMs)])).toEqual([
      ['on-air', [longest]],
    ]);
  });

  test('a rule that is renamed before its first slot keeps its pauses', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { ruleStates } = store;
    await ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
    await ruleStates.changePauses(['live'], { pause: HOLIDAYS });

    const moved = await ruleStates.rename({ from: 'live', to: 'on-air' });
    const again = await ruleStates.rename({ from: 'live', to: 'on-air' });

    expect([moved, again]).toEqual([true, false]);
    expect([...(await ruleStates.paused())].map(([rule, { person }]) => [rule, person?.by])).toEqual([['on-air', 'ada']]);
    expect([...(await ruleStates.planned()).keys()]).toEqual(['on-air']);
  });
}

async function outcomes(store: Store) {
  const { items } = await store.deliveryLog.list();
  return items.toReversed().map(({ account, state, message }) => [account, state, message]);
}

const byRule = ([a = '']: readonly string[], [b = '']: readonly string[]): number => (a < b ? -1 : 1);

/** The deliveries that can begin now, without those that have begun. */
async function due({ deliveries }: Store, clock: ManualClock) {
  const accounts = await deliveries.accounts();
  const all = await Promise.all(accounts.map((account) => deliveries.due(account, { nowMs: clock.nowMs(), limit: 20 })));
  return all
    .flatMap((some) => some.filter(({ state }) => state === 'pending').map(({ rule, account }) => [rule, account]))
    .toSorted(byRule);
}
