import { Events } from 'discord.js';
import { fc } from '../../../test/support/property.ts';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { permissionsIn, toBits, type Overwrite, PERMISSIONS, type Permission } from '../../discord/guild/permissions.ts';
import { channelOf, startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';

// The table has only the keys of its type.
const names = Object.keys(PERMISSIONS) as Permission[];
/** Channels cannot grant Administrator. */
const some = fc.subarray(names.filter((name) => name !== 'Administrator'));

test('the permissions of the bot are equal to the permissions that discord.js computes', async () => {
  await using discord = await startDiscordSandbox();
  const client = await discord.login();
  const live = channelOf(client, 'live');
  const bot = live.guild.members.me;

  await fc.assert(
    fc.asyncProperty(some, some, async (allow, deny) => {
      const updated = once(client, Events.ChannelUpdate);
      await discord.order('/discord/permissions', { channel: 'live', allow, deny });
      await updated;

      const expected = toBits(names.filter((name) => bot && live.permissionsFor(bot).has(name)));
      const overwrite: Overwrite = { id: '1202584131993600004', of: 'role', allow, deny };
      const roles = live.guild.roles.cache.filter(({ id }) => bot?.roles.cache.has(id) && id !== discord.guildId);
      const found = permissionsIn(
        {
          guildId: discord.guildId,
          userId: client.user.id,
          owner: false,
          roles: roles.map(({ id, permissions }) => ({ id, permissions: permissions.bitfield })),
          everyone: live.guild.roles.everyone.permissions.bitfield,
        },
        [overwrite],
      );
      expect(found).toBe(expected);
    }),
    { numRuns: 25 },
  );
});

test('the owner has all permissions, even denied ones', () => {
  const denied: Overwrite = { id: '1', of: 'member', allow: [], deny: names };

  expect(permissionsIn({ guildId: '2', userId: '1', owner: true, roles: [], everyone: 0n }, [denied])).toBe(toBits(names));
  expect(
    permissionsIn({ guildId: '2', userId: '1', owner: false, roles: [], everyone: toBits(names) & ~PERMISSIONS.Administrator }, [denied]),
  ).toBe(0n);
});
