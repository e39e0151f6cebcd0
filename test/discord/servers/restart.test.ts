import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { fetch } from '../../support/discord-sandbox.ts';
import { idOf, openServers, shownIn, type NewServer, type ServersFixture } from './fixture.ts';

describe('a restart between a message and the press', () => {
  let servers: ServersFixture;
  let owner: string;
  let club: NewServer;
  let live: string;

  beforeAll(async () => {
    servers = await openServers();
    [owner] = servers.app.people;
    club = await servers.invite('Chess Club', owner);
    live = club.channels['live'] ?? '';
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  const act = (order: object) => servers.app.interact({ user: owner, ...order });
  const run = (command: string, options: object = {}) => act({ guild: club.id, channel: 'general', command, options });
  const followed = async () => {
    const answer = await fetch(`${servers.app.url}/api/lists/followed?server=${club.id}`);
    return ((await answer.json()) as { entries: readonly { id: string; fields: object }[] }).entries;
  };

  test('the greeting, the menus and the buttons of /setup work, and what was chosen before is there', async () => {
    const greeting = await servers.greeting(club.id);
    await servers.app.restart();
    const message = idOf(await act({ message: greeting.id, click: en.setup.greeting.setUp }));
    await act({ message, customId: 'setup:channel', values: [live] });
    await servers.app.restart();

    const tested = await act({ message, click: en.setup.buttons.test });

    expect(tested.outcome).toBe('update');
    expect(shownIn(tested)).toContain(en.setup.test.sent(`<#${live}>`));
    expect((await servers.messages(club.id)).filter(({ channel, ephemeral }) => channel.id === live && !ephemeral)).toHaveLength(1);
  });

  test('the form and the buttons of /follow work, and an undo restores what was done before', async () => {
    const added = await run('follow add', { streamer: `twitch.tv/${owner}` });
    const form = await run('follow edit', { streamer: owner });
    await servers.app.restart();

    const edited = await act({ modal: form.id, fields: { message: 'Queen to {game}!', after: ['keep'] } });
    expect(await followed()).toMatchObject([{ id: owner, fields: { message: 'Queen to {game}!' } }]);
    await servers.app.restart();
    await act({ message: idOf(edited), click: en.following.buttons.undo });
    expect((await followed())[0]?.fields).not.toHaveProperty('message');
    await act({ message: idOf(added), click: en.following.buttons.undo });

    expect(await followed()).toEqual([]);
  });
});
