import { expect, test } from 'vitest';
import { createListActions } from '#src/admin/actions/list-actions.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { Caller } from '#src/discord/caller.ts';
import { follow, type FollowingParts } from '#src/discord/following/follow.ts';
import { en } from '#src/discord/language/en/index.ts';
import { openStore } from '#src/store/store.ts';
import { textsIn } from '../servers/fixture.ts';

const REF = { list: 'followed', server: '300000000000000009' };
const MOD: Actor = { name: 'mod', via: 'discord', role: 'editor' };
const caller = { id: '1', name: 'mod', server: { id: REF.server, account: 'discord' }, texts: en } as unknown as Caller; // what the command needs

const entry = (id: string) => ({ id, fields: { twitch: id, name: id, userIds: { twitch: `id-${id}` } } });

/** A server that follows Ada and Grace, whose accounts have new names by now. */
async function openServer() {
  const store = await openStore();
  const controls = createListActions({ ...store, fileLists: () => Promise.resolve(new Map()), rules: () => [] });
  await controls.addListEntries({ ...REF, entries: [entry('ada'), entry('grace')] }, MOD);
  const stored = async () => Object.fromEntries((await store.lists.entries(REF)) ?? []);
  const read = Object.entries(await stored()).map(([id, fields]) => ({ ...REF, id, fields }));
  const getUser = async (handle: string) => ({ platform: 'twitch', id: `id-${handle.replace('_new', '')}`, handle, displayName: handle });
  const parts = {
    streaming: new Map([['twitch', { platformName: 'twitch', getUser, getStreams: async () => ({ items: [] }) }]]),
    lists: { list: async () => ({ entries: read }) },
    storedServers: { find: async () => ({ channel: '300000000000000011' }) },
    controls: { ...controls, rules: async () => [] },
    limitNames: () => undefined,
  } as unknown as FollowingParts; // what the command needs
  return { controls, stored, parts, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

test('no name is stored if another member has just removed the entry of one of them', async () => {
  await using server = await openServer();
  await server.controls.removeListEntries({ ...REF, entries: ['grace'] }, MOD);

  const adding = follow('ada_new grace_new eve', {}, caller, server.parts);

  await expect(adding).rejects.toMatchObject({ code: 'entryNotFound' });
  expect(await server.stored()).toEqual({ ada: entry('ada').fields });
});

test('no new name of an account is stored if another member has just added one of the streamers', async () => {
  await using server = await openServer();
  await server.controls.addListEntries({ ...REF, entries: [entry('eve')] }, MOD);

  const adding = follow('ada_new eve', {}, caller, server.parts);

  await expect(adding).rejects.toMatchObject({ code: 'entryExists' });
  expect((await server.stored())['ada']).toEqual(entry('ada').fields);
});

test.for(['ada_new grace_new eve', 'ada_new grace_new'])('Undo takes back everything that was stored of %s', async (names) => {
  await using server = await openServer();
  const before = await server.stored();

  const { message } = await follow(names, {}, caller, server.parts);
  const after = await server.stored();
  const [undo = ''] = /(?<=follow:undo:)[^"]+/u.exec(JSON.stringify(message)) ?? [];
  await server.controls.undoListChange({ change: undo }, MOD);

  expect(textsIn(message.components).join('\n')).toContain(en.following.renamed('grace', 'grace\\_new'));
  expect(after).toMatchObject({ ada: { twitch: 'ada_new' }, grace: { twitch: 'grace_new' } });
  expect(await server.stored()).toEqual(before);
});
