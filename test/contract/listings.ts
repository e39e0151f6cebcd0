import { expect, test } from 'vitest';
import type { Delivery, DeliveryState } from '#src/engine/delivery/delivery.ts';
import { isOfServer } from '#src/engine/delivery/server-deliveries.ts';
import { withDeliveryMessage } from '#src/engine/delivery/reason.ts';
import { withStepMessage } from '#src/rules/messages/format-step-reason.ts';
import { CursorError } from '#src/errors.ts';
import type { Decision, Outcome } from '#src/rules/decision.ts';
import { committing, creating, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { settle } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

/** The contract of the lists of deliveries and decisions. */
export function listingsContract(open: OpenStore): void {
  test('the pages of a list are newest first, and contain each delivery once', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const accounts = Array.from({ length: 7 }, (_, n) => `a${n}`);
    await store.ruleStates.commit(committing([firing([creating(accounts)])]));

    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await store.deliveryLog.list({ limit: 3, cursor });
      pages.push(page.items.map(({ account }) => account));
      ({ cursor } = page);
    } while (cursor !== undefined);

    expect(pages).toEqual([['a6', 'a5', 'a4'], ['a3', 'a2', 'a1'], ['a0']]);
  });

  test('each failed attempt is kept with its instant, in order', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x', 'mastodon'])]);
    await store.ruleStates.commit(committing([fired]));
    const [key = '', other = ''] = keysOf(fired);
    const fail = async (minute: number, fault: 'unavailable' | 'rateLimited') => {
      const attemptedAt = new Date(SLOT_MS + minute * 60_000);
      const found = await store.deliveries.find(key);
      if (!found) throw new Error('no delivery');
      await store.deliveries.change(found, { state: 'sending', attempts: minute, attemptedAt });
      const error = { fault, message: `attempt ${minute}` };
      await store.deliveries.change({ ...found, state: 'sending' }, { state: 'pending', error });
      // A later change without another error is no attempt.
      await store.deliveries.change({ ...found, state: 'pending' }, { state: 'pending', dueAt: new Date(SLOT_MS + minute * 90_000) });
    };

    await fail(1, 'unavailable');
    await fail(3, 'rateLimited');
    await settle(store, other, { state: 'sent' });

    expect(await store.deliveryLog.failedAttempts(key)).toEqual([
      { atMs: SLOT_MS + 60_000, fault: 'unavailable', message: 'attempt 1' },
      { atMs: SLOT_MS + 180_000, fault: 'rateLimited', message: 'attempt 3' },
    ]);
    expect(await store.deliveryLog.failedAttempts(other)).toEqual([]);
  });

  test('a list that ends with a full page has no cursor', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleStates.commit(committing([firing([creating(['x', 'mastodon'])])]));

    const page = await store.deliveryLog.list({ limit: 2 });

    expect(page.items).toHaveLength(2);
    expect(page.cursor).toBeUndefined();
  });

  test('the decisions of a rule are found by a text in their messages, in any letter case', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const messages = ['Ada is live', 'Ärger is live, not announced: 100% \\ paused', 'the end'];
    const decisions = messages.map((message) => ({ rule: 'live', atMs: SLOT_MS, outcome: 'suppressed' as const, message }));
    await store.ruleStates.commit(committing([], { decisions }));
    const found = async (text: string) => (await store.decisions.list({ rule: 'live', text })).items.map(({ message }) => message);

    expect(await found('aDA')).toEqual(['Ada is live']);
    expect(await found('is live')).toEqual([messages[1], messages[0]]);
    expect(await found('ärger')).toEqual([messages[1]]);
    expect(await found('100% \\')).toEqual([messages[1]]);
    expect(await found('nobody')).toEqual([]);
  });

  test('a forged cursor is rejected', async () => {
    await using store = await open(new ManualClock(SLOT_MS));

    await expect(store.deliveryLog.list({ cursor: '1; drop table delivery' })).rejects.toThrow(CursorError);
    await expect(store.decisions.list({ cursor: '' })).rejects.toThrow(CursorError);
  });

  test('skipped `while` steps are listed only with `idle`, and not counted', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const steps = [setting(['x', 'mastodon', 'discord'])];
    const fired = (['then', 'while', 'finally'] as const).map((section) => firing(steps, { section }));
    await store.ruleStates.commit(committing(fired));
    for (const keys of fired.map(keysOf)) {
      for (const key of keys.slice(0, 2)) {
        const delivery = await store.deliveries.find(key);
        if (delivery) await store.deliveries.change(delivery, { state: 'skipped', message: 'if: item.viewerCount > 100 is false' });
      }
    }

    const { items } = await store.deliveryLog.list();
    const { items: all } = await store.deliveryLog.list({ idle: true });

    expect(items.map(({ section, state }) => `${section} ${state}`)).toEqual([
      'finally pending',
      'finally skipped',
      'finally skipped',
      'while pending',
      'then pending',
      'then skipped',
      'then skipped',
    ]);
    expect(all).toHaveLength(9);
    expect(new Set(await store.deliveryLog.counts())).toEqual(
      new Set([
        { state: 'pending', count: 3 },
        { state: 'skipped', count: 4 },
      ]),
    );
  });

  test('deliveries are listed by rule, episode, account and state', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const ada = firing([creating(['x', 'mastodon'])]);
    await store.ruleStates.commit(committing([ada, firing([creating(['x'])], { episode: 'grace@1' })]));
    await store.ruleStates.commit(committing([firing([creating(['x'])], { rule: 'other' })], { rule: 'other' }));
    await settle(store, ada.steps[1]?.key, { state: 'failed', error: { fault: 'forbidden', message: 'no' } });
    const count = async (filter: object) => (await store.deliveryLog.list(filter)).items.length;

    const counts = await Promise.all(
      [{}, { rule: 'live' }, { episode: 'grace@1' }, { account: 'x' }, { state: 'failed' }, { account: 'x', state: 'failed' }].map(count),
    );

    expect(counts).toEqual([4, 3, 1, 3, 1, 0]);
  });

  test('a delivery keeps the item, its picture and the text version of its rule', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const item = { key: 'twitch/1', name: 'Ada', picture: 'https://example.test/ada.png' };
    const fired = firing([creating(['x'], { forEach: 'a,b' })], { item, textVersion: 'v1' });
    await store.ruleStates.commit(committing([fired, firing([creating(['x'])], { rule: 'post' })]));
    const delivery = await store.deliveries.find(keysOf(fired)[0] ?? '');
    const parts = ['a', 'b'].map((key, index) => ({ id: key, element: { key, it: key, index } }));
    if (delivery) await store.deliveries.change(delivery, { state: 'skipped' }, { parts });

    const { items } = await store.deliveryLog.list();

    expect(items.map((one) => [one.rule, one.item, one.textVersion])).toEqual([
      ['live', item, 'v1'],
      ['live', item, 'v1'],
      ['post', undefined, undefined],
      ['live', item, 'v1'],
    ]);
    expect((await store.deliveryLog.list({ item: 'twitch/1' })).items).toHaveLength(3);
    expect((await store.deliveryLog.list({ item: 'Ada' })).items).toEqual([]);
  });

  test('a search finds the words of all rendered texts of a delivery until its parameters change', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const embed = { title: 'ÄRGER – in Köln', fields: [{ name: 'Spiel', value: '東京' }], url: 'https://example.test/secret' };
    const params = { content: 'Ada_Lovelace is live: 1,200 viewers', embed, channel: 'news', files: [{ path: 'a.png', altText: 'a cat' }] };
    await settle(store, fired.steps[0]?.key, { state: 'failed' }, { params });
    const found = async (text: string) => (await store.deliveryLog.list({ text })).items.length;

    const words = ['lovelace', 'ADA live', 'ärger', 'köln spiel', '京', '東', 'cat', '200 "viewers"', 'live!'];
    expect(await Promise.all(words.map(found))).toEqual(words.map(() => 1));
    const others = ['love', 'koln', 'secret', 'news', 'png', 'live grace', "ada' or 1", 'ada NOT live', 'live*', '%'];
    expect(await Promise.all(others.map(found))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);

    const delivery = await store.deliveries.find(keysOf(fired)[0] ?? '');
    if (delivery) await store.deliveries.change(delivery, { state: 'pending', params: undefined });
    expect(await found('lovelace')).toBe(0);
  });

  test('the edits of a card by `while` are one entry for each account, with their number; each new record is an entry', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = ['1', '2', '3'].map((occasion) =>
      firing([setting(['discord', 'guests']), creating(['x'])], { section: 'while', occasion }),
    );
    await store.ruleStates.commit(committing([firing([setting(['discord'])]), ...fired]));
    for (const [index, keys] of fired.map(keysOf).entries()) {
      for (const [place, key] of keys.entries()) {
        // In the second server the last one failed.
        const end = index === 2 && place === 1 ? ({ state: 'failed' } as const) : ({ state: 'sent' } as const);
        await settle(store, key, end);
      }
    }

    const sent = await store.deliveryLog.latest({ states: ['sent'], limit: 9 });
    const two = await store.deliveryLog.latest({ states: ['sent', 'failed', 'pending'], rule: 'live', limit: 2 });
    const rest = await store.deliveryLog.latest({ states: ['failed', 'pending'], limit: 9 });

    const summary = (all: typeof sent) => all.map(({ delivery, times }) => [delivery.account, delivery.occasion, times]);
    expect(summary(sent)).toEqual([
      ['x', '3', 1],
      ['discord', '3', 3],
      ['x', '2', 1],
      ['guests', '2', 2],
      ['x', '1', 1],
    ]);
    expect(summary(two)).toEqual([
      ['x', '3', 1],
      ['guests', '3', 1],
    ]);
    expect(summary(rest)).toEqual([
      ['guests', '3', 1],
      ['discord', '1', 1],
    ]);
    expect(await store.deliveryLog.latest({ states: ['sent'], rule: 'other', limit: 9 })).toEqual([]);
  });

  test('a step that only read is in the list of all deliveries, and is no sent one', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const lookUp = firing([creating(['x'], { do: 'social.getUserInfo', creates: false, with: {} })], { occasion: '2' });
    const post = firing([creating(['x']), creating(['x'], { do: 'social.ofAnEarlierVersion' })]);
    await store.ruleStates.commit(committing([post, lookUp]));
    const keys = [...keysOf(post), ...keysOf(lookUp)];
    for (const key of keys) await settle(store, key, { state: 'sent', sentAt: new Date(SLOT_MS + 5), result: { id: key } });

    const log = store.deliveryLog;
    const ids = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id).toSorted();
    const sent = keysOf(post).toSorted();
    expect(ids((await log.list()).items)).toEqual(keys.toSorted());
    expect(ids((await log.list({ state: 'sent' })).items)).toEqual(sent);
    expect(ids((await log.list({ state: 'sent', account: 'x' })).items)).toEqual(sent);
    expect(ids((await log.latest({ states: ['sent'], limit: 9 })).map(({ delivery }) => delivery))).toEqual(sent);
    expect(await log.counts()).toEqual([{ state: 'sent', count: 2 }]);
    expect(await log.lagsMs(9)).toHaveLength(2);
    expect(await log.of(keysOf(lookUp)[0] ?? '')).toEqual([]);
  });

  test('the deliveries of a server are those of its entries, and those through its accounts that are of no other server', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const [own, other] = ['1202584131993600001', '1202584131997794305'];
    const keys = [undefined, 'ada', `followed/${own}/ada`, `followed/${other}/ada`, 'followers'];
    const of = { server: own, accounts: ['main'] };
    const fired = keys.map((key, index) =>
      firing([creating(['main', 'berlin'])], { occasion: `${index}`, ...(key !== undefined && { item: { key, name: 'Ada' } }) }),
    );
    await store.ruleStates.commit(committing(fired));
    const all = (await store.deliveryLog.list({ limit: 20 })).items;

    const found = await store.deliveryLog.latest({ states: ['pending'], of, limit: 20 });

    const shown = (one: Pick<Delivery, 'account' | 'item'>): string => `${one.account} ${one.item?.key}`;
    expect(found.map(({ delivery }) => shown(delivery))).toEqual([
      'main followers',
      `berlin followed/${own}/ada`,
      `main followed/${own}/ada`,
      'main ada',
      'main undefined',
    ]);
    expect(all.filter((one) => isOfServer(one, of)).map(shown)).toEqual(found.map(({ delivery }) => shown(delivery)));
  });

  test('skipped steps that had nothing to do are only among the skipped ones, and those of a rule', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = ['1', '2', '3', '4'].map((occasion) => firing([creating(['x'])], { occasion }));
    await store.ruleStates.commit(committing(fired));
    const falsehood = { kind: 'values', values: [] } as never; // its text is not read
    for (const [index, change] of [
      { state: 'sent' } as const,
      { state: 'skipped', message: 'no', reason: { kind: 'stepIf', condition: falsehood } } as const,
      { state: 'skipped', message: 'no', reason: { kind: 'tooLate', untilMs: 0 } } as const,
      { state: 'skipped', message: 'of an earlier version' } as const,
    ].entries())
      await settle(store, keysOf(fired[index] ?? firing([]))[0], change);
    const shown = async (states: readonly DeliveryState[], rule?: string) =>
      (await store.deliveryLog.latest({ states, rule, limit: 9 })).map(({ delivery }) => delivery.occasion);

    expect(await shown(['sent', 'skipped'])).toEqual(['4', '3', '1']);
    expect(await shown(['skipped'])).toEqual(['4', '3', '2']);
    expect(await shown(['sent', 'skipped'], 'live')).toEqual(['4', '3', '2', '1']);
  });

  test('the failed edits of a card are one entry', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const edits = ['1', '2', '3', '4'].map((occasion) => firing([setting(['discord'])], { section: 'while', occasion }));
    await store.ruleStates.commit(committing(edits));
    for (const [index, edit] of edits.entries()) await settle(store, keysOf(edit)[0], { state: index === 0 ? 'sent' : 'failed' });

    const failed = await store.deliveryLog.latest({ states: ['failed'], limit: 9 });

    expect(failed.map(({ delivery, times }) => [delivery.occasion, times])).toEqual([['4', 3]]);
  });

  test('the newest failure of a rule is found until its step succeeds', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const error = { fault: 'forbidden', message: 'Send Messages is denied' } as const;
    const fired = ['1', '2', '3'].map((occasion) => firing([creating(['discord']), creating(['x'])], { occasion }));
    const other = firing([creating(['discord'])], { rule: 'other' });
    await store.ruleStates.commit(committing(fired));
    await store.ruleStates.commit(committing([other], { rule: 'other' }));
    const [first, second, third] = fired.map(keysOf);
    for (const key of [first?.[0], second?.[0], keysOf(other)[0]]) await settle(store, key, { state: 'failed', error });
    for (const key of [first?.[1], second?.[1]]) await settle(store, key, { state: 'sent' });
    const failures = async (sinceMs = SLOT_MS) =>
      [...(await store.deliveryLog.failuresOf(['live', 'none'], sinceMs))].map(([rule, one]) => [rule, one.occasion, one.error?.message]);

    expect(await failures()).toEqual([['live', '2', error.message]]);
    expect(await failures(SLOT_MS + 1)).toEqual([]);
    await settle(store, third?.[1], { state: 'sent' });
    expect(await failures()).toHaveLength(1);
    await settle(store, third?.[0], { state: 'sent' });
    expect(await failures()).toEqual([]);
  });

  test('a delivery that fails after a day of retries counts from its failure', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const [slow, old] = ['1', '2'].map((occasion) => firing([creating(['discord'])], { occasion }));
    await store.ruleStates.commit(committing([slow, old].flatMap((one) => one ?? [])));
    const error = { fault: 'unavailable', message: 'HTTP 503' } as const;
    const failedMs = SLOT_MS + 25 * 3_600_000;
    await settle(store, slow && keysOf(slow)[0], { state: 'failed', error, settledAt: new Date(failedMs) });
    await settle(store, old && keysOf(old)[0], { state: 'failed', error, settledAt: new Date(SLOT_MS) });
    const sinceMs = failedMs - 24 * 3_600_000;

    expect(await store.deliveryLog.undelivered(sinceMs)).toEqual([{ rule: 'live', state: 'failed', count: 1 }]);
    expect([...(await store.deliveryLog.failuresOf(['live'], sinceMs)).values()]).toMatchObject([{ occasion: '1' }]);
    expect(await store.deliveryLog.undelivered(failedMs + 1)).toEqual([]);
  });

  test('the message and the reason of a delivery are stored until they are cleared', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([setting(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const cause = withDeliveryMessage({ kind: 'earlierStepFailed', step: 'post', account: 'x' });
    const [delivery] = (await store.deliveryLog.list()).items;

    const skipped = delivery && (await store.deliveries.change(delivery, { state: 'skipped', ...cause }));
    const again = skipped && (await store.deliveries.change(skipped, { state: 'pending', message: undefined }));

    expect(skipped).toMatchObject(cause);
    expect([again?.message, again?.reason]).toEqual([undefined, undefined]);
  });

  test('a withdrawn delivery has the message and the reason of the withdrawal', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([setting(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const withdrawal = { rule: 'live', of: { queue: fired.queue }, section: 'then', ...withStepMessage({ kind: 'replaced' }) } as const;

    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 1, withdrawals: [withdrawal] }));

    expect((await store.deliveryLog.list()).items).toMatchObject([{ state: 'skipped', ...withStepMessage({ kind: 'replaced' }) }]);
  });

  test('decisions are listed newest first, by rule, outcome and item', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = decision('fired', { item: 'ada', episode: 'ada@1', details: { viewers: 1_200 } });
    const suppressed = decision('suppressed', { item: 'grace', message: 'cooldown: 10m of 6h are over', reason: { kind: 'scheduledRun' } });
    await store.ruleStates.commit(committing([], { decisions: [fired, suppressed] }));

    expect((await store.decisions.list()).items).toEqual([suppressed, fired]);
    expect((await store.decisions.list({ outcome: 'fired' })).items).toEqual([fired]);
    expect((await store.decisions.list({ rule: 'live', item: 'grace' })).items).toEqual([suppressed]);
    expect((await store.decisions.list({ rule: 'other' })).items).toEqual([]);
  });

  test('deliveries are counted by state, and decisions by rule and outcome', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x', 'mastodon', 'discord'])]);
    const decisions = [decision('fired'), decision('unchanged'), decision('unchanged')];
    await store.ruleStates.commit(committing([fired], { decisions }));
    await settle(store, fired.steps[0]?.key, { state: 'sent' });

    expect(new Set(await store.deliveryLog.counts())).toEqual(
      new Set([
        { state: 'pending', count: 2 },
        { state: 'sent', count: 1 },
      ]),
    );
    expect(new Set(await store.decisions.counts())).toEqual(
      new Set([
        { rule: 'live', outcome: 'fired', count: 1 },
        { rule: 'live', outcome: 'unchanged', count: 2 },
      ]),
    );
  });

  test('the deliveries of a record are listed in their order, with their slot and the instant at which they were wanted', async () => {
    await using store = await open(new ManualClock(SLOT_MS + 500));
    const card = firing([creating(['discord'])]);
    const edit = firing([setting(['discord'], { afterMs: 60_000 })], { section: 'finally', atMs: SLOT_MS + 1_000 });
    const other = firing([creating(['discord'])], { occasion: '2' });
    await store.ruleStates.commit(committing([card, edit, other]));
    for (const [index, one] of [card, edit, other].entries()) {
      const sentAt = new Date(SLOT_MS + 70_000);
      await settle(store, one.steps[0]?.key, { state: 'sent', sentAt, result: { id: index === 2 ? '1/3' : '1/2' } });
    }

    const made = await store.deliveryLog.of('1/2');

    expect(made.map(({ delivery, slotMs, wantedMs }) => [delivery.section, slotMs - SLOT_MS, wantedMs - SLOT_MS])).toEqual([
      ['then', 0, 0],
      ['finally', 1_000, 61_000],
    ]);
    expect(await store.deliveryLog.of('1/4')).toEqual([]);
    expect(await store.deliveryLog.lagsMs(2)).toEqual([70_000, 9_000]);
  });

  test('decisions over the limit of 50 delete no decision of another outcome or rule', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = decision('fired', { message: 'ada went live' });
    await store.ruleStates.commit(committing([], { decisions: [fired] }));
    await store.ruleStates.commit(committing([], { rule: 'other', decisions: [decision('unchanged', { rule: 'other' })] }));

    for (let n = 1; n <= 60; n++) {
      const quiet = decision('unchanged', { message: `poll ${n}` });
      await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + n, decisions: [quiet, quiet] }));
    }

    const { items } = await store.decisions.list({ limit: 1_000 });
    expect(items.filter(({ rule, outcome }) => rule === 'live' && outcome === 'unchanged')).toHaveLength(50);
    expect(items[0]).toMatchObject({ message: 'poll 60' });
    expect(items.filter(({ outcome }) => outcome === 'fired')).toEqual([fired]);
    expect(items.filter(({ rule }) => rule === 'other')).toHaveLength(1);
  });
}

function decision(outcome: Outcome, more: Partial<Decision> = {}): Decision {
  return { rule: 'live', atMs: SLOT_MS, outcome, message: 'nothing changed', ...more };
}
