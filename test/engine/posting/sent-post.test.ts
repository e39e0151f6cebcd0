import { expect, test } from 'vitest';
import type { Delivery, DeliveryState } from '#src/engine/delivery/delivery.ts';
import { toSentPost } from '#src/engine/posting/sent-post.ts';
import { openStore } from '#src/store/store.ts';
import { settle } from '../../contract/delivery-steps.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { postingOver } from '../../support/posting-over.ts';

const HOUR_MS = 3_600_000;
const DRAFT = { text: 'We are live', accounts: ['x', 'mastodon'] } as const;
const SEND = { id: 'p1', by: { id: '1', name: 'ada' }, server: 'home' } as const;

test.for([
  ['now', undefined, 1],
  ['a chosen time', new Date('2026-11-21T12:00:00Z'), 1],
  ['the queue', { queue: 'UTC' }, 12],
] as const)('a post for %s expires so many hours after its time: %o, %i', async ([, at, hours]) => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });

  const post = await postingOver(store, clock).send(DRAFT, { ...SEND, at });
  const { items } = await store.deliveryLog.list({ idle: true });

  expect(items.map(({ expiresAt }) => expiresAt)).toEqual(DRAFT.accounts.map(() => new Date(post.at.getTime() + hours * HOUR_MS)));
});

test.for<readonly [begun: readonly DeliveryState[], outcome: string, isCancelled: boolean]>([
  [[], 'all', true],
  [['sent'], 'partly', false],
  [['failed'], 'partly', false],
  [['sent', 'unknown'], 'begun', false],
])('a cancellation after %j of two accounts ends with: %s', async ([begun, outcome, isCancelled]) => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  const posting = postingOver(store, clock);
  await posting.send(DRAFT, { ...SEND, at: new Date('2026-11-21T12:00:00Z') });
  const keys = (await store.posts.find('p1'))?.deliveries.map(({ id }) => id) ?? [];
  for (const [index, state] of begun.entries()) await settle(store, keys[index], { state });

  expect(await posting.cancel('p1', SEND.by)).toBe(outcome);
  expect(await posting.cancel('p2', SEND.by)).toBe('missing');
  const after = await posting.find('p1');
  expect(after?.targets.map(({ state }) => state)).toEqual([...begun, 'skipped', 'skipped'].slice(0, 2));
  expect(after?.cancelledBy !== undefined).toBe(isCancelled);
});

test.for<readonly [later: readonly DeliveryState[], isBegun: boolean]>([
  [[], false],
  [['sent'], false],
  [['failed', 'skipped'], true],
])('a post whose later parts are %j is a thread that ends early: %s', ([later, isBegun]) => {
  const part = (state: DeliveryState) => ({ step: 'post', account: 'x', state, result: { url: 'https://x.com/1' } });
  const post = { ...SEND, text: 'We are live', madeAt: new Date(0), at: new Date(0), isQueued: false, edits: 0 };
  const deliveries = [part('sent'), ...later.map(part)] as unknown as readonly Delivery[]; // it reads no other fields

  expect(toSentPost({ post, deliveries }, () => true).targets).toMatchObject([{ isBegun, url: 'https://x.com/1' }]);
});

test('every hour, posting looks for pictures that no post needs', async () => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  let looks = 0;
  const postDrafts = { ...store.postDrafts, all: () => (looks++, store.postDrafts.all()) };
  const stop = new AbortController();

  const running = postingOver({ ...store, postDrafts }, clock).run(stop.signal);
  await expect.poll(() => clock.sleeping).toBe(1);
  await clock.advance(HOUR_MS - 1);
  const early = looks;
  await clock.advance(1);
  await expect.poll(() => looks).toBe(2);
  stop.abort();
  await running;

  expect(early).toBe(1);
});
