import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVER_ABILITIES } from '#src/admin/servers/server-store.ts';
import { en } from '#src/discord/language/en/index.ts';
import { fetch } from '../../support/discord-sandbox.ts';
import { idOf, openServers, shownIn, type ServersFixture } from './fixture.ts';

const { notYours, title } = en.setup.roles;

interface Place {
  readonly guild?: string;
}

let servers: ServersFixture;
let owner: string;
let member: string;
let home: string;

beforeAll(async () => {
  servers = await openServers('discord: { servers: any, roles: { operate: [Moderator], post: [Moderator] } }\n');
  [owner, , member] = servers.app.people;
  home = (await servers.app.control<{ guild: { id: string } }>('/discord')).guild.id;
});

afterAll(() => servers[Symbol.asyncDispose]());

const setup = (user: string, place: Place) => servers.app.interact({ user, ...place, channel: 'general', command: 'setup', forged: true });

/** What the answer to a choice of the role Live for an ability says. */
async function grant(user: string, ability: string, place: Place = {}): Promise<string> {
  const message = idOf(await setup(user, place));
  const { Live: live } = await servers.roles(place.guild ?? home);
  const answer = await servers.app.interact({ user, message, customId: `setup:roles:${ability}`, values: [live ?? ''], forged: true });
  return answer.message?.content || shownIn(answer);
}

async function stored(server: string): Promise<readonly string[]> {
  const { items } = (await (await fetch(`${servers.app.url}/api/servers`)).json()) as { items: { id: string; roles: object }[] }; // the API of Fanfare
  return Object.keys(items.find(({ id }) => id === server)?.roles ?? {});
}

/** Lets the member have the role Live, and the role some permissions of Discord. Waits until the bot lets the member set up. */
async function become(server: string, permissions: readonly string[]): Promise<void> {
  const query = `/discord?guild=${server}`;
  const { members, roles } =
    await servers.app.control<Record<'members' | 'roles', { id: string; name?: string; username?: string }[]>>(query);
  const id = members.find(({ username }) => username === member)?.id;
  const live = roles.find(({ name }) => name === 'Live')?.id;
  expect(await servers.app.put(`/guilds/${server}/members/${id}/roles/${live}`)).toBe(204);
  await servers.app.control('/discord/roles', { guild: server, role: 'Live', permissions });
  await expect.poll(async () => shownIn(await setup(member, { guild: server }))).toContain(`[${en.setup.buttons.roles}]`);
}

describe('in the home server', () => {
  test('members who set up cannot grant abilities that they do not have', async () => {
    expect(await grant(owner, 'setup')).toContain(title);
    await become(home, []);

    for (const ability of SERVER_ABILITIES.filter((one) => one !== 'setup')) expect(await grant(member, ability)).toBe(notYours);
    expect(await stored(home)).toEqual(['setup']);
  });

  test('members who manage the server cannot grant what fanfare.yaml gives to other roles', async () => {
    await become(home, ['ManageGuild']);

    expect(await grant(member, 'operate')).toBe(notYours);
    expect(await grant(member, 'post')).toBe(notYours);
    expect(await grant(member, 'answer')).toBe(notYours);
    expect(await grant(member, 'follow')).toContain(title);
  });

  test('administrators can grant everything', async () => {
    for (const ability of SERVER_ABILITIES) expect(await grant(owner, ability)).toContain(title);
    expect(await stored(home)).toEqual(expect.arrayContaining([...SERVER_ABILITIES]));
  });
});

test('in another server, those who manage it can grant everything, and members who only set up cannot', async () => {
  const { id: guild } = await servers.invite('Chess Club', owner);
  await become(guild, ['ManageGuild']);
  for (const ability of SERVER_ABILITIES) expect(await grant(member, ability, { guild })).toContain(title);

  const message = idOf(await setup(owner, { guild }));
  await servers.app.interact({ user: owner, message, customId: 'setup:roles' });
  await servers.app.interact({ user: owner, message, customId: 'setup:roles:operate', values: [] });
  await become(guild, []);
  expect(await grant(member, 'operate', { guild })).toBe(notYours);
  expect(await grant(member, 'follow', { guild })).toContain(title);
});
