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

  expect(person).toMatchObject({ platform: 'discord', handle, url: `https://discord.com/users/${person.id}` });
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
