import { expect, test } from 'vitest';
import { openChat, type ChatFixture } from './open-chat.ts';

async function rolesOf({ discord }: ChatFixture, userId: string): Promise<readonly string[]> {
  const member = (await discord.rest().get(`/guilds/${discord.guildId}/members/${userId}`)) as { roles: string[] }; // Discord's
  return member.roles;
}

test('a role is added to a member by handle, name and id, and removed', async () => {
  await using fixture = await openChat();
  const [, , handle] = fixture.discord.people;

  const person = await fixture.chat.addRole(handle, 'Live');
  await fixture.chat.addRole(person.id, 'Live');
  const held = await rolesOf(fixture, person.id);
  await fixture.chat.removeRole(person.displayName, '@Live');

  expect(person).toMatchObject({
    platform: 'discord',
    handle,
    url: `https://discord.com/users/${person.id}`,
    role: { id: '1202584131993600005', name: 'Live' },
  });
  expect(held).toEqual(['1202584131993600005']);
  expect(await rolesOf(fixture, person.id)).toEqual([]);
});

test('an unknown member or role is the fault missing, and nothing changes', async () => {
  await using fixture = await openChat();
  const [, , handle] = fixture.discord.people;

  await expect(fixture.chat.addRole('nobody-at-all', 'Live')).rejects.toMatchObject({
    fault: 'missing',
    message: expect.stringMatching(/no member "nobody/),
  });
  await expect(fixture.chat.addRole(handle, 'Leader')).rejects.toMatchObject({
    fault: 'missing',
    message: expect.stringMatching(/no role "Leader"/),
  });
  await expect(fixture.chat.addRole(handle.slice(0, 2), 'Live')).rejects.toMatchObject({ fault: 'missing' });
});

test("a role above the bot's role is forbidden, and the error names the requirement", async () => {
  await using fixture = await openChat();

  await expect(fixture.chat.addRole(fixture.discord.people[2], 'Moderator')).rejects.toMatchObject({
    fault: 'forbidden',
    message: expect.stringContaining('Manage Roles'),
  });
});

/** A user who is only in another server. */
async function openStranger({ discord }: ChatFixture): Promise<{ readonly id: string; readonly handle: string }> {
  const handle = discord.sandbox.world.people[20]?.handle ?? '';
  const { guild } = await discord.order<{ guild: { id: string } }>('/discord/servers', { name: 'Other Club', owner: handle });
  const { members } = await discord.order<{ members: { id: string; username: string }[] }>(`/discord?guild=${guild.id}`, undefined);
  return { id: members.find(({ username }) => username === handle)?.id ?? '', handle };
}

test.for(['id', 'mention'] as const)(
  'a user who left the server has no role: removal and the live role of a server end by %s',
  async (kind) => {
    await using fixture = await openChat();
    const { id, handle } = await openStranger(fixture);
    const user = kind === 'id' ? id : `<@${id}>`;
    const server = fixture.discord.guildId;

    const removed = await fixture.chat.removeRole(user, 'Live');
    const added = await fixture.chat.addRole(user, 'Live', { server });

    expect([removed, added]).toMatchObject([
      { id, handle },
      { id, handle },
    ]);
    await expect(fixture.chat.addRole(user, 'Live')).rejects.toMatchObject({
      fault: 'missing',
      message: expect.stringContaining('The user is not in the server.'),
    });
  },
);

test('an id that no user has stays the fault missing', async () => {
  await using fixture = await openChat();

  await expect(fixture.chat.removeRole('1202584131993699999', 'Live')).rejects.toMatchObject({ fault: 'missing' });
  await expect(fixture.chat.addRole('1202584131993699999', 'Live', { server: fixture.discord.guildId })).rejects.toMatchObject({
    fault: 'missing',
  });
});
