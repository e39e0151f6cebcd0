import { expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DAY_MS = 24 * 60 * 60_000;

test('a view that was kept is found again by its id, even after a restart', async () => {
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

test('the same view has the same id, and another one another', async () => {
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

test('of more than five thousand views the latest stay', async () => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  const { savedViews } = store;
  const ids: string[] = [];
  for (let number = 0; number < 5_003; number++) {
    await clock.advance(1);
    ids.push(await savedViews.keep({ command: 'search:', options: `keyword=${number}` }));
  }

  const found = await Promise.all(ids.map((id) => savedViews.find(id)));

  expect(found.filter((view) => view !== undefined)).toHaveLength(5_000);
  expect(found[0]).toBeUndefined();
  expect(found.at(-1)).toBeDefined();
});
