import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Firing } from '#src/rules/firing.ts';
import { NEW_STATE } from '#src/rules/episode.ts';
import { openStore } from '#src/store/store.ts';
import { find, settle } from '../contract/delivery-steps.ts';
import { committing, creating, episodeOf, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openEmptyStore } from '../support/postgres-stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A store on a file that can be looked into, and the commits of one rule, a slot each. */
async function openFile() {
  const folder = temporaryFolder({ inMemory: true });
  const file = join(folder.path, 'fanfare.sqlite');
  const clock = new ManualClock(SLOT_MS);
  const store = await openStore({ file, clock });
  return {
    clock,
    store,
    commit: (firings: readonly Firing[], more = {}) => store.ruleStates.commit(committing(firings, { slotMs: clock.nowMs(), ...more })),
    async count(table: string, where = 'true'): Promise<unknown> {
      using database = new DatabaseSync(file, { readOnly: true });
      return database.prepare(`select count(*) as n from ${table} where ${where}`).get()?.['n'];
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** A store in PostgreSQL, like `openFile`. */
async function openSchema() {
  const clock = new ManualClock(SLOT_MS);
  const store = await openEmptyStore({ clock });
  return {
    clock,
    store,
    commit: (firings: readonly Firing[], more = {}) => store.ruleStates.commit(committing(firings, { slotMs: clock.nowMs(), ...more })),
    async count(table: string, where = 'true'): Promise<unknown> {
      const { rows } = await sql<{ readonly n: number }>`select count(*) as n from ${sql.raw(table)} where ${sql.raw(where)}`.execute(
        store.db,
      );
      return rows[0]?.n;
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

describe.for([
  ['SQLite', openFile],
  ['PostgreSQL', openSchema],
] as const)('in %s', ([, openStored]) => {
  test('only the last edit of a `while` step is kept for days, and the next one is compared with it', async () => {
    await using file = await openStored();
    const { store, clock } = file;
    const poll = (n: number) =>
      firing([setting(['discord'])], { section: 'while', occasion: String(n), atMs: clock.nowMs(), evenIfUnchanged: n === 0 });

    for (let n = 0; n < 300; n++) {
      const polled = poll(n);
      await file.commit([polled]);
      const [key] = keysOf(polled);
      if (n % 10 === 0) await settle(store, key, { state: 'sent' }, { params: { content: `edit ${n}` } });
      else await store.deliveries.change(await find(store, key), { state: 'skipped', message: 'unchanged' });
      clock.set(clock.nowMs() + MINUTE_MS);
    }

    expect(await file.count('delivery')).toBeLessThan(20);
    expect(await file.count('firing')).toBeLessThan(20);
    expect(await file.count('need')).toBe(0);
    const last = poll(300);
    await file.commit([last]);
    expect((await store.deliveries.lastSent(await find(store, keysOf(last)[0])))?.params).toEqual({ content: 'edit 290' });
  });

  test('look-ups of `while` steps that run at each poll are kept for ten minutes', async () => {
    await using file = await openStored();
    const { store, clock } = file;
    const items = Array.from({ length: 4 }, (_, n) => `item ${n}`);
    const result = { items: [{ id: 'v1' }] };

    for (let n = 0; n < 90; n++) {
      const polled = items.map((episode) =>
        firing([setting(['twitch'], { id: 'videos', do: 'streaming.getUserVideos' }), setting(['discord'], { reads: ['videos'] })], {
          section: 'while',
          episode,
          occasion: String(n),
          atMs: clock.nowMs(),
          evenIfUnchanged: n === 0,
        }),
      );
      await file.commit(polled);
      for (const [lookUp, edit] of polled.map(keysOf)) {
        await settle(store, lookUp, { state: 'sent', result }, { params: { user: 'ada' } });
        if (n === 0) await settle(store, edit, { state: 'sent' }, { params: { content: 'one' } });
        else await store.deliveries.change(await find(store, edit), { state: 'skipped', message: 'unchanged' });
      }
      clock.set(clock.nowMs() + MINUTE_MS);
    }

    expect(await file.count('delivery')).toBeLessThan(items.length * 2 * 14);
    expect(await file.count('firing')).toBeLessThan(items.length * 14);
    expect(await file.count('need')).toBeLessThan(items.length * 14);
  });

  test('the values of a firing are deleted after its last step is rendered', async () => {
    await using file = await openStored();
    const { store, clock } = file;
    const [done, waiting] = [firing([creating(['x'])]), firing([creating(['x'])], { occasion: '2' })];
    await file.commit([done, waiting]);
    await settle(store, keysOf(done)[0], { state: 'sent' });

    clock.set(SLOT_MS + 60 * MINUTE_MS);
    await file.commit([]);

    expect(await file.count('firing', 'scope is null')).toBe(1);
    const { due } = await store.deliveries.prepare(await find(store, keysOf(waiting)[0]));
    expect(due.scope).toEqual(waiting.scope);
  });

  test('the last edit of each element of a `while` step is kept', async () => {
    await using file = await openStored();
    const { store, clock } = file;
    const names = ['ada', 'grace'];

    for (let n = 0; n < 60; n++) {
      const polled = firing([setting(['discord'], { forEach: 'items' })], { section: 'while', occasion: String(n), atMs: clock.nowMs() });
      await file.commit([polled]);
      const [key] = keysOf(polled);
      const parts = names.map((name, index) => ({ id: `${name} ${n}`, element: { key: name, it: name, index } }));
      await store.deliveries.change(await find(store, key), { state: 'skipped', message: 'done for each of 2' }, { parts });
      for (const { id, element } of parts) await settle(store, id, { state: 'sent' }, { params: { content: `${element.key} ${n}` } });
      clock.set(clock.nowMs() + MINUTE_MS);
    }
    await file.commit([]);

    expect(await file.count('delivery')).toBeLessThan(40);
    clock.set(clock.nowMs() + 60 * MINUTE_MS);
    await file.commit([]);
    const { items } = await store.deliveryLog.list({ limit: 100 });
    expect(items.map(({ params }) => params?.['content'])).toEqual(['grace 59', 'ada 59']);
  });

  test('an element of a list is deleted with the values of its firing', async () => {
    await using file = await openStored();
    const { store, clock } = file;
    const fired = firing([creating(['x'], { forEach: 'items' })]);
    await file.commit([fired]);
    const element = { key: 'ada', it: { id: 'ada' }, index: 0 };
    const whole = await find(store, keysOf(fired)[0]);
    await store.deliveries.change(whole, { state: 'skipped', message: 'done for each of 1' }, { parts: [{ id: 'part', element }] });

    clock.set(SLOT_MS + 60 * MINUTE_MS);
    await file.commit([]);
    const before = await file.count('delivery', 'element_value is not null');
    await settle(store, 'part', { state: 'sent' });
    clock.set(SLOT_MS + 120 * MINUTE_MS);
    await file.commit([]);

    expect([before, await file.count('delivery', 'element_value is not null')]).toEqual([1, 0]);
  });

  test('a question that waits for a person is kept at any age', async () => {
    await using file = await openStored();
    const { store, clock } = file;
    const fired = firing([creating(['discord'], { id: 'verdict' }), creating(['x'], { reads: ['verdict'] })]);
    await file.commit([fired]);
    await settle(store, keysOf(fired)[0], { state: 'asked' });

    clock.set(SLOT_MS + 91 * DAY_MS);
    await file.commit([]);

    expect(await file.count('delivery')).toBe(2);
    expect(await file.count('firing', 'scope is not null')).toBe(1);
  });

  test('sent deliveries are kept for 90 days, and as long as their episode', async () => {
    await using file = await openStored();
    const { store, clock } = file;
    const [past, open, unsettled] = [
      firing([creating(['x'])], { episode: 'past@1' }),
      firing([creating(['x'])], { episode: 'open@1' }),
      firing([creating(['x'])], { episode: 'unsettled@1' }),
    ];
    const change = { memory: NEW_STATE.memory, put: [episodeOf('open@1')], drop: [] };
    await file.commit([past, open, unsettled], { change });
    for (const { steps } of [past, open]) await settle(store, steps[0]?.key, { state: 'sent' });

    clock.set(SLOT_MS + 80 * DAY_MS);
    await file.commit([]);
    const after80Days = await file.count('delivery');
    clock.set(SLOT_MS + 91 * DAY_MS);
    await file.commit([]);

    expect(after80Days).toBe(3);
    expect((await store.deliveryLog.list()).items.map(({ episode }) => episode)).toEqual(['unsettled@1', 'open@1']);
  });

  test('retention keeps up with many more rows a minute than one statement deletes', async () => {
    await using file = await openStored();
    const { store, clock } = file;

    for (let poll = 0; poll < 15; poll++) {
      const polled = Array.from({ length: 400 }, (_, card) =>
        firing([setting(['discord'])], { section: 'while', episode: `card ${card}`, occasion: String(poll), atMs: clock.nowMs() }),
      );
      await file.commit(polled);
      for (const { id } of await store.deliveries.due('discord', { nowMs: clock.nowMs(), limit: 1_000 })) {
        await store.deliveries.change(await find(store, id), { state: 'skipped', message: 'unchanged' });
      }
      clock.set(clock.nowMs() + MINUTE_MS);
    }
    // Those of the last ten minutes are kept.
    expect(await file.count('delivery')).toBeLessThanOrEqual(11 * 400);

    clock.set(clock.nowMs() + 20 * MINUTE_MS);
    await file.commit([]);
    await file.commit([]);

    expect([await file.count('delivery'), await file.count('firing')]).toEqual([0, 0]);
  });
});
