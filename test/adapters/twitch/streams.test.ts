import { describe, expect, test } from 'vitest';
import type { Bot } from '#src/clients/streaming/bot.ts';
import { gameRow, logins, rows, scriptTwitch, streamRow } from './script-twitch.ts';

const TOP = 'GET /helix/streams?first=100';
const CHESS = ['GET /helix/games?name=Chess', rows([gameRow('743', 'Chess')])] as const;

/** `count` streams; every `every`-th one has the tag. */
function tagged(count: number, every: number, from = 0): readonly object[] {
  return Array.from({ length: count }, (_, index) =>
    streamRow(`c${from + index}`, { tags: (index + 1) % every === 0 ? ['Speedrun'] : ['English'] }),
  );
}

describe('getTopStreams', () => {
  test('a page is one request with complete records', async () => {
    await using twitch = await scriptTwitch([[TOP, rows([streamRow('ada')], 'next')]]);

    const streams = await twitch.bot.getTopStreams();

    expect(streams.items).toEqual([
      {
        platform: 'twitch',
        id: 's-ada',
        url: 'https://www.twitch.tv/ada',
        owner: { platform: 'twitch', id: 'u-ada', url: 'https://www.twitch.tv/ada', handle: 'ada', displayName: 'ADA' },
        game: { platform: 'twitch', id: '743', url: 'https://www.twitch.tv/directory/game/Chess', name: 'Chess' },
        title: 'ada plays',
        viewerCount: 10,
        startedAt: new Date('2026-11-20T17:00:00Z'),
        language: 'en',
        tags: ['English'],
        thumbnailUrl: 'https://static-cdn.jtvnw.net/previews-ttv/live_user_ada-1280x720.jpg?t=1795197600000',
        thumbnailTemplate: 'https://static-cdn.jtvnw.net/previews-ttv/live_user_ada-{width}x{height}.jpg',
        fetchedAt: new Date('2026-11-20T18:00:00Z'),
      },
    ]);
    expect(streams.hasNext).toBe(true);
  });

  test('empty fields are absent', async () => {
    const bare = { game_id: '', game_name: '', language: '', tags: null, thumbnail_url: '', title: '' };
    await using twitch = await scriptTwitch([[TOP, rows([streamRow('ada', bare)])]]);

    const stream = (await twitch.bot.getTopStreams()).at(0);

    expect(stream).toMatchObject({ title: '', tags: [], game: undefined, language: undefined, thumbnailUrl: undefined });
  });

  test('pages follow the cursor of Twitch', async () => {
    await using twitch = await scriptTwitch([
      [TOP, rows([streamRow('ada')], 'a')],
      [`${TOP}&after=a`, rows([], 'b')],
      [`${TOP}&after=b`, rows([streamRow('grace')])],
    ]);

    const streams = await twitch.bot.getTopStreams({ pages: 'all', waitTime: 0 });

    expect(logins(streams)).toEqual(['ada', 'grace']);
  });

  test.for([
    ['an unreadable row', rows([streamRow('ada', { viewer_count: 'many' })])],
    ['a missing list of rows', { json: {} }],
    ['null for rows', { json: { data: null } }],
    ['a page of a proxy', { text: '<html>' }],
  ] as const)('%s is malformed, never an empty list', async ([, reply]) => {
    await using twitch = await scriptTwitch([[TOP, reply]]);

    await expect(twitch.bot.getTopStreams()).rejects.toMatchObject({ fault: 'malformed' });
  });
});

