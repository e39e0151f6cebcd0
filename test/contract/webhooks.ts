import { expect, test } from 'vitest';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { ReceivedWebhook } from '#src/rules/rule.ts';
import type { Store } from '#src/store/store.ts';
import { committing, creating, firing, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { rulesOf } from '../support/rule-language.ts';
import type { OpenStore } from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const TIPS = `id: live
when: { webhook: kofi, key: item.id, fields: { id: text, amount: number } }
keep: { total: keep.total + item.amount }
then: [{ do: discord.send, with: { channel: live, content: "total \${{ keep.total }}" } }]
`;

const tip = (key: string, amount = 3): ReceivedWebhook => ({ webhook: 'kofi', key, item: { id: key, amount } });

/** The commit of a webhook, in the minute of its number, with one delivery. */
function received(key: string, minute: number) {
  const slotMs = SLOT_MS + minute * MINUTE_MS;
  return committing([firing([creating(['x'])], { episode: '', occasion: String(slotMs), atMs: slotMs })], { slotMs, received: tip(key) });
}

const countDeliveries = async (store: Store): Promise<number> => (await store.deliveryLog.list({ limit: 500 })).items.length;

/** The contract of the webhooks that rules processed: a key is stored in the transaction of its firing, and a repeated one writes nothing. */
export function webhooksContract(open: OpenStore): void {
  test('the key and the fields of a webhook are stored with its firing, by rule', async () => {
    await using store = await open(new ManualClock(SLOT_MS));

    expect(await store.ruleStates.commit(received('a', 0))).toBe(true);

    const { receivedWebhooks } = store;
    const known = await Promise.all([
      receivedWebhooks.has('live', 'a'),
      receivedWebhooks.has('live', 'b'),
      receivedWebhooks.has('other', 'a'),
    ]);
    expect(known).toEqual([true, false, false]);
    expect(await receivedWebhooks.list('live', SLOT_MS)).toEqual([{ ...tip('a'), slotMs: SLOT_MS }]);
    expect(await receivedWebhooks.list('live', SLOT_MS + 1)).toEqual([]);
    expect(await countDeliveries(store)).toBe(1);
  });

  test('a commit with a known key writes nothing, and other rules and keys are not affected', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleStates.commit(received('a', 0));
    const decisions = [{ rule: 'live', atMs: SLOT_MS, outcome: 'fired', message: 'a second firing' }] as const;

    const repeated = await store.ruleStates.commit({ ...received('a', 1), decisions });

    expect(repeated).toBe(false);
    expect((await store.ruleStates.load('live')).slotMs).toBe(SLOT_MS);
    expect((await store.decisions.list()).items).toEqual([]);
    expect(await countDeliveries(store)).toBe(1);
    expect(await store.ruleStates.commit(received('b', 2))).toBe(true);
    expect(await store.ruleStates.commit(committing([], { rule: 'other', slotMs: SLOT_MS, received: tip('a') }))).toBe(true);
    const keys = (await store.receivedWebhooks.list('live', 0)).map(({ key }) => key);
    expect(keys).toEqual(['a', 'b']);
  });

  test('a commit that is refused or fails stores no key, and its repetition fires', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + MINUTE_MS }));
    const unwritable = { rule: 'live', atMs: Number.NaN, outcome: 'fired', message: 'its instant is no number' } as const;

    const late = await store.ruleStates.commit(received('a', 1));
    const outdated = await store.ruleStates.commit({ ...received('a', 2), afterMs: SLOT_MS });
    const failed = store.ruleStates.commit({ ...received('a', 3), decisions: [unwritable] });

    expect([late, outdated]).toEqual([false, false]);
    await expect(failed).rejects.toThrow(/at_ms|integer|bigint/iu);
    expect(await store.receivedWebhooks.has('live', 'a')).toBe(false);
    expect(await countDeliveries(store)).toBe(0);
    expect(await store.ruleStates.commit(received('a', 4))).toBe(true);
    expect(await countDeliveries(store)).toBe(1);
  });

  test('fields are stored for 8 days and keys for 400 days', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { receivedWebhooks, ruleStates } = store;
    await ruleStates.commit(received('a', 0));
    const pruneAt = async (atMs: number) => {
      clock.set(atMs);
      await ruleStates.commit(committing([], { rule: 'other', slotMs: atMs }));
      return { known: await receivedWebhooks.has('live', 'a'), listed: (await receivedWebhooks.list('live', 0)).length };
    };

    expect(await pruneAt(SLOT_MS + 8 * DAY_MS)).toEqual({ known: true, listed: 1 });
    expect(await pruneAt(SLOT_MS + 8 * DAY_MS + MINUTE_MS)).toEqual({ known: true, listed: 0 });
    for (const days of [150, 300]) await pruneAt(SLOT_MS + days * DAY_MS);
    expect(await pruneAt(SLOT_MS + 400 * DAY_MS)).toEqual({ known: true, listed: 0 });
    expect(await ruleStates.commit({ ...received('a', 0), slotMs: clock.nowMs() })).toBe(false);
    expect(await pruneAt(SLOT_MS + 400 * DAY_MS + MINUTE_MS)).toEqual({ known: false, listed: 0 });
  });

  test('a renamed rule knows the webhooks of both ids', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleStates.commit(received('a', 0));
    await store.ruleStates.commit(received('both', 1));
    await store.ruleStates.commit(committing([], { rule: 'tips', slotMs: SLOT_MS + 2, received: tip('both', 5) }));
    await store.ruleStates.commit(committing([], { rule: 'tips', slotMs: SLOT_MS + 3, received: tip('b') }));

    expect(await store.ruleStates.rename({ from: 'live', to: 'tips' })).toBe(true);

    const listed = await store.receivedWebhooks.list('tips', 0);
    expect(listed.map(({ key, item }) => [key, item['amount']])).toEqual([
      ['a', 3],
      ['both', 5],
      ['b', 3],
    ]);
    expect(await store.receivedWebhooks.list('live', 0)).toEqual([]);
    const laterMs = SLOT_MS + 60 * MINUTE_MS;
    const repeated = ['a', 'both', 'b'].map(
      async (key) => await store.ruleStates.commit(committing([], { rule: 'tips', slotMs: laterMs, received: tip(key) })),
    );
    expect(await Promise.all(repeated)).toEqual([false, false, false]);
  });

  test('simultaneous commits of several workers fire once per key, and the sum of a rule has each payload once', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const [rule = expect.fail('the rule has errors')] = rulesOf(TIPS);
    const tips = Array.from({ length: 16 }, (_, n) => tip(`t${n}`, n + 1));
    const total = tips.reduce((sum, { item }) => sum + Number(item['amount']), 0);
    let tries = 0;
    let wins = 0;

    /** Tries one commit. */
    async function tryOnce(webhook: ReceivedWebhook): Promise<boolean> {
      const state = await store.ruleStates.load('live');
      const slotMs = SLOT_MS + ++tries;
      const made = advance({ rule, state, slotMs, webhook });
      return store.ruleStates.commit({ rule: 'live', slotMs, afterMs: state.slotMs ?? 0, ...made, received: webhook });
    }

    for (let n = 0; n < tips.length; n += 2) {
      const pair = tips.slice(n, n + 2);
      // Each payload comes to two workers at the same time, while they also have another payload.
      const waiting = new Set([...pair, ...pair].map((webhook) => ({ webhook })));
      while (waiting.size > 0) {
        const round = [...waiting];
        const results = await Promise.all(round.map(({ webhook }) => tryOnce(webhook)));
        wins += results.filter(Boolean).length;
        for (const one of round) if (await store.receivedWebhooks.has('live', one.webhook.key)) waiting.delete(one);
      }
    }

    const { memory } = await store.ruleStates.load('live');
    const { items } = await store.deliveryLog.list({ limit: 500 });
    const fired = items.map(({ item }) => item?.key ?? '');
    expect(wins).toBe(tips.length);
    expect(tries).toBeGreaterThan(wins);
    expect(memory.kept).toEqual({ total });
    expect(fired.toSorted()).toEqual(tips.map(({ key }) => key).toSorted());
    expect(await store.receivedWebhooks.list('live', 0)).toHaveLength(tips.length);
  });
}
