import { expect, test } from 'vitest';
import { rows, scriptTwitch, streamRow, userRow } from './script-twitch.ts';

const byId = (id: string, ...users: readonly object[]) => [`GET /helix/users?id=${id}`, rows(users)] as const;
const byLogin = (login: string, ...users: readonly object[]) => [`GET /helix/users?login=${login}`, rows(users)] as const;
const streamsOf = (id: string, ...streams: readonly object[]) => [`GET /helix/streams?user_id=${id}&first=100`, rows(streams)] as const;

test('a user by handle, with the live state', async () => {
  await using twitch = await scriptTwitch([byLogin('ada', userRow('42', 'ada')), streamsOf('42', streamRow('ada'))]);

  const ada = await twitch.bot.getUser('Ada');

  expect(ada).toEqual({
    platform: 'twitch',
    id: '42',
    url: 'https://www.twitch.tv/ada',
    handle: 'ada',
    displayName: 'ADA',
    bio: undefined,
    avatarUrl: 'https://static-cdn.jtvnw.net/ada.png',
    bannerUrl: undefined,
    createdAt: new Date('2016-12-14T20:32:28Z'),
    verified: 'partner',
    isLive: true,
    fetchedAt: new Date('2026-11-20T18:00:00Z'),
  });
});

test('digits are an id first', async () => {
  await using twitch = await scriptTwitch([byId('42', userRow('42', 'ada')), streamsOf('42')]);

  expect(await twitch.bot.getUser(42)).toMatchObject({ handle: 'ada', isLive: false });
});

test('digits without such an id are a login', async () => {
  await using twitch = await scriptTwitch([byId('1337'), byLogin('1337', userRow('7', '1337')), streamsOf('7')]);

  expect(await twitch.bot.getUser('1337')).toMatchObject({ id: '7', handle: '1337' });
});

test('an unknown user is missing', async () => {
  await using twitch = await scriptTwitch([byLogin('nobody')]);

  await expect(twitch.bot.getUser('nobody')).rejects.toMatchObject({ fault: 'missing', message: expect.stringContaining('"nobody"') });
});

test('an invalid name is missing without a request', async () => {
  await using twitch = await scriptTwitch([], []);

  await expect(twitch.bot.getUser('not a login')).rejects.toMatchObject({ fault: 'missing' });
});
