import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { fetch } from '../../support/discord-sandbox.ts';
import { idOf, openServers, shownIn } from './fixture.ts';

const texts = en.following;

test('the export of another server adds its streamers, and replaces no other streamer with the same name', async () => {
  await using servers = await openServers();
  const [owner] = servers.app.people;
  const act = (order: object) => servers.app.interact({ user: owner, ...order });
  const open = async (name: string) => {
    const { id, channels } = await servers.invite(name, owner);
    const run = (command: string, options: object = {}) => act({ guild: id, channel: 'general', command, options });
    const setup = await run('setup');
    await act({ message: idOf(setup), customId: 'setup:channel', values: [channels['live']] });
    return { id, run };
  };
  const entries = async (server: string) => {
    const answer = await fetch(`${servers.app.url}/api/lists/followed?server=${server}`);
    return ((await answer.json()) as { entries: { id: string; fields: object }[] }).entries; // as the reference documents it
  };
  const [chess, poker] = [await open('Chess Club'), await open('Poker Club')];
  await chess.run('follow add', { streamer: 'kick.com/grace' });
  await poker.run('follow add', { streamer: 'twitch.tv/grace' });
  const [onKick] = await entries(chess.id);
  const [onTwitch] = await entries(poker.id);
  const yaml = await (await fetch(`${servers.app.url}/api/lists/followed/export?server=${poker.id}`)).text();

  const form = (await chess.run('follow import')).id;
  const imported = await act({ modal: form, fields: { names: yaml } });

  expect(shownIn(imported)).toContain(texts.title.followed(1));
  expect(await entries(chess.id)).toEqual([onKick, { ...onTwitch, id: 'grace-twitch', server: chess.id }]);
});
