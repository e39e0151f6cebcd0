import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { idOf, openServers, shownIn } from './fixture.ts';

test.each([
  ['deleted', '/discord/removals', {}, () => en.following.gone],
  [
    'closed to the bot',
    '/discord/permissions',
    { deny: ['SendMessages'] },
    (live: string) => en.following.lacks(`<#${live}>`, 'Send Messages'),
  ],
])('a streamer is not announced, and an edit and the list warn, if the channel is %s', async (_, path, order, warning) => {
  await using servers = await openServers();
  const [owner] = servers.app.people;
  const { id: guild, channels } = await servers.invite('Chess Club', owner);
  const live = channels['live'] ?? '';
  const act = (more: object) => servers.app.interact({ user: owner, ...more });
  const run = (command: string, options = {}) => act({ guild, channel: 'general', command, options });
  await act({ message: idOf(await run('setup')), customId: 'setup:channel', values: [live] });
  const added = idOf(await run('follow add', { streamer: `twitch.tv/${owner}` }));
  await servers.app.control(path, { guild, channel: live, ...order });

  const announced = await act({ message: added, customId: `follow:announce:${owner}`, forged: true });
  const edited = await run('follow edit', { streamer: owner, only: 'Chess' });

  expect(shownIn(await run('follow list'))).toContain(warning(live));
  expect(shownIn(announced)).toBe(warning(live));
  expect(shownIn(edited)).toContain(warning(live));
  expect(shownIn(edited)).not.toContain(en.following.next(`<#${live}>`));
});
