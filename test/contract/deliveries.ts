import { describe, expect, test } from 'vitest';
import type { Episode } from '#src/rules/episode.ts';
import type { Firing } from '#src/rules/firing.ts';
import { committing, creating, episodeOf, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { begin, find, settle, states, type OpenDeliveries } from './delivery-steps.ts';

const MINUTE_MS = 60_000;

/** The contract of deliveries. */
export function deliveriesContract(open: OpenDeliveries): void {
  test('a firing becomes one delivery for each step and account', async () => {
    const clock = new ManualClock(SLOT_MS + 5_000);
    await using store = await open(clock);
    const fired = firing([creating(['x', 'mastodon'], { id: 'post', maxAgeMs: MINUTE_MS }), setting(['discord'])]);

    await store.ruleStates.commit(committing([fired]));

    const { items } = await store.deliveryLog.list();
    expect(items.toReversed()).toMatchObject([
      {
        id: keysOf(fired)[0],
        step: 'post',
        account: 'x',
        do: 'social.createPost',
        creates: true,
        expiresAt: new Date(SLOT_MS + MINUTE_MS),
      },
      { id: keysOf(fired)[1], step: 'post', account: 'mastodon' },
      { id: keysOf(fired)[2], step: '1', account: 'discord', do: 'discord.edit', creates: false, expiresAt: undefined },
    ]);
    expect(items.every(({ state, attempts, createdAt }) => state === 'pending' && attempts === 0 && +createdAt === clock.nowMs())).toBe(
      true,
    );
  });

  test.for(['a\0', 'a\uD800'])('no delivery has the id %j', async (id) => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleStates.commit(committing([closing('1')]));

    expect(await store.deliveries.find(id)).toBeUndefined();
  });

  test.for(['sent', 'failed', 'unknown'] as const)('a second firing of a step that is %s creates no second delivery', async (state) => {
    await using store = await open(new ManualClock(SLOT_MS));
    const [first, second] = [closing('1'), closing('2')];
    await store.ruleStates.commit(committing([first]));
    await settle(store, keysOf(first)[0], { state, result: { id: 'r1' } });

    await store.ruleStates.commit(committing([second], { slotMs: SLOT_MS + MINUTE_MS }));

    expect(await states(store)).toEqual([['x', '1', state]]);
  });

  test('the same firing again does not decide a withdrawn step again', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const withdrawal = { rule: 'live', of: { episode: 'ada@1' }, section: 'finally', message: 'ada is back' } as const;
    await store.ruleStates.commit(committing([closing('1')]));
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 1, withdrawals: [withdrawal] }));

    await store.ruleStates.commit(committing([closing('1')], { slotMs: SLOT_MS + 2 }));

    expect(await states(store)).toEqual([['x', '1', 'skipped']]);
  });

  test('a withdrawn step becomes pending again with the next firing', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const withdrawal = { rule: 'live', of: { episode: 'ada@1' }, section: 'finally', message: 'ada is back' } as const;
    await store.ruleStates.commit(committing([closing('1')]));
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 1, withdrawals: [withdrawal] }));

    await store.ruleStates.commit(committing([closing('2')], { slotMs: SLOT_MS + 2 }));

    expect(await states(store)).toEqual([['x', '2', 'pending']]);
  });

  test('a withdrawal skips the pending deliveries of its section with its reason, and no others', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x']), creating(['mastodon']), creating(['discord'])]);
    await store.ruleStates.commit(committing([fired, firing([creating(['x'])], { episode: 'grace@1' })]));
    const [, mastodon, discord] = keysOf(fired);
    await begin(store, mastodon);
    await settle(store, discord, { state: 'sent' });

    await store.ruleStates.commit(
      committing([firing([creating(['x'])], { occasion: '2' })], {
        slotMs: SLOT_MS + 1,
        withdrawals: [{ rule: 'live', of: { episode: 'ada@1' }, section: 'then', message: 'restarted' }],
      }),
    );

    expect(await states(store)).toEqual([
      ['x', '1', 'skipped'],
      ['mastodon', '1', 'sending'],
      ['discord', '1', 'sent'],
      ['x', '1', 'pending'],
      ['x', '2', 'pending'],
    ]);
    expect(await find(store, keysOf(fired)[0])).toMatchObject({ message: 'restarted' });
  });

  test('of two changes to the same version of a delivery, one is written', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const delivery = await find(store, keysOf(fired)[0]);
    const begun = { state: 'sending', params: { text: 'hello' }, since: new Date(SLOT_MS), attempts: 1 } as const;

    const changes = await Promise.all([store.deliveries.change(delivery, begun), store.deliveries.change(delivery, begun)]);

    expect(changes.filter((one) => one !== undefined)).toHaveLength(1);
    expect(await find(store, delivery.id)).toEqual({ ...delivery, ...begun });
  });

  test('the end of an episode withdraws waiting steps that create a record, except begun steps and steps with `afterEnd`', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const afterMs = MINUTE_MS;
    const opening = firing([
      creating(['x']),
      creating(['bluesky'], { afterMs }),
      creating(['mastodon'], { afterMs, afterEnd: true }),
      setting(['discord'], { afterMs }),
      creating(['kick'], { afterMs }),
    ]);
    const over = { rule: 'live', of: { episode: 'ada@1' }, section: 'then', only: 'endsWithEpisode', message: 'over' } as const;
    await store.ruleStates.commit(committing([opening]));
    await settle(store, keysOf(opening).at(-1), { state: 'pending' });
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 1, withdrawals: [over] }));

    expect((await states(store)).map(([account, , state]) => [account, state])).toEqual([
      ['x', 'pending'],
      ['bluesky', 'skipped'],
      ['mastodon', 'pending'],
      ['discord', 'pending'],
      ['kick', 'pending'],
    ]);
  });

  test('a step that reads the result of a delayed step, even through another step, is due with the delayed step', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const opening = firing([creating(['x'], { id: 'late', afterMs: MINUTE_MS })]);
    const steps = [setting(['x'], { id: 'reader', reads: ['late'] }), setting(['x'], { reads: ['reader'] }), setting(['x'])];
    const closing = firing(steps, { section: 'finally', sees: [opening.id] });
    await store.ruleStates.commit(committing([opening]));
    await store.ruleStates.commit(committing([closing], { slotMs: SLOT_MS + 1 }));

    const its = await store.deliveries.load(keysOf(closing));
    const dueAt = new Map(its.map(({ id, dueAt: at }) => [id, +at - SLOT_MS]));
    expect(keysOf(closing).map((key) => dueAt.get(key))).toEqual([MINUTE_MS, MINUTE_MS, 0]);
    const due = await store.deliveries.due('x', { nowMs: SLOT_MS, limit: 10 });
    expect(due.map(({ id }) => id)).toEqual(keysOf(closing).slice(2));
  });

  test('a step is prepared with the current state of its episode', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const scope = { rule: { id: 'live' }, now: '2026-11-20T18:00:00Z', episode: { id: 'ada@1', open: true } };
    const fired = firing([creating(['x']), creating(['bluesky'], { afterMs: MINUTE_MS })], { scope });
    const episode = episodeOf('ada@1');
    const memory = { firings: 0, firedMs: {} };
    const change = (phase: Episode['phase'], closedMs?: number) => ({ memory, put: [{ ...episode, phase, closedMs }], drop: [] });
    const prepared = async () => {
      const all = await Promise.all(keysOf(fired).map(async (key) => store.deliveries.prepare(await find(store, key))));
      return all.map(({ due, isOver }) => [due.delivery.account, due.scope.episode?.['open'], isOver]);
    };
    await store.ruleStates.commit(committing([fired], { change: change('open') }));
    const before = await prepared();
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 1, change: change('closing') }));
    const whileClosing = await prepared();
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 2, change: change('closed', SLOT_MS + 2) }));

    expect(whileClosing).toEqual(before);
    expect(before).toEqual([
      ['x', true, false],
      ['bluesky', true, false],
    ]);
    expect(await prepared()).toEqual([
      ['x', false, false],
      ['bluesky', false, true],
    ]);
  });

  test('a change to a delivery that was withdrawn and created again is not written', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const [first, second] = [closing('1'), closing('2')];
    await store.ruleStates.commit(committing([first]));
    const withdrawn = await find(store, keysOf(first)[0]);
    const withdrawal = { rule: 'live', of: { episode: 'ada@1' }, section: 'finally', message: 'ada is back' } as const;
    await store.ruleStates.commit(committing([second], { slotMs: SLOT_MS + 1, withdrawals: [withdrawal] }));

    const changed = await store.deliveries.change(withdrawn, { state: 'sending' });

    expect(changed).toBeUndefined();
    expect(await states(store)).toEqual([['x', '2', 'pending']]);
  });

  test('a change clears the fields that it sets to undefined, and keeps the fields that it does not have', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'])]);
    await store.ruleStates.commit(committing([fired]));
    const failed = await begin(store, keysOf(fired)[0], { error: { fault: 'unavailable', message: 'down' }, message: 'later' });

    await store.deliveries.change(failed, { state: 'pending', error: undefined });

    const delivery = await find(store, failed.id);
    expect(delivery).toMatchObject({ params: { text: 'hello' }, message: 'later', attempts: 1 });
    expect(delivery.error).toBeUndefined();
  });

  test('a delivery is prepared with the step of its firing and the results that the step reads', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const [post, note] = [creating(['x', 'mastodon'], { id: 'post' }), creating(['x'], { id: 'note' })];
    const send = creating(['discord'], { reads: ['post', 'note'], with: { content: '${{ steps.post.url }}' } });
    const fired = firing([post, note, send], { scope: { rule: { id: 'live' }, now: '2026-11-20T18:00:00.000Z', item: { id: '41' } } });
    await store.ruleStates.commit(committing([fired]));
    const [onX, , noteOnX, onDiscord] = keysOf(fired);
    await settle(store, onX, { state: 'sent', result: { id: 'r1', url: 'https://x/r1' } });
    await settle(store, noteOnX, { state: 'failed', error: { fault: 'forbidden', message: 'no' } });

    const { due, results } = await store.deliveries.prepare(await find(store, onDiscord));

    expect(due).toMatchObject({ step: send, scope: fired.scope, names: fired.names });
    expect(results).toEqual({
      post: [{ account: 'x', result: { id: 'r1', url: 'https://x/r1' } }],
      note: [{ account: 'x', isFailed: true }],
    });
  });

  test('a step that reads `own` or `on.<account>` gets the result of this account only', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const post = creating(['x', 'mastodon'], { id: 'post' });
    const reply = creating(['x', 'mastodon'], { reads: ['post.own'] });
    const notify = creating(['discord'], { reads: ['post.on.mastodon'] });
    const fired = firing([post, reply, notify]);
    await store.ruleStates.commit(committing([fired]));
    const [onX, onMastodon, , mastodonReply, discord] = keysOf(fired);
    await settle(store, onX, { state: 'sent', result: { id: 'x1' } });
    await settle(store, onMastodon, { state: 'sent', result: { id: 'm1' } });

    const read = await Promise.all(
      [mastodonReply, discord].map(async (key) => (await store.deliveries.prepare(await find(store, key))).results),
    );

    const mastodons = { post: [{ account: 'mastodon', result: { id: 'm1' } }] };
    expect(read).toEqual([mastodons, mastodons]);
  });

  test('records that other deliveries of the account made in the period of a search are taken', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const others = ['old', 'yesterday', 'new'].map((id) => creating(['x'], { id }));
    const fired = firing([creating(['x']), ...others, creating(['mastodon'])]);
    await store.ruleStates.commit(committing([fired]));
    const [searching, old, yesterday, recent, elsewhere] = keysOf(fired);
    await settle(store, old, { state: 'sent', result: { id: 'old' }, sentAt: new Date(SLOT_MS - 72 * 60 * MINUTE_MS) });
    await settle(store, yesterday, { state: 'sent', result: { id: 'yesterday' }, sentAt: new Date(SLOT_MS - 24 * 60 * MINUTE_MS) });
    await settle(store, recent, { state: 'sent', result: { id: 'recent' }, sentAt: new Date(SLOT_MS + 2_000) });
    await settle(store, elsewhere, { state: 'sent', result: { id: 'elsewhere' }, sentAt: new Date(SLOT_MS + 2_000) });

    const taken = await store.deliveries.taken(await begin(store, searching));

    expect(taken).toEqual(new Set(['yesterday', 'recent']));
  });

  describe('the last sent parameters of a `while` step', () => {
    const poll = (occasion: string, second = false) =>
      firing([setting(['discord'])], { section: 'while', occasion, evenIfUnchanged: second });
    const delivered = (text: string) => ({ params: { message: '1', content: text } });

    test.for([
      ['are those of the previous delivery', { state: 'sent' }, delivered('one').params],
      ['are unknown after a failed delivery', { state: 'failed' }, undefined],
      ['are unknown after a delivery with an unknown outcome', { state: 'unknown' }, undefined],
    ] as const)('%s', async ([, end, expected]) => {
      await using store = await open(new ManualClock(SLOT_MS));
      const [first, second] = [poll('1', true), poll('2')];
      await store.ruleStates.commit(committing([first]));
      await settle(store, keysOf(first)[0], end, delivered('one'));
      await store.ruleStates.commit(committing([second], { slotMs: SLOT_MS + 1 }));

      const last = await store.deliveries.lastSent(await find(store, keysOf(second)[0]));

      expect(last?.params).toEqual(expected);
    });

    test('are kept by a delivery that was skipped as unchanged', async () => {
      await using store = await open(new ManualClock(SLOT_MS));
      const [first, same, third] = [poll('1', true), poll('2'), poll('3')];
      await store.ruleStates.commit(committing([first, same, third]));
      await settle(store, keysOf(first)[0], { state: 'sent', result: { id: 'made' } }, delivered('one'));
      await store.deliveries.change(await find(store, keysOf(same)[0]), { state: 'skipped', message: 'unchanged' });

      const last = await store.deliveries.lastSent(await find(store, keysOf(third)[0]));

      expect(last).toEqual(expect.objectContaining({ ...delivered('one'), result: { id: 'made' } }));
    });

    test('are unknown after the withdrawal of a delivery with `evenIfUnchanged`', async () => {
      await using store = await open(new ManualClock(SLOT_MS));
      const [first, second, third] = [poll('1', true), poll('2', true), poll('3')];
      await store.ruleStates.commit(committing([first]));
      await settle(store, keysOf(first)[0], { state: 'sent' }, delivered('one'));
      await store.ruleStates.commit(committing([second], { slotMs: SLOT_MS + 1 }));
      const replaced = { rule: 'live', of: { episode: 'ada@1' }, section: 'while', message: 'replaced' } as const;
      await store.ruleStates.commit(committing([third], { slotMs: SLOT_MS + 2, withdrawals: [replaced] }));

      const last = await store.deliveries.lastSent(await find(store, keysOf(third)[0]));

      expect(last).toBeUndefined();
    });
  });
}

/** Closing an episode makes a post, once however often it closes. */
function closing(close: string): Firing {
  return firing([creating(['x'])], { section: 'finally', occasion: close });
}
