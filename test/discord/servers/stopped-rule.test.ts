import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { fetch } from '../../support/discord-sandbox.ts';
import { idOf, openServers, shownIn } from './fixture.ts';

test('what /follow answers promises no card while the operator has paused the rule', async () => {
  await using servers = await openServers();
  const [owner, guest] = servers.app.people;
  const club = await servers.invite('Chess Club', guest);
  const run = (command: string, options = {}, more: object = { user: guest, guild: club.id }) =>
    servers.app.interact({ channel: 'general', command, options, ...more });
  const live = club.channels['live'] ?? '';
  await servers.app.interact({ user: guest, message: idOf(await run('setup')), customId: 'setup:channel', values: [live] });
  const next = en.following.next(`<#${live}>`);
  const before = await run('follow add', { streamer: `twitch.tv/${guest}` });
  const headers = { 'content-type': 'application/json' };
  const pause = async () => (await fetch(`${servers.app.url}/api/rules/followed/pause`, { method: 'POST', headers, body: '{}' })).status;
  await expect.poll(pause, { timeout: 50_000 }).toBe(200);

  const answers = [
    await run('follow add', { streamer: `twitch.tv/${owner}` }),
    await run('follow edit', { streamer: guest, only: 'Chess' }),
    await run('follow list'),
  ].map(shownIn);

  expect(shownIn(before)).toContain(next);
  for (const answer of answers) {
    expect(answer).toContain(en.following.noRule);
    expect(answer).not.toContain(next);
  }
});