describe('tags', () => {
  test('match in any case, and a page is filled from several requests', async () => {
    await using twitch = await scriptTwitch([
      [TOP, rows(tagged(100, 2), 'a')],
      [`${TOP}&after=a`, rows(tagged(100, 2, 100), 'b')],
    ]);

    const streams = await twitch.bot.getTopStreams({ tags: ['SPEEDRUN', 'other'] });

    expect(streams.length).toBe(100);
    expect(streams).toMatchObject({ scanned: 200, approximate: false, hasNext: true });
  });

  test('a walk continues within the page of Twitch', async () => {
    const first = ['GET /helix/streams?first=100', rows(tagged(99, 1), 'a')] as const;
    const second = [`${TOP}&after=a`, rows(tagged(3, 1, 99), 'b')] as const;
    await using twitch = await scriptTwitch([first, second, second, [`${TOP}&after=b`, rows(tagged(2, 1, 102))]]);
    const page = await twitch.bot.getTopStreams({ tags: ['speedrun'] });

    const rest = await twitch.bot.getTopStreams({ tags: ['speedrun'], pages: 'all', cursor: page.cursor });

    expect(logins(page)).toHaveLength(100);
    expect(logins(rest)).toEqual(['c100', 'c101', 'c102', 'c103']);
    expect(page.scanned + rest.scanned).toBe(104);
  });

  test('after ten requests, a page ends and is approximate; the next page continues there', async () => {
    const pages = Array.from({ length: 10 }, (_, index) => {
      const line = index === 0 ? TOP : `${TOP}&after=p${index}`;
      return [line, rows([streamRow(`c${index}`)], `p${index + 1}`)] as const;
    });
    await using twitch = await scriptTwitch([...pages, [`${TOP}&after=p10`, rows(tagged(1, 1))]]);

    const page = await twitch.bot.getTopStreams({ tags: ['speedrun'] });
    const next = await twitch.bot.getTopStreams({ tags: ['speedrun'], cursor: page.cursor });

    expect(page).toMatchObject({ length: 0, scanned: 10, approximate: true, hasNext: true });
    expect(next).toMatchObject({ length: 1, approximate: false, hasNext: false });
  });

  test('a stream in two requests of a page is returned once', async () => {
    await using twitch = await scriptTwitch([
      [TOP, rows([streamRow('ada'), streamRow('grace')], 'a')],
      [`${TOP}&after=a`, rows([streamRow('grace'), streamRow('edsger')])],
    ]);

    const streams = await twitch.bot.getTopStreams({ tags: ['english'] });

    expect(logins(streams)).toEqual(['ada', 'grace', 'edsger']);
  });

  test('an endless upstream cursor ends the scan', async () => {
    await using twitch = await scriptTwitch([
      [TOP, rows([streamRow('ada')], 'a')],
      [`${TOP}&after=a`, rows([streamRow('grace')], 'a')],
    ]);

    const streams = await twitch.bot.getTopStreams({ tags: ['english'], pages: 'all', waitTime: 0 });

    expect(logins(streams)).toEqual(['ada', 'grace']);
  });
});

describe('getGameStreams', () => {
  const STREAMS = 'GET /helix/streams?game_id=743&first=100';

  test('the most watched streams of a game, found by its name', async () => {
    await using twitch = await scriptTwitch([CHESS, [STREAMS, rows([streamRow('ada')])]]);

    const streams = await twitch.bot.getGameStreams('Chess');

    expect(logins(streams)).toEqual(['ada']);
  });

  test('tags filter the streams of the game', async () => {
    await using twitch = await scriptTwitch([CHESS, [STREAMS, rows(tagged(4, 2))]]);

    const streams = await twitch.bot.getGameStreams('Chess', { tags: ['Speedrun'] });

    expect(logins(streams)).toEqual(['c1', 'c3']);
  });

  test.for([
    ['VIEWER_COUNT_ASC', ['grace', 'edsger', 'ada']],
    ['STARTED_AT', ['edsger', 'grace', 'ada']],
  ] as const)('%s reads all streams of the game as one page', async ([sort, expected]) => {
    await using twitch = await scriptTwitch([
      CHESS,
      [
        STREAMS,
        rows(
          [
            streamRow('ada', { viewer_count: 30, started_at: '2026-11-20T10:00:00Z' }),
            streamRow('edsger', { viewer_count: 20, started_at: '2026-11-20T12:00:00Z' }),
          ],
          'a',
        ),
      ],
      [`${STREAMS}&after=a`, rows([streamRow('grace', { viewer_count: 10, started_at: '2026-11-20T11:00:00Z' })])],
    ]);

    const streams = await twitch.bot.getGameStreams('Chess', { sort });

    expect(logins(streams)).toEqual(expected);
    expect(streams).toMatchObject({ scanned: 3, approximate: false, hasNext: false });
  });

  test('an order that Twitch lacks is approximate if the budget ended it', async () => {
    const pages = Array.from({ length: 10 }, (_, index) => {
      const line = index === 0 ? STREAMS : `${STREAMS}&after=p${index}`;
      return [line, rows([streamRow(`c${index}`)], `p${index + 1}`)] as const;
    });
    await using twitch = await scriptTwitch([CHESS, ...pages]);

    const streams = await twitch.bot.getGameStreams('Chess', { sort: 'STARTED_AT', pages: 'all' });

    expect(streams).toMatchObject({ length: 10, approximate: true, hasNext: false });
  });
});

test.for([
  ['the top', [], TOP, (bot: Bot) => bot.getTopStreams()],
  ['a game', [CHESS], 'GET /helix/streams?game_id=743&first=100', (bot: Bot) => bot.getGameStreams('Chess')],
] as const)('%s is most watched first, even if the server does not sort', async ([, before, request, read]) => {
  const unsorted = [streamRow('ada', { viewer_count: 5 }), streamRow('grace', { viewer_count: 50 }), streamRow('tim', { viewer_count: 7 })];
  await using twitch = await scriptTwitch([...before, [request, rows(unsorted)]]);

  expect(logins(await read(twitch.bot))).toEqual(['grace', 'tim', 'ada']);
});
