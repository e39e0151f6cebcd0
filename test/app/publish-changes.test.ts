import { expect, test } from 'vitest';
import { publishChanges } from '#src/app/publish-changes.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { openStore } from '#src/store/store.ts';

const BY = { name: 'ada', via: 'discord', role: 'editor' } as const;

async function openPublishing() {
  const eventBus = createEventBus();
  const published: string[] = [];
  eventBus.subscribe(({ kind }) => published.push(kind));
  return { store: publishChanges(await openStore(), eventBus), published };
}

test('publishes a change of a list when it is stored', async () => {
  const { store, published } = await openPublishing();
  const ref = { list: 'team' };

  const change = await store.lists.edit(ref, BY, () => ({ after: { ada: { twitch: 'ada' } } }));
  expect(published).toEqual(['lists']);
  expect((await store.lists.entries(ref))?.get('ada')).toEqual({ twitch: 'ada' });
  expect((await store.lists.changes({})).items).toMatchObject([{ id: change?.id }]);

  await store.lists.edit(ref, BY, () => ({ after: { ada: { twitch: 'ada' } } }));
  expect(published).toEqual(['lists']);
  await store.lists.removeServer('7');
  expect(published).toEqual(['lists', 'lists']);
});

test('does not publish a change that failed', async () => {
  const { store, published } = await openPublishing();

  const edit = store.lists.edit({ list: 'team' }, BY, () => {
    throw new Error('refused');
  });

  await expect(edit).rejects.toThrow('refused');
  expect(published).toEqual([]);
});

test('publishes the begin and the end of an action', async () => {
  const { store, published } = await openPublishing();

  await store.auditLog.start({ id: 'a1', action: 'pauseRule', by: BY, target: 'top' });
  expect((await store.auditLog.list()).items).toMatchObject([{ id: 'a1', outcome: 'started' }]);
  await store.auditLog.end({ id: 'a1', outcome: 'done' });

  expect((await store.auditLog.list()).items).toMatchObject([{ id: 'a1', outcome: 'done' }]);
  expect(published).toEqual(['actions', 'actions']);
});
