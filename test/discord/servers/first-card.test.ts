import { expect, test, vi } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { BERLIN, openServers as openTwoServers } from '../../acceptance/servers/fixture.ts';
import { idOf, openServers, shownIn, textsIn } from './fixture.ts';

/** From the invitation to the first card. */
const LIMIT_MS = 60_000;

test('four interactions lead from the invitation to the first real card, without a file, and in under a minute', async () => {
  await using servers = await openServers();
  const [owner] = servers.app.people;
  await servers.app.control('/world', { do: 'goLive', user: owner, game: 'Chess', title: 'Rook endgames', viewers: 808 });
  const startedMs = Date.now();
  const club = await servers.invite('Chess Club', owner);
  const greeting = await servers.greeting(club.id);
  const act = (order: object) => servers.app.interact({ user: owner, ...order });
  const live = club.channels['live'] ?? '';

  const setup = await act({ message: greeting.id, click: en.setup.greeting.setUp });
  await act({ message: idOf(setup), customId: 'setup:channel', values: [live] });
  const followed = await act({ guild: club.id, channel: 'general', command: 'follow add', options: { streamer: `twitch.tv/${owner}` } });
  const announced = await act({ message: idOf(followed), click: en.following.buttons.announce('Ada') });

  expect(shownIn(announced)).toContain(en.following.announced('Ada'));
  const card = await vi.waitFor(
    async () => {
      const [first] = (await servers.messages(club.id)).filter(({ channel, ephemeral }) => channel.id === live && !ephemeral);
      if (!first) throw new Error(servers.app.lines.slice(-10).join(''));
      return first;
    },
    { timeout: LIMIT_MS },
  );
  expect(Date.now() - startedMs).toBeLessThan(LIMIT_MS);
  expect(JSON.stringify([card.embeds, textsIn(card.components)])).toContain('Ada');
  expect(card.pinged).toEqual({ everyone: false, roles: [], users: [] });
  const list = shownIn(await act({ guild: club.id, channel: 'general', command: 'follow list' }));
  expect(list).toMatch(/^-# 📣 <t:\d+:[a-zA-Z]> Ada /mu);
});

test('the button for a stream without the chosen words says that the words are missing, and not that the stream is over', async () => {
  await using servers = await openServers();
  const [owner] = servers.app.people;
  const club = await servers.invite('Chess Club', owner);
  const act = (order: object) => servers.app.interact({ user: owner, ...order });
  const run = (command: string, options = {}) => act({ guild: club.id, channel: 'general', command, options });
  const setup = await run('setup');
  await act({ message: idOf(setup), customId: 'setup:channel', values: ['live'] });
  await servers.app.control('/world', { do: 'goLive', user: owner, game: 'Chess', title: 'Rook endgames', viewers: 808 });

  const followed = await run('follow add', { streamer: `twitch.tv/${owner}`, only: 'Poker, Go' });
  const answer = await act({ message: idOf(followed), click: en.following.buttons.announce('Ada') });

  expect(shownIn(answer)).toBe(en.following.notAnnounced.notLive('Ada', 'Poker, Go'));
});

test('the member who streams has the live role until the stream ends', async () => {
  await using servers = await openServers();
  const [owner, , member] = servers.app.people;
  const club = await servers.invite('Chess Club', owner);
  const act = (order: object) => servers.app.interact({ user: owner, ...order });
  const run = (command: string, options = {}) => act({ guild: club.id, channel: 'general', command, options });
  const hasRole = async () => {
    const { members } = await servers.app.control<{ members: { id: string; username: string }[] }>(`/discord?guild=${club.id}`);
    const id = members.find(({ username }) => username === member)?.id ?? '';
    return (await servers.app.rest<{ roles: string[] }>(`/guilds/${club.id}/members/${id}`)).roles.length > 0;
  };
  const setup = await run('setup');
  await act({ message: idOf(setup), customId: 'setup:channel', values: ['live'] });
  await act({ message: idOf(setup), customId: 'setup:live', values: ['Live'] });
  await servers.app.control('/world', { do: 'goLive', user: member, game: 'Chess', title: 'Rook endgames', viewers: 808 });

  const followed = await run('follow add', { streamer: `twitch.tv/${member}`, member });
  const button = /follow:announce:[^"]+/u.exec(JSON.stringify(followed.message?.components))?.[0];
  await act({ message: idOf(followed), customId: button });

  await vi.waitFor(async () => expect(await hasRole()).toBe(true), { timeout: 20_000 });
});

test('a second server of fanfare.yaml has the cards of the streamers that it follows', async () => {
  await using app = await openTwoServers();
  const { berlinOwner: user } = app.who;
  await app.control('/world', { do: 'goLive', user, game: 'Chess', title: 'Rook endgames', viewers: 808 });
  const setup = await app.command(BERLIN, user, 'setup');
  await app.interact({ user, message: idOf(setup), customId: 'setup:channel', values: ['live'] });

  const followed = await app.command(BERLIN, user, 'follow add', { streamer: `twitch.tv/${user}` });
  const button = /follow:announce:[^"]+/u.exec(JSON.stringify(followed.message?.components))?.[0];
  await app.interact({ user, message: idOf(followed), customId: button });

  const [card] = await app.until(async () => {
    const cards = (await app.messagesIn(BERLIN, 'live')).filter(({ ephemeral }) => !ephemeral);
    return cards.length > 0 && cards;
  });
  expect(JSON.stringify(card?.embeds)).toContain('Rook endgames');
});

test('a button of a message that another account sent to a server works there', async () => {
  await using app = await openTwoServers();
  const { berlinOwner: user } = app.who;
  const { channels } = await app.control<{ channels: { id: string; name: string }[] }>(`/discord?guild=${encodeURIComponent(BERLIN)}`);
  const live = channels.find(({ name }) => name === 'live')?.id ?? '';
  await app.control('/world', { do: 'goLive', user, game: 'Chess', title: 'Rook endgames', viewers: 808 });
  await app.changeRule(
    'pings.yaml',
    `
id: pings
about: Offers the pings of a stream in the server of its streamer
when: { every: 10s, watch: streaming.getStreams, with: { users: [${user}] }, first: fire }
then:
  - { do: discord.send, as: discord, with: { channel: "${live}", content: Live, buttons: [{ label: Ping me, role: Live }] } }
`,
  );
  const [message] = await app.until(async () => {
    const sent = (await app.messagesIn(BERLIN, 'live')).filter(({ ephemeral }) => !ephemeral);
    return sent.length > 0 && sent;
  });

  const answer = await app.interact({ user, message: message?.id, click: 'Ping me' });

  expect(answer.message?.content).toBe(en.ruleButtons.given('Live'));
});
