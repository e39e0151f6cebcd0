import { afterAll, beforeAll, expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { fetch } from '../../support/discord-sandbox.ts';
import { idOf, openServers, shownIn, type NewServer, type ServersFixture } from './fixture.ts';

const { live, needsManageRoles } = en.setup;

let servers: ServersFixture;
let owner: string;
let member: string;
let club: NewServer;
let role: string;

beforeAll(async () => {
  servers = await openServers();
  [owner, , member] = servers.app.people;
  club = await servers.invite('Chess Club', owner);
  role = (await servers.roles(club.id))['Live'] ?? '';
});

afterAll(() => servers[Symbol.asyncDispose]());

async function stored(): Promise<Record<string, unknown> | undefined> {
  const { items } = (await (await fetch(`${servers.app.url}/api/servers`)).json()) as { items: Record<string, unknown>[] }; // the API of Fanfare
  return items.find(({ id }) => id === club.id);
}

const allow = (permissions: readonly string[]) => servers.app.control('/discord/roles', { guild: club.id, role: 'Live', permissions });
const run = (user: string, command: string) => servers.app.interact({ user, guild: club.id, channel: 'general', command, forged: true });
const choose = async (user: string, { command, customId }: { command: string; customId: string }, values = ['Live']) =>
  servers.app.interact({ user, message: idOf(await run(user, command)), customId, values });

const LIVE_ROLE = { command: 'setup', customId: 'setup:live' };
const OFFER = { command: 'pings post', customId: 'pings:offer' };

test.each(['Administrator', 'ManageRoles', 'ManageThreads', 'MentionEveryone'])(
  'a role with the permission %s is neither the live role nor offered',
  async (permission) => {
    await allow([permission]);

    expect(shownIn(await choose(owner, LIVE_ROLE))).toContain(live.unsafe(`<@&${role}>`));
    expect(shownIn(await choose(owner, OFFER))).toContain(en.pings.unsafe(`<@&${role}>`));
    expect(await stored()).not.toMatchObject({ liveRole: role });
    await allow([]);
  },
);

test('the live role is reported if it becomes a role of moderators', async () => {
  expect(shownIn(await choose(owner, LIVE_ROLE))).not.toContain('⚠️');
  await allow(['Administrator']);

  expect(shownIn(await run(owner, 'setup'))).toContain(live.unsafe(`<@&${role}>`));
  await allow([]);
  await choose(owner, LIVE_ROLE, []);
  expect(await stored()).not.toHaveProperty('liveRole');
});

test('members who may only set up cannot choose roles that the bot gives', async () => {
  const page = idOf(await run(owner, 'setup'));
  await servers.app.interact({ user: owner, message: page, click: en.setup.buttons.roles });
  await servers.app.interact({ user: owner, message: page, customId: 'setup:roles:setup', values: ['Live'] });
  const { members } = await servers.app.control<{ members: { id: string; username: string }[] }>(`/discord?guild=${club.id}`);
  const id = members.find(({ username }) => username === member)?.id;
  await servers.app.put(`/guilds/${club.id}/members/${id}/roles/${role}`);

  const refused = [await choose(member, LIVE_ROLE), await choose(member, OFFER)];

  expect(refused.map(({ message }) => message?.content)).toEqual([needsManageRoles, needsManageRoles]);
  expect(await stored()).not.toHaveProperty('liveRole');
  expect((await choose(member, LIVE_ROLE, [])).outcome).toBe('update');
});
