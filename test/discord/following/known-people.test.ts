import { expect, test } from 'vitest';
import type { Actor } from '#src/admin/actions/actor.ts';
import { createListActions } from '#src/admin/actions/list-actions.ts';
import type { User } from '#src/clients/streaming/records.ts';
import type { Caller } from '#src/discord/caller.ts';
import { knownLines, splitKnown, type Person } from '#src/discord/following/known-people.ts';
import { en } from '#src/discord/language/en/index.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MOD: Actor = { name: 'mod', via: 'discord', role: 'editor' };
const caller = { id: '1', name: 'mod', server: { id: '9', account: 'discord' }, texts: en } as unknown as Caller; // what the lines need

function account(platform: string, handle: string, id = `${platform}-${handle}`): Person[0] {
  const user = { platform, id, handle, displayName: handle } as unknown as User; // what the entries need
  return { kind: 'found', name: { typed: handle, handle }, account: platform, platform, user };
}

function entry(id: string, fields: ListEntry['fields']): ListEntry {
  return { list: 'followed', server: '9', id, fields };
}

/** The entries after `/follow add` by their ids, and the names of the new people. */
function followed(people: readonly Person[], entries: readonly ListEntry[], member?: string) {
  const stored = new Map(entries.map(({ id, fields }) => [id, fields]));
  const { added, known } = splitKnown(people, entries, { member });
  const { lines, changes } = knownLines(known, undefined, caller);
  for (const { entry: id, fields } of changes) stored.set(id, { ...stored.get(id), ...fields });
  return { stored: Object.fromEntries(stored), lines, added: added.map(([{ platform, user }]) => `${platform}/${user.handle}`) };
}

const onTwitch = entry('ada', { twitch: 'ada', userIds: { twitch: 'twitch-ada' }, member: '5' });

test('an account of one entry is not added to another one: its stream would have two cards', () => {
  const onKick = entry('ada-kick', { kick: 'ada', userIds: { kick: 'kick-ada' } });

  const { stored } = followed([[account('twitch', 'ada'), account('kick', 'ada'), account('youtube', 'ada')]], [onTwitch, onKick]);

  expect(stored['ada']).toEqual({
    ...onTwitch.fields,
    youtube: 'ada',
    userIds: { twitch: 'twitch-ada', youtube: 'youtube-ada' },
  });
  expect(stored['ada-kick']).toEqual(onKick.fields);
});

test('an entry that two names mean gets the accounts of both', () => {
  const ofBoth = entry('ada', { twitch: 'ada', youtube: 'adatv', userIds: { twitch: 'twitch-ada', youtube: 'youtube-adatv' } });
  const people = [
    [account('twitch', 'ada'), account('kick', 'ada')] as const,
    [account('youtube', 'adatv'), account('sandbox', 'adatv')] as const,
  ];

  const { stored } = followed(people, [ofBoth]);

  expect(stored['ada']?.['userIds']).toEqual({
    twitch: 'twitch-ada',
    youtube: 'youtube-adatv',
    kick: 'kick-ada',
    sandbox: 'sandbox-adatv',
  });
});

test('of two new accounts of a member on one platform, the entry of the member gets the first one, and the other one has its own', () => {
  const people = [[account('kick', 'ada')], [account('kick', 'ada2')], [account('youtube', 'ada')]] as const;

  const { stored, added } = followed(people, [onTwitch], '5');

  expect(stored['ada']).toEqual({
    ...onTwitch.fields,
    kick: 'ada',
    youtube: 'ada',
    userIds: { twitch: 'twitch-ada', kick: 'kick-ada', youtube: 'youtube-ada' },
  });
  expect(added).toEqual(['kick/ada2']);
});

test('a new name and a further account of an entry are both stored', () => {
  const { stored } = followed([[account('kick', 'ada')], [account('twitch', 'ada_now', 'twitch-ada')]], [onTwitch], '5');

  expect(stored['ada']).toMatchObject({ twitch: 'ada_now', kick: 'ada', userIds: { twitch: 'twitch-ada', kick: 'kick-ada' } });
});

test('a disabled entry keeps its name when it gets an account with another name', () => {
  const disabled = entry('ada', { ...onTwitch.fields, name: 'Ada', paused: true });

  const { lines } = followed([[account('kick', 'countess')]], [disabled], '5');

  expect(lines).toEqual([en.following.joined('Ada', 'Kick', '–'), en.following.streamerPaused('Ada')]);
});

test('an entry whose id is a name on the first platform gets no further account, with which its id would be none', () => {
  const named = entry('ada', { member: '5' });

  const { stored, added } = followed([[account('kick', 'other')]], [named], '5');

  expect(stored['ada']).toEqual(named.fields);
  expect(added).toEqual(['kick/other']);
});

test.each([{ ping: 'everyone' }, { channel: '7' }, { liveRole: '8' }])(
  'an entry with %j gets no further account, because not every member may use it',
  (fields) => {
    const chosen = entry('ada', { ...onTwitch.fields, ...fields });

    const { stored, added } = followed([[account('kick', 'ada')]], [chosen], '5');

    expect(stored['ada']).toEqual(chosen.fields);
    expect(added).toEqual(['kick/ada']);
  },
);

test('of two members who add accounts of one streamer at the same moment, one is refused, and the accounts keep their ids', async () => {
  await using store = await openStore({ clock: new ManualClock() });
  const controls = createListActions({
    ...store,
    fileLists: () => Promise.resolve(new Map()),
    rules: () => [],
  });
  const { id, fields } = onTwitch;
  await controls.addListEntries({ list: 'followed', server: '9', entries: [{ id, fields }] }, MOD);

  const added = await Promise.allSettled(
    ['kick', 'youtube'].map((platform) =>
      controls.addListEntries(
        {
          list: 'followed',
          server: '9',
          entries: [],
          changes: knownLines(splitKnown([[account(platform, 'ada')]], [onTwitch], { member: '5' }).known, undefined, caller).changes,
        },
        MOD,
      ),
    ),
  );

  expect(added).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'entryChanged' } }]);
  expect((await store.lists.entries({ list: 'followed', server: '9' }))?.get('ada')).toEqual({
    ...fields,
    kick: 'ada',
    userIds: { twitch: 'twitch-ada', kick: 'kick-ada' },
  });
});
