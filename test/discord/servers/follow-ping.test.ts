import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { idOf, openServers, shownIn } from './fixture.ts';

test('/follow warns of a role that the bot cannot ping, because its cards would reach no one', async () => {
  await using servers = await openServers();
  const [owner] = servers.app.people;
  const { id: guild, channels } = await servers.invite('Chess Club', owner);
  const act = (more: object) => servers.app.interact({ user: owner, ...more });
  const run = (command: string, options = {}) => act({ guild, channel: 'general', command, options });
  await act({ message: idOf(await run('setup')), customId: 'setup:channel', values: [channels['live'] ?? ''] });
  await servers.app.control('/discord/growth', { guild, roles: 1, channels: 0 });
  const roles = await servers.roles(guild);
  const [name = '', id = ''] = Object.entries(roles).at(-1) ?? [];
  const bot = Object.keys(roles).find((one) => /bot/iu.test(one)) ?? '';
  const allow = async (extra: readonly string[]) => {
    const permissions = ['ViewChannel', 'SendMessages', 'EmbedLinks', 'AttachFiles', 'ReadMessageHistory', ...extra];
    await servers.app.control('/discord/roles', { guild, role: bot, permissions });
  };
  const warning = en.setup.ping.cannot(`<@&${id}>`);

  await allow([]);
  await run('follow add', { streamer: `twitch.tv/${owner}`, ping: name });
  const contents = async () => (await servers.messages(guild)).map(({ content }) => content);
  await expect.poll(contents, { timeout: 50_000 }).toContain(warning);
  const edited = await run('follow edit', { streamer: owner, only: 'Chess' });
  await allow(['MentionEveryone']);
  const later = await run('follow edit', { streamer: owner, only: 'Go' });

  expect(shownIn(edited)).toContain(warning);
  expect(shownIn(later)).not.toContain(warning);
});
