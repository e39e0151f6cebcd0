import { expect, test, vi } from 'vitest';
import { fetch } from '../../support/discord-sandbox.ts';
import { idOf, openServers } from './fixture.ts';

test('a member with two followed channels keeps the live role until no stream is left', async () => {
  await using servers = await openServers();
  const { app } = servers;
  const [owner, other, member] = app.people;
  const club = await servers.invite('Chess Club', owner);
  const act = (order: object) => app.interact({ user: owner, ...order });
  const run = (command: string, options = {}) => act({ guild: club.id, channel: 'general', command, options });
  const setup = await run('setup');
  await act({ message: idOf(setup), customId: 'setup:channel', values: ['live'] });
  await act({ message: idOf(setup), customId: 'setup:live', values: ['Live'] });
  const announced = async (streamer: string | undefined) => {
    await app.control('/world', { do: 'goLive', user: streamer, game: 'Chess', title: 'Rook endgames', viewers: 808 });
    const followed = await run('follow add', { streamer: `twitch.tv/${streamer}`, member });
    await act({ message: idOf(followed), customId: /follow:announce:[^"]+/u.exec(JSON.stringify(followed.message?.components))?.[0] });
  };
  const removed = async (streamer: string | undefined) => {
    await run('follow remove', { streamer });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${app.url}/api/rules/followed/run`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(200);
  };
  const shows = (roles: number, cards: readonly string[]) =>
    vi.waitFor(
      async () => {
        const { members } = await app.control<{ members: { id: string; username: string }[] }>(`/discord?guild=${club.id}`);
        const id = members.find(({ username }) => username === member)?.id ?? '';
        const found = await app.rest<{ roles: string[] }>(`/guilds/${club.id}/members/${id}`);
        const sent = (await servers.messages(club.id)).filter(
          ({ channel, ephemeral }) => channel.id === club.channels['live'] && !ephemeral,
        );
        expect([found.roles.length, ...sent.map(({ content }) => /is live|was live/u.exec(content)?.[0])]).toEqual([roles, ...cards]);
      },
      { timeout: 20_000 },
    );

  await announced(member);
  await announced(other);
  await shows(1, ['is live', 'is live']);
  await removed(member);
  await shows(1, ['was live', 'is live']);
  await removed(other);

  await shows(0, ['was live', 'was live']);
});
