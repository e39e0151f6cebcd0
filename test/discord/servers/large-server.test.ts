import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { idOf, openServers, shownIn } from './fixture.ts';

test('a server with 250 roles and 500 channels is set up, and its members choose among 25 roles', async () => {
  await using servers = await openServers();
  const [owner, , member] = servers.app.people;
  const { id: guild } = await servers.invite('Chess Club', owner);
  const grown = await servers.app.control('/discord/growth', { guild, roles: 246, channels: 497 });
  expect(grown).toEqual({ roles: 250, channels: 500 });
  const { channels } = await servers.app.control<{ channels: { id: string }[] }>(`/discord?guild=${guild}`);
  const roles = Object.values(await servers.roles(guild)).slice(-25);
  const [channel = '', role = ''] = [channels.at(-1)?.id, roles.at(-1)];
  const act = (order: object) => servers.app.interact({ user: owner, ...order });

  const message = idOf(await act({ guild, channel: 'general', command: 'setup' }));
  expect(shownIn(await act({ message, customId: 'setup:channel', values: [channel] }))).toContain(en.setup.channel.fine(`<#${channel}>`));
  expect(shownIn(await act({ message, customId: 'setup:ping', values: [role] }))).toContain(en.setup.ping.role(`<@&${role}>`));
  const offer = idOf(await act({ guild, channel: 'general', command: 'pings post' }));
  await act({ message: offer, customId: 'pings:offer', values: roles });
  const choice = idOf(await servers.app.interact({ user: member, guild, channel: 'general', command: 'pings choose' }));
  const chosen = await servers.app.interact({ user: member, message: choice, customId: 'pings:chosen', values: [role] });

  expect(shownIn(chosen)).toContain(en.pings.saved);
});
