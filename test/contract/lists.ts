import { expect, test } from 'vitest';
import type { Store } from '#src/store/store.ts';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const ADA = { name: 'ada', via: 'discord', id: '7', role: 'editor' } as const;
const TEAM = { list: 'team', server: undefined };

const put = (store: Store, list: { readonly list: string; readonly server?: string }, after: Readonly<Record<string, object | null>>) =>
  store.lists.edit(list, ADA, () => ({ after: after as Readonly<Record<string, Record<string, string> | null>> })); // fields of the test

/** The contract of living lists. */
export function listsContract(open: OpenStore): void {
  test('a list keeps its entries by server, and each change with its author', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    expect(await store.lists.entries({ list: 'team' })).toBeUndefined();

    const added = await put(store, { list: 'team' }, { grace: { twitch: 'grace' }, ada: {} });
    await put(store, { list: 'team', server: '42' }, { ada: { twitch: 'other' } });
    const removed = await put(store, { list: 'team' }, { ada: null, nobody: null });

    expect([...((await store.lists.entries({ list: 'team' })) ?? [])]).toEqual([['grace', { twitch: 'grace' }]]);
    expect((await store.lists.read()).entries).toEqual([
      { ...TEAM, id: 'grace', fields: { twitch: 'grace' } },
      { list: 'team', server: '42', id: 'ada', fields: { twitch: 'other' } },
    ]);
    expect(added).toMatchObject({
      ...TEAM,
      at: new Date(SLOT_MS),
      by: { name: 'ada', via: 'discord', id: '7' },
      before: { grace: null, ada: null },
    });
    expect(removed).toMatchObject({ before: { ada: {} }, after: { ada: null } });
    expect(await put(store, { list: 'team' }, { grace: { twitch: 'grace' } })).toBeUndefined();
    const { items } = await store.lists.changes({ list: 'team', limit: 2 });
    expect(items.map(({ server, after }) => [server, after])).toEqual([
      [undefined, { ada: null }],
      ['42', { ada: { twitch: 'other' } }],
    ]);
  });

  test('a list without entries remains, and the lists of a server can be deleted', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await put(store, { list: 'team', server: '42' }, { ada: {} });
    await put(store, { list: 'team' }, { ada: {} });
    await put(store, { list: 'team' }, { ada: null });
    const { seq } = await store.lists.read();

    await store.lists.removeServer('42');

    expect(await store.lists.read()).toEqual({ seq, lists: [TEAM], entries: [] });
    expect((await store.lists.changes({})).items.map(({ server }) => server)).toEqual([undefined, undefined]);
  });

  test('a deleted list keeps its changes, and each process notices the deletion', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    for (const server of [undefined, '42']) await put(store, { list: 'team', ...(server && { server }) }, { ada: { twitch: 'ada' } });
    const before = await store.lists.read();

    const removed = await store.lists.remove({ list: 'team' }, ADA);

    expect(removed).toMatchObject({ ...TEAM, by: { name: 'ada' }, before: { ada: { twitch: 'ada' } }, after: { ada: null } });
    expect(await store.lists.remove({ list: 'team' }, ADA)).toBeUndefined();
    expect(await store.lists.entries({ list: 'team' })).toBeUndefined();
    expect(await store.lists.named('team')).toEqual([{ list: 'team', server: '42' }]);
    expect(await store.lists.readSince(before)).toMatchObject({ lists: [{ list: 'team', server: '42' }], changes: [removed] });
    expect((await store.lists.changes({ list: 'team' })).items).toHaveLength(3);
  });

  test('the changes after a sequence number are read in their order', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    expect(await store.lists.readSince({ seq: 0, lists: [] })).toEqual({ seq: 0, lists: [], changes: [] });
    await put(store, { list: 'team' }, { ada: {} });
    const before = await store.lists.read();
    await put(store, { list: 'team' }, { grace: {} });
    const undone = await store.lists.edit({ list: 'team' }, ADA, () => ({ after: { grace: null } }));

    const since = await store.lists.readSince(before);

    expect(since?.changes.map(({ after }) => after)).toEqual([{ grace: {} }, { grace: null }]);
    expect(since?.changes.at(-1)).toEqual(undone);
    expect(since && (await store.lists.readSince(since))).toEqual({ ...since, changes: [] });
    expect(await store.lists.readSince({ ...before, seq: before.seq + 1_000 })).toBeUndefined();
  });

  test('simultaneous edits are applied one after another', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const seen: number[] = [];
    await Promise.all(
      ['ada', 'grace', 'alan'].map((id) =>
        store.lists.edit({ list: 'team' }, ADA, (entries) => {
          seen.push(entries.size);
          return { after: { [id]: {} } };
        }),
      ),
    );

    expect(seen.toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
    expect([...((await store.lists.entries({ list: 'team' })) ?? new Map()).keys()]).toEqual(['ada', 'alan', 'grace']);
  });

  test('an undo names the change that it reverts, and that change names the undo', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const added = await put(store, { list: 'team' }, { ada: {} });
    const id = added?.id ?? '';
    const undone = await store.lists.edit({ list: 'team' }, ADA, () => ({ after: { ada: null }, undoes: id }));

    expect(undone).toMatchObject({ undoes: id });
    expect(await store.lists.findChange(id)).toEqual({ ...added, undoneBy: undone?.id });
    expect(await store.lists.findChange('other')).toBeUndefined();
  });
}
