import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fetch } from '../../support/discord-sandbox.ts';
import { runHere } from '../../support/run-here.ts';
import { idOf, openServers, shownIn } from './fixture.ts';

interface Answer {
  readonly entries: readonly { readonly id: string }[];
}

test('the command line, Discord and the HTTP API show the same list and the same server', async () => {
  await using servers = await openServers();
  const { app } = servers;
  const [owner] = app.people;
  const club = await servers.invite('Chess Club', owner);
  const act = (order: object) => app.interact({ user: owner, ...order });
  const setup = idOf(await act({ guild: club.id, channel: 'general', command: 'setup' }));
  await act({ message: setup, customId: 'setup:channel', values: [club.channels['live'] ?? ''] });
  const streamer = 'twitch.tv/grace twitch.tv/ada twitch.tv/linus';
  await act({ guild: club.id, channel: 'general', command: 'follow add', options: { streamer } });
  const environment = { FANFARE_DATA: app.data, FANFARE_RULES: join(app.data, '..', 'rules') };
  const cli = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await runHere({ args: [...args, '--json'], environment })).stdout);
  const api = async <T>(path: string) => (await (await fetch(`${app.url}/api/${path}`)).json()) as T; // what our own API answers

  const list = await api<Answer>(`lists/followed?server=${club.id}`);
  const shown = shownIn(await act({ guild: club.id, channel: 'general', command: 'follow list' }));

  expect(list.entries).toHaveLength(3);
  expect(await cli('lists', 'show', 'followed', '--server', club.id)).toMatchObject({ list: stored(list) });
  expect(await cli('lists')).toMatchObject({ lists: (await api<{ items: object[] }>('lists')).items.map(stored) });
  expect(await cli('servers')).toMatchObject({ servers: (await api<{ items: object[] }>('servers')).items });
  const positions = list.entries.map(({ id }) => shown.toLowerCase().indexOf(`**${id}**`));
  expect(positions.every((position, index) => position > (positions[index - 1] ?? -1))).toBe(true);
});

/** A list without the rules that read it, which only the running process knows. */
function stored(list: object): object {
  return Object.fromEntries(Object.entries(list).filter(([name]) => name !== 'rules' && name !== 'ruleCount'));
}
