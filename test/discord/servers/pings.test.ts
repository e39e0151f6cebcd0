import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { fetch } from '../../support/discord-sandbox.ts';
import { idOf, openServers, shownIn } from './fixture.ts';

const texts = en.pings;

test('members choose offered roles with a menu, but roles of moderators are never offered', async () => {
  await using servers = await openServers();
  const [owner, , member] = servers.app.people;
  const club = await servers.invite('Chess Club', owner);
  const { Live = '', Moderator = '' } = await servers.roles(club.id);
  const as = (user: string) => (order: object) => servers.app.interact({ user, ...order });
  const [byOwner, byMember] = [as(owner), as(member)];
  const run = (act: typeof byOwner, command: string) => act({ guild: club.id, channel: 'general', command });
  const rolesOf = async () => {
    const { members } = await servers.app.control<{ members: { id: string; username: string }[] }>(`/discord?guild=${club.id}`);
    const id = members.find(({ username }) => username === member)?.id ?? '';
    return (await servers.app.rest<{ roles: string[] }>(`/guilds/${club.id}/members/${id}`)).roles;
  };

  expect(shownIn(await run(byMember, 'pings choose'))).toContain(texts.none);
  expect((await run(byMember, 'pings post')).message?.content).toBe(en.errors.notAllowed);
  const offer = idOf(await run(byOwner, 'pings post'));
  const offered = await byOwner({ message: offer, customId: 'pings:offer', values: ['Live', 'Moderator'] });
  expect(shownIn(offered)).toContain(texts.unsafe(`<@&${Moderator}>`));
  expect(shownIn(await byOwner({ message: offer, click: texts.buttons.post }))).toContain(texts.posted);

  const menu = (await servers.messages(club.id)).findLast(({ ephemeral }) => !ephemeral);
  const mine = idOf(await byMember({ message: menu?.id, click: texts.buttons.choose }));
  expect(shownIn(await byMember({ message: mine, customId: 'pings:chosen', values: [Live] }))).toContain(texts.saved);
  expect(await rolesOf()).toEqual([Live]);
  await byMember({ message: mine, customId: 'pings:chosen', values: [Moderator], forged: true });
  expect(await rolesOf()).toEqual([]);
  await byOwner({ message: idOf(await run(byOwner, 'setup')), customId: 'setup:live', values: ['Live'] });
  expect(shownIn(await run(byOwner, 'pings post'))).toContain(en.setup.live.alsoPinged(`<@&${Live}>`));
});

test('/pings post warns if the bot cannot give roles, so that no member chooses in vain', async () => {
  await using servers = await openServers();
  const [owner] = servers.app.people;
  const { id: guild } = await servers.invite('Chess Club', owner);
  const offer = async () => shownIn(await servers.app.interact({ user: owner, guild, channel: 'general', command: 'pings post' }));
  const warning = en.setup.live.noPermission;

  const before = await offer();
  const bot = Object.keys(await servers.roles(guild)).find((name) => /bot/iu.test(name)) ?? '';
  await servers.app.control('/discord/roles', { guild, role: bot, permissions: ['ViewChannel', 'SendMessages'] });

  expect(before).not.toContain(warning);
  expect(await offer()).toContain(warning);
});

test('a menu that does not show an offered role leaves it', async () => {
  await using servers = await openServers();
  const [owner, , member] = servers.app.people;
  const club = await servers.invite('Chess Club', owner);
  const { Live = '' } = await servers.roles(club.id);
  const act = (user: string, order: object) => servers.app.interact({ user, ...order });
  const run = async (user: string, command: string) => idOf(await act(user, { guild: club.id, channel: 'general', command }));
  const { members } = await servers.app.control<{ members: { id: string; username: string }[] }>(`/discord?guild=${club.id}`);
  const id = members.find(({ username }) => username === member)?.id ?? '';
  const rolesOf = async () => (await servers.app.rest<{ roles: string[] }>(`/guilds/${club.id}/members/${id}`)).roles;

  const before = await run(member, 'pings choose');
  await act(owner, { message: await run(owner, 'pings post'), customId: 'pings:offer', values: ['Live'] });
  await act(member, { message: await run(member, 'pings choose'), customId: 'pings:chosen', values: [Live] });
  await act(member, { message: before, customId: 'pings:chosen', values: [], forged: true });

  expect(await rolesOf()).toEqual([Live]);
});

test('a forged menu of more roles than Discord shows changes nothing, and one that repeats a role offers it once', async () => {
  await using servers = await openServers();
  const [owner, , member] = servers.app.people;
  const { id: guild } = await servers.invite('Chess Club', owner);
  await servers.app.control('/discord/growth', { guild, roles: 40, channels: 0 });
  const roles = Object.values(await servers.roles(guild)).slice(-26);
  const act = (user: string, order: object) => servers.app.interact({ user, ...order });
  const offer = async (values: readonly string[], customId = 'pings:offer') =>
    act(owner, { message: idOf(await act(owner, { guild, channel: 'general', command: 'pings post' })), customId, values, forged: true });

  expect((await offer(roles)).message?.content).toBe(en.errors.gone);
  expect((await offer(roles, 'setup:roles:follow')).message?.content).toBe(en.errors.gone);
  const [first = '', second = ''] = roles;
  await offer([first, second, first]);
  const choice = await act(member, { guild, channel: 'general', command: 'pings choose' });

  expect(JSON.stringify(choice.message?.components).match(/"value":"\d+"/gu)).toEqual([`"value":"${first}"`, `"value":"${second}"`]);
});

test('a menu that is older than the choice of another administrator keeps it', async () => {
  await using servers = await openServers();
  const [owner] = servers.app.people;
  const { id: guild } = await servers.invite('Chess Club', owner);
  await servers.app.control('/discord/growth', { guild, roles: 4, channels: 0 });
  const [first = '', second = '', third = ''] = Object.values(await servers.roles(guild)).slice(-3);
  const act = (order: object) => servers.app.interact({ user: owner, ...order });
  const menus = {
    'pings:offer': async () => idOf(await act({ guild, channel: 'general', command: 'pings post' })),
    'setup:roles:follow': async () =>
      idOf(await act({ message: idOf(await act({ guild, channel: 'general', command: 'setup' })), click: en.setup.buttons.roles })),
  };
  for (const [customId, open] of Object.entries(menus)) {
    await act({ message: await open(), customId, values: [first] });
    const older = await open();
    await act({ message: await open(), customId, values: [second] });

    await act({ message: older, customId, values: [first, third] });
  }

  const { items } = (await (await fetch(`${servers.app.url}/api/servers`)).json()) as { items: { id: string }[] };
  expect(items.find(({ id }) => id === guild)).toMatchObject({ pings: [second, third], roles: { follow: [second, third] } });
});
