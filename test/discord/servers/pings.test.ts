import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
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
