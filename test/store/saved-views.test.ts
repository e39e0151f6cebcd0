import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DAY_MS = 24 * 60 * 60_000;

test('a stored view is found by its id, even after a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/kept.sqlite`;
  const view = { command: 'game:streams', options: 'game=%E3%83%81%E3%82%A7%E3%82%B9' };
  let id = '';
  {
    await using store = await openStore({ file });
    id = await store.savedViews.keep(view);
  }
  await using store = await openStore({ file });

  expect(await store.savedViews.find(id)).toEqual(view);
  expect(id).toMatch(/^[\w-]{16}$/);
});

test('equal views have equal ids, and different views have different ids', async () => {
  await using store = await openStore();
  const { savedViews } = store;

  const id = await savedViews.keep({ command: 'search:', options: 'keyword=a' });

  expect(await savedViews.keep({ command: 'search:', options: 'keyword=a' })).toBe(id);
  expect(await savedViews.keep({ command: 'search:', options: 'keyword=b' })).not.toBe(id);
  expect(await savedViews.keep({ command: 'clips:', options: 'keyword=a' })).not.toBe(id);
});

test('a view is kept for thirty days from its last use', async () => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  const { savedViews } = store;
  const [used, unused] = [
    { command: 'a', options: '' },
    { command: 'b', options: '' },
  ];
  const id = await savedViews.keep(used);
  const other = await savedViews.keep(unused);

  await clock.advance(29 * DAY_MS);
  await savedViews.keep(used);
  await clock.advance(DAY_MS);

  expect(await savedViews.find(id)).toEqual(used);
  expect(await savedViews.find(other)).toBeUndefined();
});

test('the latest five thousand views are kept', async () => {
  const clock = new ManualClock();
  using folder = temporaryFolder();
  const file = `${folder.path}/kept.sqlite`;
  await (await openStore({ file, clock }))[Symbol.asyncDispose]();
  {
    using database = new DatabaseSync(file);
    database
      .prepare(
        `insert into saved_view (id, command, options, made_ms)
         with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 5000)
         select 'view' || number, 'search:', '', ? + number from numbers`,
      )
      .run(clock.nowMs() - 5_000);
  }
  await using store = await openStore({ file, clock });
  const { savedViews } = store;

  for (const number of [1, 2, 3]) {
    await clock.advance(1);
    await savedViews.keep({ command: 'search:', options: `keyword=${number}` });
  }

  expect(await savedViews.find('view3')).toBeUndefined();
  expect(await savedViews.find('view4')).toBeDefined();
});
