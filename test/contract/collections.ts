import { expect, test } from 'vitest';
import { advance } from '#src/rules/evaluate/advance.ts';
import { aStep, cardRule, HOUR, MINUTE, START_MS, stream } from '../rules/evaluate/fixture.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

/** The contract of the changes that `limit` and `gather` collect: they are stored in the transaction of their firing. */
export function collectionsContract(open: OpenStore): void {
  test('several workers at the same slots and commits that fail lose no collected change, and release none twice', async () => {
    await using store = await open(new ManualClock(START_MS));
    const rule = cardRule({
      id: 'live',
      while: [],
      finally: [],
      limit: { firings: 2, perMs: HOUR, then: [aStep()] },
      gather: { count: 3, then: [aStep()] },
      watched: { confirm: { new: 1, gone: 1 } },
    });
    const names = Array.from({ length: 24 }, (_, n) => `p${n}`);
    for (let slot = 0; slot <= names.length; slot++) {
      const list = { items: names.slice(0, slot).map((name) => stream(name)), complete: true };
      const slotMs = START_MS + slot * 10 * MINUTE;
      const works = Array.from({ length: 3 }, async (_, worker) => {
        const state = await store.ruleStates.load('live');
        const made = advance({ rule, state, poll: list, slotMs: slotMs + worker });
        const commit = { rule: 'live', slotMs: slotMs + worker, afterMs: state.slotMs ?? 0, ...made };
        // The first worker dies in its commit.
        const unwritable = { rule: 'live', atMs: Number.NaN, outcome: 'fired', message: 'its instant is no number' } as const;
        if (worker === 0) return store.ruleStates.commit({ ...commit, decisions: [unwritable] }).catch(() => false);
        return store.ruleStates.commit(commit);
      });
      await Promise.all(works);
    }

    const reasons = (await store.decisions.list({ limit: 500 })).items.flatMap(({ reason }) => reason ?? []);
    const released = (kind: 'limitEnded' | 'gathered'): number =>
      reasons.reduce((sum, reason) => sum + (reason.kind === kind ? reason.changes : 0), 0);
    const { memory } = await store.ruleStates.load('live');
    const then = new Set(
      (await store.deliveryLog.list({ limit: 500 })).items.filter(({ section }) => section === 'then').map(({ episode }) => episode),
    );
    const waiting = { limit: memory.limited?.length ?? 0, gather: memory.gathered?.length ?? 0 };

    expect(then.size).toBeGreaterThan(4);
    expect(released('gathered') + waiting.gather).toBe(then.size);
    expect(then.size + released('limitEnded') + waiting.limit).toBe(names.length);
  });
}
