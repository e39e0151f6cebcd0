import { afterAll, beforeAll, expect, test } from 'vitest';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { fetch } from '../../support/discord-sandbox.ts';
import { idOf, openServers, shownIn, type NewServer, type ServersFixture } from './fixture.ts';

const texts = en.following;

let servers: ServersFixture;
let owner: string;
let german: string;
let stranger: string;
let club: NewServer;
let other: NewServer;

beforeAll(async () => {
  servers = await openServers();
  [owner, german, stranger] = servers.app.people;
  club = await servers.invite('Chess Club', owner);
  other = await servers.invite('Other Club', german);
  for (const [server, user] of [
    [club, owner],
    [other, german],
  ] as const) {
    const opened = await servers.app.interact({ user, guild: server.id, channel: 'general', command: 'setup' });
    await servers.app.interact({ user, message: idOf(opened), customId: 'setup:channel', values: [server.channels['live'] ?? ''] });
    await run('follow add', { streamer: `twitch.tv/${owner} twitch.tv/${stranger}` }, { user, server });
  }
});

afterAll(() => servers[Symbol.asyncDispose]());

function run(
  command: string,
  options: object,
  { user = owner, server = club, ...more }: { user?: string; server?: NewServer; autocomplete?: true; locale?: string; forged?: true } = {},
) {
  return servers.app.interact({ user, guild: server.id, channel: 'general', command, options, ...more });
}

const automation = (subcommand: string, options: object = {}, of: Parameters<typeof run>[2] = {}) =>
  run(`automation ${subcommand}`, { rule: 'followed', ...options }, of);

async function announcing(server = club): Promise<unknown> {
  const answer = await fetch(`${servers.app.url}/api/servers`);
  const { items } = (await answer.json()) as { items: { id: string; announcements?: string }[] }; // of the HTTP API
  return items.find(({ id }) => id === server.id)?.announcements;
}

async function paused(server = club): Promise<readonly unknown[]> {
  const answer = await fetch(`${servers.app.url}/api/lists/followed?server=${server.id}`);
  if (!answer.ok) return [];
  const { entries } = (await answer.json()) as { entries: { id: string; fields: { paused?: boolean } }[] }; // of the HTTP API
  return entries.map(({ fields }) => fields.paused ?? false);
}

test('all streamers of a server are disabled and enabled, and a button takes it back', async () => {
  const off = await automation('disable');

  expect(off).toMatchObject({ outcome: 'message', ephemeral: true });
  const form = await run('follow import', {});
  const imported = await servers.app.interact({ user: owner, modal: form.id, fields: { names: 'margaret: { twitch: margaret }' } });
  expect(shownIn(imported)).toContain(texts.off);
  await run('follow remove', { streamer: 'margaret' });
  await servers.app.control('/world', { do: 'goLive', user: 'margaret', title: 'Endgames', game: 'Chess' });
  const added = shownIn(await run('follow add', { streamer: 'twitch.tv/margaret' }));
  expect(added).toContain(texts.off);
  expect(added).not.toContain(texts.buttons.announce('Margaret'));
  expect(shownIn(await run('follow add', { streamer: 'twitch.tv/margaret' }))).toContain(`${texts.title.none}\n${texts.off}`);
  await run('follow remove', { streamer: 'margaret' });
  expect(shownIn(off)).toContain(texts.title.off(2));
  expect([await announcing(), await announcing(other)]).toEqual(['off', undefined]);
  expect(shownIn(await run('follow list', {}))).toContain(texts.off);
  expect(shownIn(await servers.app.interact({ user: owner, message: idOf(off), click: texts.buttons.enable }))).toContain(
    texts.title.on(2),
  );
  expect(await announcing()).toBeUndefined();
  expect(shownIn(await automation('disable', {}, { user: german, server: other, locale: 'de' }))).toContain(de.following.title.off(2));
  await automation('enable', {}, { user: german, server: other });
  expect(await announcing(other)).toBeUndefined();
});

