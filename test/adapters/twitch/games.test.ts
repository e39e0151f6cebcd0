import { describe, expect, test } from 'vitest';
import { gameRow, rows, scriptTwitch, streamRow } from './script-twitch.ts';

const DAY_MS = 24 * 3600 * 1000;
const named = (name: string, ...games: readonly object[]) => [`GET /helix/games?name=${name}`, rows(games)] as const;
const numbered = (id: string, ...games: readonly object[]) => [`GET /helix/games?id=${id}`, rows(games)] as const;
const similar = (query: string, ...games: readonly object[]) =>
  [`GET /helix/search/categories?query=${query}&first=100`, rows(games)] as const;
const streamsOf = (id: string) => [`GET /helix/streams?game_id=${id}&first=100`, rows([])] as const;

describe('the game of a name', () => {
  test('the game with exactly this name', async () => {
    await using twitch = await scriptTwitch([named('1942', gameRow('500', '1942')), streamsOf('500')]);

    expect((await twitch.bot.getGameStreams('1942')).length).toBe(0);
  });

  test('digits without such a name are an id', async () => {
    await using twitch = await scriptTwitch([named('743'), numbered('743', gameRow('743', 'Chess')), streamsOf('743')]);

    expect((await twitch.bot.getGameStreams(743)).length).toBe(0);
  });

  test('a name in another case is found by the search', async () => {
    await using twitch = await scriptTwitch([
      named('just+chatting'),
      similar('just+chatting', gameRow('1', 'Just Chatting About It'), gameRow('509658', 'Just Chatting')),
      streamsOf('509658'),
    ]);

    expect((await twitch.bot.getGameStreams('just chatting')).length).toBe(0);
  });

  test('a record is used by its id without a lookup', async () => {
    await using twitch = await scriptTwitch([['GET /helix/games/top?first=100', rows([gameRow('743', 'Chess')])], streamsOf('743')]);
    const [chess] = await twitch.bot.getTopGames();
    if (!chess) throw new Error('no game');

    expect((await twitch.bot.getGameStreams(chess)).length).toBe(0);
  });

  test('an unknown name is missing, with similar names in the error', async () => {
    await using twitch = await scriptTwitch([named('Ches'), similar('Ches', gameRow('743', 'Chess'), gameRow('2', 'Chess Ultra'))]);

    const reading = twitch.bot.getGameStreams('Ches');

    await expect(reading).rejects.toMatchObject({
      fault: 'missing',
      message: 'twitch has no game or category "Ches": did you mean "Chess" or "Chess Ultra"?',
    });
  });

  test('a result is cached for a day, in any case', async () => {
    await using twitch = await scriptTwitch([
      named('Chess', gameRow('743', 'Chess')),
      streamsOf('743'),
      streamsOf('743'),
      ['GET /oauth2/validate', { json: {} }],
      named('Chess', gameRow('744', 'Chess')),
      streamsOf('744'),
    ]);
    await twitch.bot.getGameStreams('Chess');
    await twitch.bot.getGameStreams('CHESS');
    twitch.clock.set(twitch.clock.nowMs() + DAY_MS);

    expect((await twitch.bot.getGameStreams('Chess')).length).toBe(0);
  });
});

describe('getTopGames', () => {
  test('a page is one request', async () => {
    await using twitch = await scriptTwitch([['GET /helix/games/top?first=100', rows([gameRow('743', 'Chess')], 'a')]]);

    const games = await twitch.bot.getTopGames();

    expect(games.items).toEqual([
      {
        platform: 'twitch',
        id: '743',
        url: 'https://www.twitch.tv/directory/game/Chess',
        name: 'Chess',
        boxArtUrl: 'https://static-cdn.jtvnw.net/ttv-boxart/743-600x800.jpg',
        igdbId: undefined,
        fetchedAt: new Date('2026-11-20T18:00:00Z'),
      },
    ]);
    expect(games.hasNext).toBe(true);
  });

  test('with tags, games are counted from the matching streams, most watched first', async () => {
    const top = 'GET /helix/streams?first=100';
    await using twitch = await scriptTwitch([
      [
        top,
        rows(
          [
            streamRow('ada', { viewer_count: 30 }),
            streamRow('grace', { viewer_count: 25, game_id: '1', game_name: 'Go' }),
            streamRow('edsger', { viewer_count: 20, tags: ['Deutsch'] }),
          ],
          'a',
        ),
      ],
      [
        `${top}&after=a`,
        rows([streamRow('alan', { viewer_count: 10, game_id: '1', game_name: 'Go' }), streamRow('kurt', { game_id: '', game_name: '' })]),
      ],
      ['GET /helix/games?id=1&id=743', rows([gameRow('743', 'Chess')])],
    ]);

    const games = await twitch.bot.getTopGames({ tags: ['english'] });

    expect(games.items).toMatchObject([
      { name: 'Go', viewerCount: 35, liveChannelCount: 2 },
      { name: 'Chess', viewerCount: 30, liveChannelCount: 1, boxArtUrl: expect.stringContaining('600x800') },
    ]);
    expect(games).toMatchObject({ scanned: 5, approximate: false, hasNext: false });
  });
});
