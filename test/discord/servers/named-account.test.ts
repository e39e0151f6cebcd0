import { expect, test, vi } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { openApp } from '../app-fixture.ts';
import { idOf, shownIn } from './fixture.ts';

const [FIRST, BERLIN] = ['1202584131993600001', '1202584131997794305'];

test.each([
  ['one server', FIRST, { main: FIRST }],
  ['the second of two servers', BERLIN, { main: FIRST, berlin: BERLIN }],
])('a streamer is announced in %s, although no account has the name discord', async (_, guild, servers) => {
  const accounts = Object.entries(servers).map(([name, server]) => `  ${name}: { platform: discord, server: '${server}' }\n`);
  await using app = await openApp(`accounts:\n${accounts.join('')}`, { environment: { DISCORD_GUILD_ID: '' } });
  const { members } = await app.control<{ members: { username: string; bot: boolean }[] }>(`/discord?guild=${guild}`);
  const user = members.find(({ bot }) => !bot)?.username ?? '';
  const act = (more: object) => app.interact({ user, ...more });
  const run = (command: string, options = {}) => act({ guild, channel: 'general', command, options });
  await app.control('/world', { do: 'goLive', user, game: 'Chess', title: 'Rook endgames', viewers: 808 });
  await act({ message: idOf(await run('setup')), customId: 'setup:channel', values: ['live'] });

  const added = await run('follow add', { streamer: `twitch.tv/${user}` });
  const button = /follow:announce:[^"]+/u.exec(JSON.stringify(added.message?.components))?.[0];
  const announced = await act({ message: idOf(added), customId: button });

  expect(shownIn(announced)).not.toContain(en.following.noRule);
  await vi.waitFor(
    async () => {
      const { items } = await app.control<{ items: { embeds: unknown; ephemeral?: boolean }[] }>(`/messages?guild=${guild}&channel=live`);
      expect(JSON.stringify(items.filter(({ ephemeral }) => !ephemeral))).toContain('Rook endgames');
    },
    { timeout: 50_000 },
  );
});
