import { expect, test } from 'vitest';
import { RESEND_WITHIN_MS } from '#src/engine/delivery/resolution.ts';
import { nextQueueTime } from '#src/engine/posting/queue-time.ts';
import { POST_RULE, type CommitPost, type EditPost } from '#src/engine/posting/posts.ts';
import type { Store } from '#src/store/store.ts';
import { creating, firing, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { begin, find as findDelivery, settle } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Wanted extends Partial<Pick<CommitPost, 'server' | 'picture' | 'isQueued'>> {
  /** Absent: the next time of the queue. */
  readonly atMs?: number;
}

/** A post on two accounts. */
export function posted(id: string, { server = 'home', picture, isQueued = false, atMs }: Wanted = {}): CommitPost {
  const nextMs = (taken: ReadonlySet<number>) => nextQueueTime({ times: ['09:00', '19:00'], zone: 'UTC', nowMs: SLOT_MS, taken });
  return {
    id,
    server,
    by: { id: '1', name: 'ada' },
    text: `text of ${id}`,
    picture,
    isQueued: isQueued || atMs === undefined,
    chooseTime: (taken) => (atMs === undefined ? (nextMs(taken) ?? new Date(Number.NaN)) : new Date(atMs)),
    toFiring: (at) =>
      firing([creating(['x', 'mastodon'], { id: 'post', maxAgeMs: HOUR_MS })], {
        rule: POST_RULE,
        episode: id,
        queue: id,
        occasion: 'ada',
        atMs: at.getTime(),
      }),
    toDecision: (at) => ({ rule: POST_RULE, atMs: SLOT_MS, outcome: 'fired', episode: id, message: `ada posted for ${at.toISOString()}` }),
  };
}

/** An edit of the text of a post, by someone else than its author. */
export function edited(text: string, edits: number): EditPost {
  return { text, edits, by: { id: '2', name: 'grace' }, toStep: (step) => ({ ...step, with: { text } }) };
}

async function keysOf(store: Store, id: string): Promise<readonly [string, string]> {
  const found = await store.posts.find(id);
  const [x, mastodon] = (found?.deliveries ?? []).map((one) => one.id);
  if (x === undefined || mastodon === undefined) throw new Error(`${id} has no deliveries`);
  return [x, mastodon];
}

async function idsOf(list: Promise<readonly { readonly post: { readonly id: string } }[]>): Promise<readonly string[]> {
  return (await list).map(({ post }) => post.id);
}

/** The contract of the posts of people. */
export function postsContract(open: OpenStore): void {
  test('a commit of a post stores its deliveries and its decision, and deletes its draft', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    await store.postDrafts.keep({ id: 'p1', owner: '1', body: {} });

    const made = await store.posts.commit(posted('p1', { atMs: SLOT_MS }));

    expect(made).toMatchObject({
      post: { id: 'p1', by: { name: 'ada' }, text: 'text of p1', at: new Date(SLOT_MS), isQueued: false, cancelledBy: undefined },
      deliveries: [
        { account: 'x', state: 'pending', rule: POST_RULE, episode: 'p1', occasion: 'ada' },
        { account: 'mastodon', state: 'pending' },
      ],
    });
    expect((await store.deliveries.due('x', { nowMs: SLOT_MS, limit: 9 })).map(({ episode }) => episode)).toEqual(['p1']);
    expect((await store.decisions.list({ rule: POST_RULE })).items).toMatchObject([{ episode: 'p1', outcome: 'fired' }]);
    expect(await store.postDrafts.find('p1')).toBeUndefined();
  });

  test('a second commit with the id of a post returns the first post', async () => {
    await using store = await open(new ManualClock(SLOT_MS));

    const [first, second] = await Promise.all([
      store.posts.commit(posted('p1', { atMs: SLOT_MS })),
      store.posts.commit({ ...posted('p1', { atMs: SLOT_MS + HOUR_MS }), text: 'other words' }),
    ]);

    expect(second).toEqual(first);
    expect((await store.deliveryLog.list()).items).toHaveLength(2);
  });

  test('a scheduled post is due at its time, and expires an hour later', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    await store.posts.commit(posted('p1', { atMs: SLOT_MS + 100 * DAY_MS }));
    const at = { limit: 9 };

    expect(await store.deliveries.due('x', { ...at, nowMs: SLOT_MS + 100 * DAY_MS - 1 })).toEqual([]);
    expect(await store.deliveries.nextDueMs('x', SLOT_MS)).toBe(SLOT_MS + 100 * DAY_MS);
    expect(await store.deliveries.due('x', { ...at, nowMs: SLOT_MS + 100 * DAY_MS })).toMatchObject([
      { expiresAt: new Date(SLOT_MS + 100 * DAY_MS + HOUR_MS) },
    ]);
  });

  test('simultaneous posts of a server get different times of its queue; each server has its own queue', async () => {
    await using store = await open(new ManualClock(SLOT_MS));

    const made = await Promise.all(['p1', 'p2', 'p3'].map((id) => store.posts.commit(posted(id))));
    const other = await store.posts.commit(posted('p4', { server: 'other' }));

    const times = made.map(({ post }) => post.at.getTime() - SLOT_MS);
    expect(times.toSorted((a, b) => a - b)).toEqual([HOUR_MS, 15 * HOUR_MS, 25 * HOUR_MS]);
    expect(other.post.at.getTime() - SLOT_MS).toBe(HOUR_MS);
  });

  test('waiting posts are listed by their time, and past posts newest first', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    for (const hour of [3, 1, 2]) await store.posts.commit(posted(`p${hour}`, { atMs: SLOT_MS + hour * HOUR_MS }));
    await store.posts.commit(posted('elsewhere', { atMs: SLOT_MS + HOUR_MS, server: 'other' }));

    expect(await idsOf(store.posts.waiting('home'))).toEqual(['p1', 'p2', 'p3']);
    clock.set(SLOT_MS + 2 * HOUR_MS);

    expect(await idsOf(store.posts.waiting('home'))).toEqual(['p3']);
    expect(await idsOf(store.posts.recent('home', 1))).toEqual(['p2']);
  });

  test('a withdrawn post is not sent, and its time in the queue is free', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { post } = await store.posts.commit(posted('p1'));

    const after = await store.posts.withdraw('p1', 'grace');

    expect(after).toMatchObject({
      post: { cancelledBy: 'grace' },
      deliveries: [{ state: 'skipped', message: 'grace took it back' }, { state: 'skipped' }],
    });
    expect(await store.deliveries.due('x', { nowMs: SLOT_MS + DAY_MS, limit: 9 })).toEqual([]);
    expect(await idsOf(store.posts.waiting('home'))).toEqual([]);
    expect((await store.posts.commit(posted('p2'))).post.at).toEqual(post.at);
  });

  test('the withdrawal of a post skips its pending deliveries, and continues those that are being sent', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.posts.commit(posted('p1', { atMs: SLOT_MS }));
    const [x] = await keysOf(store, 'p1');
    await begin(store, x);

    const after = await store.posts.withdraw('p1', 'grace');

    expect(after).toMatchObject({ post: { cancelledBy: undefined }, deliveries: [{ state: 'sending' }, { state: 'skipped' }] });
    expect(await store.posts.withdraw('nothing', 'grace')).toBeUndefined();
  });

  test('a waiting post can move to another time outside the queue; a begun post cannot', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.posts.commit(posted('p1'));
    const [x] = await keysOf(store, 'p1');

    expect(await store.posts.move('p1', new Date(SLOT_MS + DAY_MS))).toBe(true);

    expect((await store.posts.find('p1'))?.post).toMatchObject({ at: new Date(SLOT_MS + DAY_MS), isQueued: false });
    expect(await store.deliveries.due('x', { nowMs: SLOT_MS + DAY_MS - 1, limit: 9 })).toEqual([]);
    expect(await store.deliveries.due('x', { nowMs: SLOT_MS + DAY_MS, limit: 9 })).toMatchObject([
      { id: x, expiresAt: new Date(SLOT_MS + DAY_MS + HOUR_MS) },
    ]);
    await begin(store, x);
    expect(await store.posts.move('p1', new Date(SLOT_MS))).toBe(false);
    expect(await store.posts.move('nothing', new Date(SLOT_MS))).toBe(false);
  });

  test('an attempt at a post that was moved after it was read does not begin', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.posts.commit(posted('p1', { atMs: SLOT_MS }));
    const [x] = await keysOf(store, 'p1');
    const read = await findDelivery(store, x);

    await store.posts.move('p1', new Date(SLOT_MS + DAY_MS));

    expect(await store.deliveries.change(read, { state: 'sending', attempts: 1, params: { text: 'early' } })).toBeUndefined();
    expect(await findDelivery(store, x)).toMatchObject({ state: 'pending', dueAt: new Date(SLOT_MS + DAY_MS) });
  });

  test('a waiting post can get another text; a begun post cannot', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { post } = await store.posts.commit(posted('p1'));
    const [x, mastodon] = await keysOf(store, 'p1');

    expect(await store.posts.edit('p1', edited('corrected', 0))).toBe('done');

    const after = await store.posts.find('p1');
    expect(after).toMatchObject({ post: { ...post, text: 'corrected', edits: 1, editedBy: { id: '2', name: 'grace' } } });
    expect(after?.deliveries.map(({ account, state }) => [account, state])).toEqual([
      ['x', 'pending'],
      ['mastodon', 'pending'],
    ]);
    for (const id of [x, mastodon]) expect(await store.posts.step(id)).toMatchObject({ with: { text: 'corrected' } });
    const due = await store.deliveries.due('x', { nowMs: post.at.getTime(), limit: 9 });
    expect(due.map(({ id }) => id)).toEqual([x]);
    await begin(store, x);
    expect(await store.posts.edit('p1', edited('too late', 1))).toBe('begun');
    expect(await store.posts.edit('nothing', edited('nothing', 0))).toBe('begun');
    expect((await store.posts.find('p1'))?.post.text).toBe('corrected');
  });

  test('of two edits of the same text, the second one changes nothing', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.posts.commit(posted('p1'));

    const outcomes = await Promise.all([store.posts.edit('p1', edited('first', 0)), store.posts.edit('p1', edited('second', 0))]);

    expect(outcomes.toSorted()).toEqual(['done', 'edited']);
    expect((await store.posts.find('p1'))?.post.text).toBe(outcomes[0] === 'done' ? 'first' : 'second');
  });

  test('an attempt at a post that was edited after it was read does not begin', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.posts.commit(posted('p1', { atMs: SLOT_MS }));
    const [x] = await keysOf(store, 'p1');
    const read = await findDelivery(store, x);

    await store.posts.edit('p1', edited('corrected', 0));

    expect(await store.deliveries.change(read, { state: 'sending', attempts: 1, params: { text: 'text of p1' } })).toBeUndefined();
    expect(await findDelivery(store, x)).toMatchObject({ state: 'pending', attempts: 0 });
  });

  test('a picture is in use until no delivery of its post can be sent again', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    await store.posts.commit(posted('p1', { atMs: SLOT_MS, picture: 'a.png' }));
    const [x, mastodon] = await keysOf(store, 'p1');
    await settle(store, x, { state: 'sent' });
    await settle(store, mastodon, { state: 'unknown' });

    expect(await store.posts.pictures()).toEqual(new Set(['a.png']));
    await store.deliveries.change(await findDelivery(store, mastodon), { state: 'failed' });
    clock.set(SLOT_MS + RESEND_WITHIN_MS);
    expect(await store.posts.pictures()).toEqual(new Set(['a.png']));

    clock.set(SLOT_MS + RESEND_WITHIN_MS + 2 * HOUR_MS);
    expect(await store.posts.pictures()).toEqual(new Set());
  });

  test('a post that needs its draft is not stored after the draft was dropped', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.postDrafts.keep({ id: 'p1', owner: '', body: {} });
    await store.postDrafts.keep({ id: 'p2', owner: '', body: {} });
    await store.posts.commit({ ...posted('p1', { atMs: SLOT_MS }), needsDraft: true });

    const dropped = [await store.postDrafts.drop('p1'), await store.postDrafts.drop('p2'), await store.postDrafts.drop('p2')];
    const refused = store.posts.commit({ ...posted('p2', { atMs: SLOT_MS }), needsDraft: true });

    await expect(refused).rejects.toMatchObject({ code: 'draftNotFound' });
    expect(dropped).toEqual([false, true, false]);
    expect(await idsOf(store.posts.recent('home', 9))).toEqual(['p1']);
    // A repeated click sends nothing, although the draft is gone.
    expect((await store.posts.commit({ ...posted('p1', { atMs: SLOT_MS }), needsDraft: true })).post.id).toBe('p1');
  });

  test('drafts are kept for a day after the last edit, and the newest fifty of each person', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    await store.postDrafts.keep({ id: 'old', owner: '1', body: { text: 'a' } });
    clock.set(SLOT_MS + DAY_MS / 2);
    await store.postDrafts.keep({ id: 'edited', owner: '1', body: { text: 'b' } });
    clock.set(SLOT_MS + DAY_MS);

    expect(await store.postDrafts.find('old')).toBeUndefined();
    expect(await store.postDrafts.find('edited')).toEqual({ id: 'edited', owner: '1', body: { text: 'b' } });
    for (let number = 0; number < 60; number++) {
      clock.set(clock.nowMs() + 1);
      await store.postDrafts.keep({ id: `many${number}`, owner: '1', body: {} });
    }

    const kept = (await store.postDrafts.all()).map(({ id }) => id);
    expect(kept).toHaveLength(50);
    expect(kept).not.toContain('edited');
    expect(kept).not.toContain('many9');
    expect(kept).toContain('many59');
  });
}
