import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetch } from '../../support/discord-sandbox.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { idOf, openServers, shownIn, textsIn, type NewServer, type ServersFixture } from './fixture.ts';

const texts = en.setup;

describe('the set-up of a server', () => {
  let servers: ServersFixture;
  let owner: string;
  let member: string;
  let club: NewServer;
  let roles: Readonly<Record<string, string>>;

  beforeAll(async () => {
    servers = await openServers();
    [owner, , member] = servers.app.people;
    club = await servers.invite('Chess Club', owner);
    roles = await servers.roles(club.id);
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  const act = (order: object) => servers.app.interact({ user: owner, ...order });
  const open = async () => idOf(await act({ guild: club.id, channel: 'general', command: 'setup' }));
  const stored = async () => {
    const { items } = (await (await fetch(`${servers.app.url}/api/servers`)).json()) as { items: Record<string, unknown>[] };
    return items.find(({ id }) => id === club.id);
  };
  const configure = async (zone: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${servers.app.url}/api/servers/${club.id}/configure`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ zone }),
    });
    return answer.json();
  };

  test('a server that invites the bot is greeted once, and has the commands at once', async () => {
    const greeting = await servers.greeting(club.id);

    expect(greeting.channel.name).toBe('general');
    expect(textsIn(greeting.components).join('\n')).toContain(texts.greeting.about);
    const answered = await act({ message: greeting.id, click: texts.greeting.setUp });
    expect(answered).toMatchObject({ outcome: 'message', ephemeral: true });
    expect(shownIn(answered)).toContain(texts.channel.none);
    expect((await servers.messages(club.id)).filter(({ ephemeral }) => !ephemeral)).toHaveLength(1);
  });

  test('a chosen channel is checked at once, with the missing permission, and again after it was allowed', async () => {
    const live = club.channels['live'] ?? '';
    await servers.app.control('/discord/permissions', { guild: club.id, channel: live, deny: ['EmbedLinks'] });
    const message = await open();

    const lacking = await act({ message, customId: 'setup:channel', values: [live] });
    expect(lacking.outcome).toBe('update');
    expect(shownIn(lacking)).toContain(texts.lacks(`<#${live}>`, 'Embed Links', 1));
    await servers.app.control('/discord/permissions', { guild: club.id, channel: live });
    const fine = await act({ message, click: texts.channel.check });

    expect(shownIn(fine)).toContain(texts.channel.fine(`<#${live}>`));
    expect(shownIn(fine)).not.toContain(texts.channel.check);
    expect(await stored()).toMatchObject({ name: 'Chess Club', channel: live });
  });

  test('Done says why nothing is announced yet: no channel, a missing permission, a deleted channel', async () => {
    const { id, channels } = await servers.invite('Shogi Club', owner);
    const live = channels['live'] ?? '';
    const message = idOf(await act({ guild: id, channel: 'general', command: 'setup' }));
    const done = () => act({ message, customId: 'setup:done', forged: true });

    const without = shownIn(await done());
    await act({ message, customId: 'setup:channel', values: [live], forged: true });
    await servers.app.control('/discord/permissions', { guild: id, channel: live, deny: ['SendMessages'] });
    const lacking = shownIn(await done());
    await servers.app.control('/discord/permissions', { guild: id, channel: live });
    await act({ message, click: texts.channel.check });
    const fine = shownIn(await act({ message, click: texts.buttons.done }));
    await servers.app.control('/discord/removals', { guild: id, channel: live });
    const gone = shownIn(await done());

    for (const shown of [without, lacking, gone]) expect(shown).toContain(texts.done.notYet);
    expect(without).toContain(texts.channel.none);
    expect(lacking).toContain(texts.lacks(`<#${live}>`, 'Send Messages', 1));
    expect(gone).toContain(texts.channel.gone);
    expect(fine).toContain(texts.done.title);
  });

  test('the test is the card in the channel, without pings, and names a missing permission', async () => {
    const live = club.channels['live'] ?? '';
    const message = await open();
    await act({ message, click: texts.ping.askEveryone });
    await act({ message, customId: 'setup:everyone:yes' });
    const sent = async () => (await servers.messages(club.id)).filter(({ channel, ephemeral }) => channel.id === live && !ephemeral);

    const tested = await act({ message, click: texts.buttons.test });
    expect(shownIn(tested)).toContain(texts.test.sent(`<#${live}>`));
    const [card, ...more] = await sent();
    expect(more).toEqual([]);
    expect(card).toMatchObject({
      content: expect.stringContaining(texts.test.mark),
      embeds: [{ title: en.following.sample.title, author: { name: en.following.sample.name } }],
      pinged: { everyone: false, roles: [], users: [] },
    });
    expect(textsIn(card?.components)).toEqual(['[Watch on Twitch]']);

    await servers.app.control('/discord/permissions', { guild: club.id, channel: live, deny: ['SendMessages'] });
    expect(shownIn(await act({ message, click: texts.buttons.test })).split(texts.lacks(`<#${live}>`, 'Send Messages', 1))).toHaveLength(2);
    await servers.app.control('/discord/permissions', { guild: club.id, channel: live });
    await servers.app.interact({ user: member, message, customId: 'setup:test', forged: true });
    expect(await sent()).toHaveLength(1);
    await act({ message, customId: 'setup:everyone:no' });
  });

  test('the test is in the language of the server', async () => {
    const german = await servers.invite('Schachclub', owner, 'de');
    const message = idOf(await act({ guild: german.id, channel: 'general', command: 'setup' }));
    await act({ message, customId: 'setup:channel', values: [german.channels['live'] ?? ''] });
    await act({ message, customId: 'setup:test' });

    const sent = (await servers.messages(german.id)).find(({ channel, ephemeral }) => channel.name === 'live' && !ephemeral);
    expect(sent).toMatchObject({ content: expect.stringContaining(de.setup.test.mark), embeds: [{ title: de.following.sample.title }] });
    expect(sent?.content).toContain('ist live!');
  });

  test('everyone is pinged only after a second click that names the number of members', async () => {
    const message = await open();

    const asked = await act({ message, click: texts.ping.askEveryone });
    expect(shownIn(asked)).toContain(texts.ping.question('9 members'));
    expect(await stored()).not.toHaveProperty('ping');
    const chosen = await act({ message, click: texts.ping.yes('9 members') });
    expect(shownIn(chosen)).toContain(texts.ping.everyone('9 members'));
    expect(await stored()).toMatchObject({ ping: 'everyone' });

    expect(shownIn(await act({ message, customId: 'setup:ping', values: ['Live'] }))).toContain(texts.ping.role(`<@&${roles['Live']}>`));
    await act({ message, click: texts.ping.askEveryone });
    expect(shownIn(await act({ message, click: texts.ping.no }))).toContain(texts.ping.role(`<@&${roles['Live']}>`));
    expect(shownIn(await act({ message, customId: 'setup:ping', values: [] }))).toContain(texts.ping.none);
    expect(await stored()).not.toHaveProperty('ping');
  });

  test('a live role above the bot is refused', async () => {
    const message = await open();

    const refused = await act({ message, customId: 'setup:live', values: ['Moderator'] });
    expect(shownIn(refused)).toContain(texts.live.tooHigh(`<@&${roles['Moderator']}>`));
    expect(await stored()).not.toHaveProperty('liveRole');
    await act({ message, customId: 'setup:live', values: ['Live'] });

    expect(await stored()).toMatchObject({ liveRole: roles['Live'] });
    const pinged = [
      await act({ message, customId: 'setup:ping', values: ['Live'] }),
      await act({ message, customId: 'setup:ping', values: [] }),
    ].map((view) => shownIn(view).includes(texts.live.alsoPinged(`<@&${roles['Live']}>`)));
    expect(pinged).toEqual([true, false]);
  });

  test('the language is chosen in a menu, and other values are refused', async () => {
    const message = await open();
    const menu = async (values: readonly string[], forged = false) => act({ message, customId: 'setup:language', values, forged });

    const chosen = await menu(['de']);
    expect(shownIn(chosen)).toContain(texts.language.chosen('Deutsch'));
    expect(JSON.stringify(chosen.message?.components)).toMatch(/"default":true[^}]*"value":"de"|"value":"de"[^}]*"default":true/u);
    expect(await stored()).toMatchObject({ language: 'de' });
    const refused = await menu(['fr'], true);
    expect(refused.message?.content).toBe(en.errors.gone);
    expect(await stored()).toMatchObject({ language: 'de' });
    await menu(['server']);
    expect(await stored()).not.toHaveProperty('language');
  });

  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['  europe/berlin ', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['Zürich', 'Europe/Zurich'],
    ['UTC', 'UTC'],
    ['cet', 'CET'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
    ['asia/ho chi minh', 'Asia/Ho_Chi_Minh'],
    ['asia/kolkata', 'Asia/Kolkata'],
    ['kyiv', 'Europe/Kyiv'],
    ['Kiev', 'Europe/Kiev'],
  ])('the time zone %j is stored as %s, and an empty text removes it', async (typed, zone) => {
    const message = await open();
    const write = async (text: string) => act({ modal: (await act({ message, customId: 'setup:zone' })).id, fields: { zone: text } });

    const changed = await write(typed);
    expect(shownIn(changed).replaceAll('\\', '')).toContain(texts.zone.chosen(zone));
    expect(await stored()).toMatchObject({ zone });
    expect(shownIn(await write(''))).toContain(texts.zone.ofInstallation('UTC'));
    expect(await stored()).not.toHaveProperty('zone');
    expect(await configure(typed)).toMatchObject({ zone });
    expect(await configure('')).not.toHaveProperty('zone');
  });

  test('a form that does not change its time zone keeps that of another administrator', async () => {
    const message = await open();
    const openForm = async () => (await act({ message, customId: 'setup:zone' })).id;
    for (const [before, after] of [
      ['Asia/Kolkata', 'Europe/Berlin'],
      ['', 'Europe/Paris'],
    ]) {
      await act({ modal: await openForm(), fields: { zone: before } });
      const older = await openForm();
      await act({ modal: await openForm(), fields: { zone: after } });

      const kept = await act({ modal: older, fields: { zone: before } });
      expect(shownIn(kept)).toContain(texts.zone.chosen(after ?? ''));
      expect(await stored()).toMatchObject({ zone: after });
    }
    await act({ modal: await openForm(), fields: { zone: '' } });
    expect(await stored()).not.toHaveProperty('zone');
  });

  test('a form of an earlier version, which lacks a field, is refused with the way out', async () => {
    const message = await open();

    const refused = await act({ message, forgedForm: 'setup:zoned', fields: { region: 'Europe/Berlin' } });

    expect([refused.ephemeral, refused.message?.content]).toEqual([true, en.errors.gone]);
    expect(servers.app.lines.filter((line) => line.includes('a button failed'))).toEqual([]);
  });

  // Abbreviations stand for zones that differ from country to country: in Node.js, BST is Dhaka, and EST has no summer time.
  test.each([
    'Berlin/Europe',
    '@everyone **x**',
    '\u202E',
    'Mars/Olympus',
    '99',
    '+02:00',
    '+0200',
    '-05',
    'UTC+2',
    'GMT+1',
    'EST',
    'bst',
    'CEST',
  ])('the time zone %j is refused in Discord and over HTTP, and the answer says what to write', async (typed) => {
    const message = await open();
    const form = await act({ message, customId: 'setup:zone' });

    const refused = await act({ modal: form.id, fields: { zone: typed } });

    expect(refused).toMatchObject({
      ephemeral: true,
      message: { content: expect.stringMatching(/`Europe\/Berlin` or `New York`.*abbreviations/u) },
    });
    expect(await configure(typed)).toMatchObject({
      status: 400,
      errors: [{ detail: expect.stringMatching(/Europe\/Berlin.*abbreviations/u) }],
    });
    expect(await stored()).not.toHaveProperty('zone');
  });

  test('a form that still shows the offset of an earlier version can be sent without a change', async () => {
    const message = await open();

    const kept = await act({ message, forgedForm: 'setup:zoned:+05:30', fields: { zone: '+05:30' } });

    expect(shownIn(kept)).toContain(texts.zone.ofInstallation('UTC'));
  });

  test('a member has no access, neither with the command nor with buttons, until a role allows it', async () => {
    const message = await open();
    const denied = en.errors.notAllowed;
    const forge = (customId: string) => servers.app.interact({ user: member, message, customId, forged: true });

    const [byCommand, byButton] = [
      await servers.app.interact({ user: member, guild: club.id, channel: 'general', command: 'setup', forged: true }),
      await forge('setup:everyone:yes'),
    ];
    expect([byCommand, byButton].map(({ message: answer, ephemeral }) => [answer?.content, ephemeral])).toEqual([
      [denied, true],
      [denied, true],
    ]);
    expect(await stored()).not.toHaveProperty('ping');

    const page = shownIn(await act({ message, click: texts.buttons.roles }));
    for (const ability of ['setup', 'follow', 'operate', 'answer'] as const) expect(page).toContain(texts.roles[ability]);
    // Other servers than the home server cannot post to the social accounts.
    expect(page).not.toContain(texts.roles.post);
    await act({ message, customId: 'setup:roles:setup', values: ['Live'] });
    expect(await stored()).toMatchObject({ roles: { setup: [roles['Live']] } });
    const { members } = await servers.app.control<{ members: { id: string; username: string }[] }>(`/discord?guild=${club.id}`);
    const id = members.find(({ username }) => username === member)?.id;
    await servers.app.put(`/guilds/${club.id}/members/${id}/roles/${roles['Live']}`);
    const allowed = await servers.app.interact({ user: member, guild: club.id, channel: 'general', command: 'setup', forged: true });
    expect(shownIn(allowed)).toContain(texts.channel.title);
  });

  // The roles allow it in the test before this one.
  test('a member who may set up but not operate does not choose the channel for problems', async () => {
    const page = await servers.app.interact({ user: member, guild: club.id, channel: 'general', command: 'setup', forged: true });
    const message = idOf(page);
    const before = await stored();
    const [channel = ''] = [club.channels['stream-alerts']];
    for (const values of [[channel], []]) {
      const refused = await act({ user: member, message, customId: 'setup:problems', values, forged: true });
      expect(refused.message?.content).toBe(texts.problems.needsOperate);
    }
    expect(await stored()).toEqual(before);
  });

  test('an administrator of another server changes only that server, even with forged values', async () => {
    const other = await servers.invite('Go Club', member);
    const page = await servers.app.interact({ user: member, guild: other.id, channel: 'general', command: 'setup' });
    const before = await stored();

    const forged = await servers.app.interact({
      user: member,
      message: idOf(page),
      customId: `setup:channel`,
      values: [club.channels['live'] ?? ''],
      forged: true,
    });

    expect(JSON.stringify(forged)).not.toContain(club.channels['live']);
    expect(await stored()).toEqual(before);
  });

  test.each([
    ['visible', []],
    ['hidden', ['ViewChannel']],
  ])('a %s channel of another server is refused, and a hidden one of the own server is reported', async (kind, deny) => {
    const other = await servers.invite(`Bridge Club ${kind}`, member);
    const message = await open();
    const before = await stored();
    const [foreign = '', own = ''] = [other.channels['live'], club.channels['stream-alerts']];
    await servers.app.control('/discord/permissions', { guild: other.id, channel: foreign, deny });
    await servers.app.control('/discord/permissions', { guild: club.id, channel: own, deny: ['ViewChannel'] });

    for (const customId of ['setup:channel', 'setup:problems']) {
      const refused = await act({ message, customId, values: [foreign], forged: true });
      expect(refused.message?.content).toBe(texts.foreignChannel);
      expect(await stored()).toEqual(before);
    }
    const chosen = await act({ message, customId: 'setup:problems', values: [own], forged: true });
    expect(shownIn(chosen)).toContain(texts.lacks(`<#${own}>`, 'View Channel', 1));
    await act({ message, customId: 'setup:problems', values: [] });
    await servers.app.control('/discord/permissions', { guild: club.id, channel: own });
  });

  test('the summary names the channel and the next commands', async () => {
    const message = await open();

    const done = await act({ message, click: texts.buttons.done });

    expect(shownIn(done)).toContain(texts.done.channel(`<#${club.channels['live']}>`));
    expect(shownIn(done)).toMatch(/<\/setup:\d+>|<\/help:\d+>|`\/help`/u);
  });
});
