import { expect, test, vi } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { fetch } from '../../support/discord-sandbox.ts';
import { idOf, openServers } from './fixture.ts';

const texts = en.following.buttons;

function firstWord(text: unknown): string | undefined {
  return typeof text === 'string' ? text.split(' ')[0] : undefined;
}

test('a streamer who is removed and restored during a stream has a live card and the live role again', async () => {
  await using servers = await openServers();
  const { app } = servers;
  const [owner, , member] = app.people;
  const club = await servers.invite('Chess Club', owner);
  const act = (order: object) => app.interact({ user: owner, ...order });
  const run = (command: string, options = {}) => act({ guild: club.id, channel: 'general', command, options });
  const poll = async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${app.url}/api/rules/followed/run`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(200);
  };
  const state = async () => {
    const { members } = await app.control<{ members: { id: string; username: string }[] }>(`/discord?guild=${club.id}`);
    const id = members.find(({ username }) => username === member)?.id ?? '';
    const { roles } = await app.rest<{ roles: string[] }>(`/guilds/${club.id}/members/${id}`);
    const cards = (await servers.messages(club.id)).filter(({ channel, ephemeral }) => channel.id === club.channels['live'] && !ephemeral);
    return [roles.length, ...cards.map(({ content, embeds: [embed] }) => `${content} ${firstWord(embed?.description)}`)];
  };
  const shows = (expected: readonly unknown[]) => vi.waitFor(async () => expect(await state()).toEqual(expected), { timeout: 20_000 });
  const setup = await run('setup');
  await act({ message: idOf(setup), customId: 'setup:channel', values: ['live'] });
  await act({ message: idOf(setup), customId: 'setup:live', values: ['Live'] });
  await app.control('/world', { do: 'goLive', user: member, game: 'Chess', title: 'Rook endgames', viewers: 808 });
  const followed = await run('follow add', { streamer: `twitch.tv/${member}`, member });
  const button = /follow:announce:[^"]+/u.exec(JSON.stringify(followed.message?.components))?.[0];
  await act({ message: idOf(followed), customId: button });
  const live = [1, expect.stringMatching(/is live! started$/u)];
  await shows(live);

  const removed = await run('follow remove', { streamer: member });
  await poll();
  await shows([0, expect.stringMatching(/was live\. ended$/u)]);
  await act({ message: idOf(removed), click: texts.undo });
  await poll();

  await shows(live);
});
