import { expect, test } from 'vitest';
import { advance } from '#src/rules/evaluate/advance.ts';
import { aStep, cardRule, HOUR, MINUTE, START_MS, stream } from '../rules/evaluate/fixture.ts';
import { committing, creating, firing, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { begin, find, settle, states } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

const EVERY = { everyMs: 4 * HOUR, id: 'reminder' } as const;

/** The contract of steps of `while` with `every`: each multiple is delivered once. */
export function repeatsContract(open: OpenStore): void {
  test('several workers at the same slots and commits that fail deliver each multiple of every once', async () => {
    await using store = await open(new ManualClock(START_MS));
    const rule = cardRule({
      id: 'live',
      while: [aStep({ id: 'reminder', creates: true, everyMs: 4 * HOUR })],
      finally: [],
      watched: { first: 'fire', confirm: { new: 1, gone: 1 } },
    });
    for (let slot = 0; slot <= 25; slot++) {
      const slotMs = START_MS + slot * HOUR + (slot % 7) * MINUTE;
      const works = Array.from({ length: 3 }, async (_, worker) => {
        const state = await store.ruleStates.load('live');
        const list = { items: [stream('ada')], complete: true };
        const made = advance({ rule, state, poll: list, slotMs: slotMs + worker });
        const commit = { rule: 'live', slotMs: slotMs + worker, afterMs: state.slotMs ?? 0, ...made };
        // The first worker dies in its commit.
        const unwritable = { rule: 'live', atMs: Number.NaN, outcome: 'fired', message: 'its instant is no number' } as const;
        if (worker === 0) return store.ruleStates.commit({ ...commit, decisions: [unwritable] }).catch(() => false);
        return store.ruleStates.commit(commit);
      });
      await Promise.all(works);
    }

    const { items } = await store.deliveryLog.list({ limit: 500, idle: true });
    const reasons = (await store.decisions.list({ limit: 500 })).items.flatMap(({ reason }) =>
      reason?.kind === 'everyReached' ? reason : [],
    );
    expect(items.filter(({ section }) => section === 'while')).toHaveLength(6);
    expect(reasons.map(({ multipleMs }) => multipleMs / HOUR).toReversed()).toEqual([4, 8, 12, 16, 20, 24]);
  });

  test('a multiple that was decided twice is one delivery, and a sent one is not sent again', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const at = (occasion: string, multipleMs: number) => firing([creating(['x'], EVERY)], { section: 'while', occasion, multipleMs });
    await store.ruleStates.commit(committing([at('1', 4 * HOUR)]));
    await settle(store, at('1', 4 * HOUR).steps[0]?.key, { state: 'sent' });
    await store.ruleStates.commit(committing([at('2', 4 * HOUR)], { slotMs: SLOT_MS + 1 }));
    await store.ruleStates.commit(committing([at('3', 8 * HOUR)], { slotMs: SLOT_MS + 2 }));

    expect((await states(store)).map(([, occasion, state]) => [occasion, state])).toEqual([
      ['1', 'sent'],
      ['3', 'pending'],
    ]);
  });

  test('a newer poll withdraws older edits, but no step with every that does not run again', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const steps = [setting(['discord']), creating(['x'], EVERY)];
    const first = firing(steps, { section: 'while', occasion: '1', multipleMs: 4 * HOUR });
    await store.ruleStates.commit(committing([first]));
    const newer = { rule: 'live', of: { episode: 'ada@1' }, section: 'while', message: 'newer' } as const;
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 1, withdrawals: [{ ...newer, except: ['reminder'] }] }));
    const between = (await states(store)).map(([account, , state]) => [account, state]);
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 2, withdrawals: [newer] }));

    expect(between).toEqual([
      ['discord', 'skipped'],
      ['x', 'pending'],
    ]);
    expect((await states(store)).map(([account, , state]) => [account, state])).toEqual([
      ['discord', 'skipped'],
      ['x', 'skipped'],
    ]);
  });

  test('a pause and a mute withdraw a step with every that creates something, and no edit', async () => {
    for (const stop of ['pause', 'mute'] as const) {
      await using store = await open(new ManualClock(SLOT_MS));
      const rule = cardRule({ id: 'live', watched: { first: 'fire', confirm: { new: 1, gone: 1 } } });
      const opened = advance({
        rule,
        state: await store.ruleStates.load('live'),
        poll: { items: [stream('ada')], complete: true },
        slotMs: SLOT_MS,
      });
      const episode = opened.change?.put[0]?.id ?? '';
      const steps = [setting(['discord']), creating(['x'], EVERY), creating(['mastodon'], EVERY)];
      const reminder = firing(steps, { section: 'while', occasion: '1', episode, multipleMs: 4 * HOUR });
      await store.ruleStates.commit(committing([reminder], { ...opened, firings: [reminder] }));
      await begin(store, reminder.steps[2]?.key);
      if (stop === 'pause') await store.ruleStates.changePauses(['live'], { pause: { by: 'Grace' } });
      else await store.ruleStates.mute('live', episode, 'Grace');

      const its = await Promise.all(reminder.steps.map(({ key }) => find(store, key)));
      expect(
        its.map(({ state, withdrawn }) => [state, withdrawn !== undefined]),
        stop,
      ).toEqual([
        ['pending', false],
        ['skipped', false],
        ['sending', true],
      ]);
    }
  });
}
