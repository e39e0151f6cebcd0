import { expect, test } from 'vitest';
import { forgetLeft, keepForgetting } from '#src/admin/servers/forget-left.ts';
import { servedLists } from '#src/admin/lists/served-lists.ts';
import { createListSource } from '#src/admin/lists/list-source.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const NOW = Date.UTC(2026, 10, 22, 18);
const DAY_MS = 24 * 60 * 60_000;
const BY = { name: 'ada', via: 'discord', role: 'editor' } as const;

async function openLists(isServed: (server: string) => boolean = () => true) {
  const clock = new ManualClock(NOW);
  const store = await openStore({ clock });
  for (const id of ['41', '42']) await store.servers.join({ id, name: id, joinedAt: new Date(NOW) });
  const add = (list: string, server: string, after: Readonly<Record<string, Record<string, string | number>>>) =>
    store.lists.edit({ list, server }, BY, () => ({ after }));
  const folder = { read: () => Promise.resolve({ lists: new Map(), diagnostics: [], revision: '' }) } as never; // an installation without list files
  const served = servedLists({
    lists: createListSource({ folder, store: store.lists, onDiagnostics: () => undefined }),
    servers: store.servers,
    isServed,
    clock,
  });
  const followed = async () => (await served.current()).entries('followed').map(({ server, id, fields }) => [server, id, fields]);
  return { clock, store, add, served, followed };
}

test('entries have the channel and the role of their server, unless they name others', async () => {
  const { clock, store, add, served, followed } = await openLists();
  await using _store = store;
  await add('followed', '41', { ada: { twitch: 'ada' }, grace: { twitch: 'grace', channel: '9', ping: 8 } });
  await add('followed', '42', { linus: { twitch: 'linus' } });
  await store.servers.change('41', { channel: '1', ping: '2' });

  expect(await followed()).toEqual([
    ['41', 'ada', { twitch: 'ada', channel: '1', ping: '2' }],
    ['41', 'grace', { twitch: 'grace', channel: '9', ping: '8' }],
  ]);
  const before = await served.current();
  expect(await served.current()).toBe(before);
  await store.servers.change('42', { channel: '3' });
  await clock.advance(2_000);
  expect((await served.current()).revision).not.toBe(before.revision);
  expect(await followed()).toContainEqual(['42', 'linus', { twitch: 'linus', channel: '3' }]);
});

test('entries have the language of their server: the chosen one, or that of Discord', async () => {
  const { clock, store, add, served, followed } = await openLists();
  await using _store = store;
  for (const server of ['41', '42']) await add('followed', server, { ada: { channel: '1' } });
  await store.servers.change('41', { locale: 'de' });
  await store.servers.change('42', { locale: 'de', language: 'en-GB' });

  expect((await followed()).map(([, , fields]) => fields)).toEqual([
    { channel: '1', language: 'de' },
    { channel: '1', language: 'en' },
  ]);
  const { revision } = await served.current();
  await store.servers.change('41', { locale: 'fr' });
  await clock.advance(2_000);
  expect((await served.current()).revision).not.toBe(revision);
});

test('the streamers of a server whose announcements are off are paused', async () => {
  const { clock, store, add, followed } = await openLists();
  await using _store = store;
  for (const server of ['41', '42']) await add('followed', server, { ada: { channel: '1' } });

  await store.servers.change('41', { announcements: 'off' });
  expect(await followed()).toEqual([
    ['41', 'ada', { channel: '1', paused: true }],
    ['42', 'ada', { channel: '1' }],
  ]);
  await store.servers.change('41', { announcements: '' });
  await clock.advance(2_000);
  expect((await followed())[0]).toEqual(['41', 'ada', { channel: '1' }]);
});

test('a server that removed the bot has no entries until it returns, and after 30 days they are deleted', async () => {
  const { clock, store, add, served, followed } = await openLists();
  await using _store = store;
  for (const server of ['41', '42']) {
    await add('followed', server, { ada: { twitch: 'ada', channel: '1' } });
    await add('team', server, { ada: {} });
    await store.servers.leave(server);
  }

  expect([await followed(), (await served.current()).entries('team')]).toEqual([[], []]);
  await clock.advance(30 * DAY_MS - 1);
  await store.servers.join({ id: '41', name: '41', joinedAt: new Date(clock.nowMs()) });
  await clock.advance(1);
  await forgetLeft({ ...store, clock, log: silentLog });

  expect(await followed()).toEqual([['41', 'ada', { twitch: 'ada', channel: '1' }]]);
  expect((await store.lists.read()).entries.map(({ server }) => server)).toEqual(['41', '41']);
  expect((await store.servers.list()).map(({ id }) => id)).toEqual(['41']);
});

test('a server that invites the bot again while Fanfare does not run keeps its entries, even if Fanfare starts after the 30 days', async () => {
  const { clock, store, add, followed } = await openLists();
  await using _store = store;
  for (const server of ['41', '42']) {
    await add('followed', server, { ada: { channel: '1' } });
    await store.servers.leave(server);
  }
  await clock.advance(31 * DAY_MS);
  const stopping = new AbortController();

  const kept = keepForgetting({ ...store, clock, log: silentLog, signal: stopping.signal });
  await clock.advance(60_000);
  // The bot is connected.
  await store.servers.join({ id: '41', name: '41', joinedAt: new Date(clock.nowMs()) });
  await clock.advance(60 * 60_000);
  stopping.abort();
  await kept;

  expect(await followed()).toEqual([['41', 'ada', { channel: '1' }]]);
  expect((await store.servers.list()).map(({ id }) => id)).toEqual(['41']);
});

test('a server that the bot no longer serves has no entries', async () => {
  const { store, add, followed } = await openLists((server) => server === '41');
  await using _store = store;
  for (const server of ['41', '42']) await add('followed', server, { ada: { channel: '1' } });

  expect(await followed()).toEqual([['41', 'ada', { channel: '1' }]]);
});

test('a streamer is followed with the channel that its server chose a moment ago', async () => {
  const { store, add, followed } = await openLists();
  await using _store = store;
  await add('followed', '41', { ada: { twitch: 'ada' } });
  expect(await followed()).toEqual([]);

  await store.servers.join({ id: '43', name: '43', joinedAt: new Date(NOW) });
  for (const server of ['41', '43']) {
    await store.servers.change(server, { channel: '1' });
    await add('followed', server, { grace: { twitch: 'grace' } });
  }

  expect(await followed()).toEqual([
    ['41', 'ada', { twitch: 'ada', channel: '1' }],
    ['41', 'grace', { twitch: 'grace', channel: '1' }],
    ['43', 'grace', { twitch: 'grace', channel: '1' }],
  ]);
});

test('nothing is announced for a server without settings, unless the entry names a channel', async () => {
  const { store, add, followed } = await openLists();
  await using _store = store;
  await add('followed', '44', { ada: { twitch: 'ada' }, grace: { twitch: 'grace', channel: '1' } });

  expect(await followed()).toEqual([['44', 'grace', { twitch: 'grace', channel: '1' }]]);
});
