import { expect, test } from 'vitest';
import { gameRow, rows, scriptTwitch, streamRow, userRow, videoRow } from './script-twitch.ts';

const channelRow = (id: string, login: string, live: boolean): object => ({
  id,
  broadcaster_login: login,
  display_name: login,
  is_live: live,
});

test('streams take two requests per page, in the order of the search', async () => {
  const line = 'GET /helix/search/channels?query=ches&live_only=true&first=100';
  await using twitch = await scriptTwitch([
    [line, rows([channelRow('u-grace', 'grace', true), channelRow('u-gone', 'gone', true), channelRow('u-ada', 'ada', true)], 'a')],
    // The next page is requested as soon as its cursor is known.
    [`${line}&after=a`, rows([])],
    ['GET /helix/streams?user_id=u-grace&user_id=u-gone&user_id=u-ada&first=100', rows([streamRow('ada'), streamRow('grace')])],
  ]);

  const found = await twitch.bot.search('ches', { pages: 'all', waitTime: 0 });

  expect(found.items).toMatchObject([
    { owner: { handle: 'grace' }, viewerCount: 10 },
    { owner: { handle: 'ada' }, viewerCount: 10 },
  ]);
  expect(found.scanned).toBe(3);
});

test('channels are complete users with their live state', async () => {
  await using twitch = await scriptTwitch([
    [
      'GET /helix/search/channels?query=ad&live_only=false&first=100',
      rows([channelRow('2', 'adele', false), channelRow('1', 'ada', true), channelRow('3', 'gone', false)]),
    ],
    ['GET /helix/users?id=2&id=1&id=3', rows([userRow('1', 'ada'), userRow('2', 'adele')])],
  ]);

  const found = await twitch.bot.search('ad', { filter: 'SearchChannels' });

  expect(found.items).toMatchObject([
    { handle: 'adele', verified: 'partner', isLive: false },
    { handle: 'ada', verified: 'partner', isLive: true },
  ]);
});

test('games come from the search of Twitch, with pictures in one size', async () => {
  const small = { ...gameRow('743', 'Chess'), box_art_url: 'https://static-cdn.jtvnw.net/ttv-boxart/743-52x72.jpg' };
  await using twitch = await scriptTwitch([['GET /helix/search/categories?query=ches&first=100', rows([small])]]);

  const [game] = await twitch.bot.search('ches', { filter: 'SearchGames' });

  expect(game).toMatchObject({ id: '743', name: 'Chess', boxArtUrl: 'https://static-cdn.jtvnw.net/ttv-boxart/743-600x800.jpg' });
});

test('videos are the most viewed videos of the game with this name', async () => {
  await using twitch = await scriptTwitch([
    ['GET /helix/games?name=Chess', rows([gameRow('743', 'Chess')])],
    ['GET /helix/videos?game_id=743&sort=views&first=100', rows([videoRow('1')])],
  ]);

  const [video] = await twitch.bot.search('Chess', { filter: 'SearchVideos' });

  expect(video).toMatchObject({ id: '1', kind: 'archive' });
});

test('a search for videos fails with alternatives if the keyword is not a game', async () => {
  await using twitch = await scriptTwitch([
    ['GET /helix/games?name=funny+cats', rows([])],
    ['GET /helix/search/categories?query=funny+cats&first=100', rows([])],
  ]);

  const searching = twitch.bot.search('funny cats', { filter: 'SearchVideos' });

  await expect(searching).rejects.toMatchObject({
    name: 'UnsupportedParameter',
    parameter: 'filter',
    value: 'SearchVideos',
    reason: 'NO_ENDPOINT',
    alternatives: ['getUserVideos', 'getGameVideos'],
    message: expect.stringContaining('there is no game "funny cats"'),
  });
});

test('a failed lookup of the game is not a missing game', async () => {
  await using twitch = await scriptTwitch([['GET /helix/games?name=Chess', { status: 403 }]]);

  await expect(twitch.bot.search('Chess', { filter: 'SearchVideos' })).rejects.toMatchObject({ fault: 'forbidden' });
});

test('clips are refused before any request', async () => {
  await using twitch = await scriptTwitch([], []);

  await expect(twitch.bot.search('ada', { filter: 'SearchClips' })).rejects.toMatchObject({
    name: 'UnsupportedParameter',
    value: 'SearchClips',
    message: expect.stringContaining('Instead: getUserClips, getGameClips.'),
  });
});