test('one streamer is disabled, suggested to be enabled, and enabled by Undo', async () => {
  const off = await automation('disable', { streamer: owner });

  expect(shownIn(off)).toContain(texts.buttons.undo);
  expect(await paused()).toEqual([true, false]);
  expect(shownIn(await run('follow list', {}))).toContain(texts.paused);
  const [again, edited] = [
    await run('follow add', { streamer: `twitch.tv/${owner}` }),
    await run('follow edit', { streamer: owner, only: 'x' }),
  ];
  for (const answer of [again, edited]) expect(shownIn(answer)).toContain(texts.streamerPaused('Ada'));
  await servers.app.interact({ user: owner, message: idOf(edited), click: texts.buttons.undo });
  const { choices = [] } = await automation('enable', { streamer: '' }, { autocomplete: true });
  expect(choices).toMatchObject([{ value: owner }]);
  await servers.app.interact({ user: owner, message: idOf(off), click: texts.buttons.undo });
  expect(await paused()).toEqual([false, false]);
});

test('streamers who are disabled one by one are not counted as announced, and stay disabled', async () => {
  await automation('disable', { streamer: owner });
  await automation('disable');

  const some = shownIn(await automation('enable'));
  await automation('disable', { streamer: stranger });
  const none = shownIn(await automation('enable'));

  expect([some, none].map((text) => text.split('\n'))).toMatchObject([
    [texts.title.on(1), texts.onNext, texts.stillPaused(1), expect.any(String)],
    [texts.title.on(0), texts.stillPaused(2), expect.any(String)],
  ]);
  for (const streamer of [owner, stranger]) await automation('enable', { streamer });
  expect(await paused()).toEqual([false, false]);
});

test.each(['enable', 'disable', 'remove'])(
  '/automation %s changes no one if the typed text names no streamer or several',
  async (subcommand) => {
    const refused = async (streamer: string) => (await automation(subcommand, { streamer })).message?.content;

    expect([await refused(','), await refused(' ; ')]).toEqual([texts.noNames, texts.noNames]);
    expect(await refused(`${owner}, ${stranger}`)).toBe(texts.oneName);
    expect([await announcing(), await paused()]).toEqual([undefined, [false, false]]);
  },
);

test('/follow edit and /follow remove refuse a text that names no streamer', async () => {
  for (const command of ['follow edit', 'follow remove'])
    expect((await run(command, { streamer: ',' })).message?.content).toBe(texts.noNames);
  expect((await run('follow edit', { streamer: `${owner} ${stranger}` })).message?.content).toBe(texts.oneName);
});

test('all streamers are removed, and Undo brings them back', async () => {
  const removed = await automation('remove');

  expect(shownIn(removed)).toContain(texts.title.removed(2));
  expect((await run('follow export', {})).message?.content).toBe(texts.empty);
  expect(shownIn(await automation('disable'))).toContain(`${texts.title.off(0)}\n${texts.empty}`);
  expect(shownIn(await automation('enable'))).toContain(`${texts.title.on(0)}\n${texts.empty}`);
  expect([await paused(), await paused(other)]).toEqual([[], [false, false]]);
  await servers.app.interact({ user: owner, message: idOf(removed), click: texts.buttons.undo });
  expect(await paused()).toEqual([false, false]);
});

test('the changes are in the log of actions with the server', async () => {
  const answer = await fetch(`${servers.app.url}/api/actions`);
  const { items } = (await answer.json()) as { items: { action: string; by: { origin?: string }; outcome: string }[] }; // of the HTTP API

  const own = items.filter(({ by, outcome }) => by.origin === club.id && outcome === 'done').map(({ action }) => action);
  expect(own).toEqual(expect.arrayContaining(['configureServer', 'changeListEntry', 'removeListEntries', 'undoListChange']));
});

test('members without the permission, other rules and other parts of /automation are refused', async () => {
  const refused = async (...call: Parameters<typeof automation>) => (await automation(...call)).message?.content;

  expect(await refused('disable', {}, { user: stranger, forged: true })).toBe(en.errors.notAllowed);
  expect(await refused('disable', { rule: 'live' }, { user: german, server: other, locale: 'de' })).toBe(de.following.onlyFollowed);
  for (const rule of [' ', 'no-such-rule']) expect(await refused('remove', { rule })).toBe(texts.onlyFollowed);
  expect(await refused('disable', { streamer: 'nobody' })).toBe(texts.notFollowed('nobody'));
  expect(await refused('pause', {}, { user: german, server: other, locale: 'de' })).toBe(de.errors.homeOnly);
  expect([await announcing(), await announcing(other), await paused(), await paused(other)]).toEqual([
    undefined,
    undefined,
    [false, false],
    [false, false],
  ]);
});
