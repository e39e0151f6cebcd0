import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { fetch } from '../../support/discord-sandbox.ts';
import { idOf, openServers, shownIn } from './fixture.ts';

test('of many names, those that are neither added nor asked are mentioned', async () => {
  await using servers = await openServers();
  const [owner] = servers.app.people;
  const club = await servers.invite('Chess Club', owner);
  const act = (order: object) => servers.app.interact({ user: owner, ...order });
  const add = (streamer: string) => act({ guild: club.id, channel: 'general', command: 'follow add', options: { streamer } });
  const opened = await act({ guild: club.id, channel: 'general', command: 'setup' });
  await act({ message: idOf(opened), customId: 'setup:channel', values: [club.channels['live'] ?? ''] });
  const { items } = await servers.app.control<{ items: { user: { handle: string } }[] }>('/streamers?limit=60');
  const handles = items.map(({ user }) => user.handle);

  const added = await add(handles.join(' '));
  const unknown = await add(Array.from({ length: 25 }, (_, index) => `no_such_user_${index}`).join(' '));

  const stored = await fetch(`${servers.app.url}/api/lists/followed?server=${club.id}`);
  const { entries } = (await stored.json()) as { entries: { fields: { twitch?: string } }[] }; // as the reference documents it
  const taken = new Set(entries.map(({ fields }) => fields.twitch));
  const others = handles.filter((handle) => !taken.has(handle));
  const answer = shownIn(added).toLowerCase().replaceAll('\\', '');
  expect(others.length).toBeGreaterThan(3);
  expect(others.filter((handle) => !answer.includes(handle))).toEqual([]);
  expect(shownIn(unknown)).toContain(en.controls.more('5'));
});
