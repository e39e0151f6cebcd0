import { expect, test } from 'vitest';
import { NEW_STATE } from '#src/rules/episode.ts';
import { committing, creating, episodeOf, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { begin, find, settle, type OpenDeliveries } from './delivery-steps.ts';

/** The questions of the delivery engine about other deliveries of an episode before an attempt. */
export function episodeDeliveriesContract(open: OpenDeliveries): void {
  test('a section of an episode has open deliveries until the last one is settled', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const opening = firing([creating(['x']), creating(['y'])]);
    const others = [
      firing([creating(['x'])], { rule: 'other' }),
      firing([creating(['x'])], { episode: 'grace@1' }),
      firing([setting(['x'])], { section: 'while' }),
    ];
    await store.ruleStates.commit(committing([opening, ...others]));
    const states: boolean[] = [];

    for (const key of keysOf(opening)) {
      states.push(await store.deliveries.hasOpen(opening));
      await settle(store, key, { state: 'sent' });
    }

    expect([...states, await store.deliveries.hasOpen(opening)]).toEqual([true, true, false]);
  });

  test('the last results of an episode are of the last sent delivery of a step and account, and of later ones that may be sent', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const card = creating(['x', 'y'], { id: 'card' });
    const firings = ['1', '2', '3', '4'].map((occasion) => firing([card, creating(['x'], { id: 'other' })], { occasion }));
    const others = [
      firing([card], { rule: 'other', occasion: '5' }),
      firing([card], { episode: 'grace@1', occasion: '5' }),
      firing([card], { section: 'finally', occasion: '5' }),
    ];
    for (const [index, one] of [...firings, ...others].entries()) {
      await store.ruleStates.commit(committing([one], { rule: one.rule, slotMs: SLOT_MS + index }));
    }
    const keys = firings.map(keysOf);
    for (const [x, y] of keys.slice(0, 2)) {
      await settle(store, x, { state: 'sent', result: { id: x ?? '' } });
      await settle(store, y, { state: 'sent', result: { id: y ?? '' } });
    }
    await settle(store, keys[2]?.[0], { state: 'failed', error: { fault: 'rejected', message: 'no' } });
    await settle(store, keys[2]?.[1], { state: 'skipped', message: 'nothing to send' });

    const found = await store.deliveries.ofEpisode({ rule: 'live', episode: 'ada@1' }, ['card']);

    expect(found.map(({ id, account, state }) => [id, account, state])).toEqual([
      [keys[1]?.[0], 'x', 'sent'],
      [keys[1]?.[1], 'y', 'sent'],
      [keys[3]?.[0], 'x', 'pending'],
      [keys[3]?.[1], 'y', 'pending'],
    ]);
  });

  test('a firing needs the last results of its episode that it reads, and other firings do not', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const [first, second] = [firing([creating(['x'], { id: 'card' })]), firing([creating(['x'], { id: 'card' })], { occasion: '2' })];
    const [reading, plain] = [
      firing([setting(['y'], { reads: ['@card'] })], { occasion: '3' }),
      firing([setting(['y'], { reads: ['card'] })], { occasion: '4' }),
    ];
    await store.ruleStates.commit(committing([first]));
    await settle(store, keysOf(first)[0], { state: 'sent', result: { id: '1' } });
    await store.ruleStates.commit(committing([second, reading, plain], { slotMs: SLOT_MS + 1 }));

    const needed = await store.deliveries.needed(keysOf(reading)[0] ?? '');
    expect(needed.map(({ id, firing: of, reads }) => [id, of, reads])).toEqual([
      [keysOf(first)[0], first.id, true],
      [keysOf(second)[0], second.id, true],
    ]);
    expect(await store.deliveries.needed(keysOf(plain)[0] ?? '')).toEqual([]);
  });

  test('a message is unedited while only the delivery of its episode that sent it was attempted', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const [made, edited] = [firing([creating(['x'])]), firing([setting(['x'])], { section: 'while' })];
    await store.ruleStates.commit(committing([made, edited]));
    const edit = await find(store, keysOf(edited)[0]);
    const unedited = (more = {}) => store.deliveries.unedited({ ...edit, ...more }, '1');
    const [params, result] = [{ content: 'hi' }, { id: '1' }];
    const before = await unedited();

    await begin(store, keysOf(made)[0], { params });
    const sending = await unedited();
    await store.deliveries.change(await find(store, keysOf(made)[0]), { state: 'sent', result });
    const others = [{ rule: 'other' }, { episode: 'grace@1' }, { account: 'y' }];

    expect([before, sending]).toEqual([undefined, undefined]);
    expect(await unedited()).toMatchObject({ params, result });
    for (const other of others) expect(await unedited(other)).toBeUndefined();
    expect(await store.deliveries.unedited(edit, '2')).toBeUndefined();
    await settle(store, edit.id, { state: 'failed', error: { fault: 'rejected', message: 'no' } }, { params: { message: '1' } });
    expect(await unedited()).toMatchObject({ params, result });
    expect(await unedited({ id: 'another' })).toBeUndefined();
  });

  test('a message that was sent without a part is not unedited', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const made = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([made]));
    const omitted = [{ parameter: 'files', index: 0, message: 'too large' }];

    await settle(store, keysOf(made)[0], { state: 'sent', result: { id: '1' }, omitted });

    expect(await store.deliveries.unedited({ ...made, id: 'edit', account: 'x' }, '1')).toBeUndefined();
  });

  test('an edited record has the pings of the delivery that made it, and the result of the last one that was sent', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const firings = ['1', '2', '3', '4'].map((occasion) => firing([setting(['x', 'y'])], { occasion }));
    await store.ruleStates.commit(committing(firings));
    const [first, second, failed, other] = firings.map(keysOf);
    const delivery = await find(store, failed?.[0]);
    const before = await store.deliveries.edited(delivery, '1');

    await settle(store, first?.[0], { state: 'sent', result: { id: '1' } }, { params: { mention: ['Live'] } });
    const made = await store.deliveries.edited(delivery, '1');
    await settle(store, second?.[0], { state: 'sent', result: { id: '1', warning: 'Gore' } }, { params: { content: 'hi' } });
    await settle(store, failed?.[0], { state: 'failed', error: { fault: 'rejected', message: 'no' } }, { params: { mention: ['News'] } });
    await settle(store, other?.[0], { state: 'sent', result: { id: '2' } });
    await settle(store, first?.[1], { state: 'sent', result: { id: '1', warning: 'Nudity' } });

    expect(before).toBeUndefined();
    expect(made).toEqual({ mention: ['Live'], result: { id: '1' } });
    expect(await store.deliveries.edited(delivery, '1')).toEqual({ mention: ['Live'], result: { id: '1', warning: 'Gore' } });
    expect(await store.deliveries.edited({ ...delivery, account: 'y' }, '1')).toEqual({ result: { id: '1', warning: 'Nudity' } });
  });

  test.for(['message', 'post', 'event'])(
    'a %s is known as missing if a delivery of the episode with the same operation and account found it missing',
    async (parameter) => {
      await using store = await open(new ManualClock(SLOT_MS));
      const [first, second] = [firing([setting(['x'])]), firing([setting(['x'])], { section: 'while' })];
      await store.ruleStates.commit(committing([first, second]));
      const error = { fault: 'missing', message: 'no such message' } as const;
      const params = { [parameter]: '1', content: 'hello' };
      const later = await find(store, keysOf(second)[0]);

      await settle(store, keysOf(first)[0], { state: 'failed', error: { ...error, fault: 'rejected' } }, { params });
      const before = await store.deliveries.isKnownMissing(later, '1');
      await store.deliveries.change(await find(store, keysOf(first)[0]), { state: 'sent', error });
      const sent = await store.deliveries.isKnownMissing(later, '1');
      await store.deliveries.change(await find(store, keysOf(first)[0]), { state: 'failed', error });

      expect([before, sent, await store.deliveries.isKnownMissing(later, '1')]).toEqual([false, false, true]);
      const others = [{ rule: 'other' }, { episode: 'grace@1' }, { account: 'y' }, { do: 'discord.delete' }];
      for (const other of others) expect(await store.deliveries.isKnownMissing({ ...later, ...other }, '1')).toBe(false);
      expect(await store.deliveries.isKnownMissing(later, '2')).toBe(false);
    },
  );

  test.for([
    ['message', 'discord.delete'],
    ['post', 'social.deletePost'],
    ['event', 'discord.deleteEvent'],
  ] as const)(
    'a %s is known as missing if another firing of the episode deleted it through the same account',
    async ([parameter, verb]) => {
      await using store = await open(new ManualClock(SLOT_MS));
      const [first, second] = [firing([setting(['x'], { do: verb })]), firing([setting(['x'])], { section: 'while' })];
      await store.ruleStates.commit(committing([first, second]));
      const later = await find(store, keysOf(second)[0]);
      const before = await store.deliveries.isKnownMissing(later, '1');

      await settle(store, keysOf(first)[0], { state: 'sent' }, { params: { [parameter]: '1' } });

      expect([before, await store.deliveries.isKnownMissing(later, '1')]).toEqual([false, true]);
      const deletion = await find(store, keysOf(first)[0]);
      for (const other of [{ rule: 'other' }, { episode: 'grace@1' }, { account: 'y' }, { firing: deletion.firing }])
        expect(await store.deliveries.isKnownMissing({ ...later, ...other }, '1')).toBe(false);
      expect(await store.deliveries.isKnownMissing(later, '2')).toBe(false);
    },
  );

  test('the role changes of a member in open episodes are found, and those that the account is sending', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const of = { ada: 'ada@1', grace: 'grace@1', closed: 'linus@1' };
    const accounts = ['x', 'y', 'z'];
    const firings = Object.values(of).map((episode) => firing([setting(accounts, { do: 'discord.addRole' })], { episode }));
    const edit = firing([setting(['x'])], { episode: of.grace, section: 'while' });
    const put = Object.values(of).map((id) => ({
      ...episodeOf(id),
      ...(id === of.closed && { phase: 'closed' as const, closedMs: SLOT_MS }),
    }));
    await store.ruleStates.commit(committing([...firings, edit], { change: { memory: NEW_STATE.memory, put, drop: [] } }));
    const [ada, grace, closed] = firings.map(keysOf);
    const [params, result] = [{ user: '9' }, { id: '9' }];

    for (const key of [grace?.[0], ada?.[1], closed?.[0], ...keysOf(edit)]) await settle(store, key, { state: 'sent', result }, { params });
    await settle(store, grace?.[1], { state: 'failed', error: { fault: 'missing', message: 'no' } });
    for (const key of [ada?.[0], ada?.[2], closed?.[2]]) await begin(store, key, { params });

    const found = async (user: string, episode: string) =>
      (await store.deliveries.roleChanges({ rule: 'live', episode, account: 'x' }, user)).map((one) => [
        one.rule,
        one.episode,
        one.account,
        one.do,
        one.params,
        one.result,
      ]);
    const sending = ['live', of.ada, 'x', 'discord.addRole', params, undefined];
    const sent = [
      sending,
      ['live', of.ada, 'y', 'discord.addRole', params, result],
      ['live', of.grace, 'x', 'discord.addRole', params, result],
    ];
    expect(await found('8', 'other@1')).toEqual([sending]);
    expect(await found('9', 'other@1')).toEqual(sent);
    // The episode added a role to a member with another name.
    expect(await found('linus', of.closed)).toEqual(sent);
  });
}
