import { join } from 'node:path';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { settle } from '../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

test('other work runs between the statements that delete old rows', async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  const old = Array.from({ length: 600 }, (_, index) => firing([creating(['x'])], { episode: `old ${index}` }));
  await store.ruleStates.commit(committing(old));
  for (const { steps } of old) await settle(store, steps[0]?.key, { state: 'sent' });
  clock.set(SLOT_MS + 100 * DAY_MS);

  const counts: number[] = [];
  let isPruned = false;
  const pruned = store.ruleStates.commit(committing([], { slotMs: clock.nowMs() })).then(() => (isPruned = true));
  while (!isPruned) {
    await nextLoop();
    counts.push((await store.deliveryLog.list({ limit: 1_000 })).items.length);
  }
  await pruned;

  expect(new Set(counts).size).toBeGreaterThan(4);
  expect((await store.deliveryLog.list()).items).toEqual([]);
});

test('an edit that is superseded after days is deleted too', async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  const edit = async (day: number): Promise<void> => {
    clock.set(SLOT_MS + day * DAY_MS);
    const polled = firing([setting(['discord'])], { section: 'while', occasion: String(day), atMs: clock.nowMs() });
    await store.ruleStates.commit(committing([polled], { slotMs: clock.nowMs() }));
    await settle(store, keysOf(polled)[0], { state: 'sent' }, { params: { content: `edit ${day}` } });
  };
  await edit(0);
  await edit(3);
  clock.set(clock.nowMs() + 60 * MINUTE_MS);

  for (let round = 0; round < 2; round++) {
    clock.set(clock.nowMs() + MINUTE_MS);
    await store.ruleStates.commit(committing([], { slotMs: clock.nowMs() }));
  }

  const { items } = await store.deliveryLog.list();
  expect(items.map(({ params }) => params?.['content'])).toEqual(['edit 3']);
});

test('a superseded look-up stays while an open delivery reads it', async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  const stats = setting(['twitch'], { id: 'stats', do: 'streaming.getStreams', with: {} });
  const hourly = creating(['x'], { id: 'hourly', everyMs: 60 * MINUTE_MS, reads: ['stats'] });
  const polled = (occasion: string) => ({ section: 'while', occasion, atMs: SLOT_MS }) as const;
  const first = firing([stats, hourly], { ...polled('1'), multipleMs: 60 * MINUTE_MS });
  const second = firing([stats], polled('2'));
  const [read, waiting] = keysOf(first);
  const prune = async (minutes: number): Promise<void> => {
    clock.set(SLOT_MS + minutes * MINUTE_MS);
    await store.ruleStates.commit(committing([], { slotMs: clock.nowMs() }));
  };
  await store.ruleStates.commit(committing([first]));
  await settle(store, read, { state: 'sent' });
  await store.ruleStates.commit(committing([second], { slotMs: SLOT_MS + 1 }));
  await settle(store, keysOf(second)[0], { state: 'sent' });

  await prune(60);
  await prune(61);
  expect(await store.deliveries.find(read ?? '')).toMatchObject({ state: 'sent' });

  await settle(store, waiting, { state: 'sent' });
  await prune(120);
  await prune(121);
  expect(await store.deliveries.find(read ?? '')).toBeUndefined();
});

test('what is old by the clock of two starts that are years ahead stays', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  const clock = new ManualClock(SLOT_MS);
  {
    await using store = await openStore({ file, clock });
    const sent = firing([creating(['x'])]);
    const decisions = [{ rule: 'live', atMs: SLOT_MS, outcome: 'fired', message: 'ada went live' }] as const;
    await store.ruleStates.commit(committing([sent], { decisions }));
    await settle(store, keysOf(sent)[0], { state: 'sent' });
  }

  for (const minutes of [0, 30]) {
    clock.set(SLOT_MS + 1_000 * DAY_MS + minutes * MINUTE_MS);
    await using store = await openStore({ file, clock });
    await store.ruleStates.commit(committing([], { slotMs: clock.nowMs() }));
    expect((await store.deliveryLog.list()).items).toHaveLength(1);
  }
});
