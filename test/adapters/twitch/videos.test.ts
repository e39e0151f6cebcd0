import { describe, expect, test } from 'vitest';
import { gameRow, rows, scriptTwitch, userRow, videoRow } from './script-twitch.ts';

const ADA = ['GET /helix/users?login=ada', rows([userRow('42', 'ada')])] as const;
const CHESS = ['GET /helix/games?name=Chess', rows([gameRow('743', 'Chess')])] as const;

describe('getUserVideos', () => {
  test('a page is one request with complete records after the lookup of the user', async () => {
    const line = 'GET /helix/videos?user_id=42&sort=time&first=100';
    await using twitch = await scriptTwitch([ADA, [line, rows([videoRow('1')], 'a')], [`${line}&after=a`, rows([videoRow('2')])]]);

    const videos = await twitch.bot.getUserVideos('ada', { pages: 'all', waitTime: 0 });

    expect(videos.at(0)).toEqual({
      platform: 'twitch',
      id: '1',
      url: 'https://www.twitch.tv/videos/1',
      owner: { platform: 'twitch', id: '42', url: 'https://www.twitch.tv/ada', handle: 'ada', displayName: 'Ada' },
      title: 'Video 1',
      description: undefined,
      createdAt: new Date('2026-11-19T20:00:00Z'),
      publishedAt: new Date('2026-11-19T20:00:01Z'),
      durationMs: ((3 * 60 + 8) * 60 + 33) * 1000,
      viewCount: 10,
      language: 'en',
      kind: 'archive',
      streamId: '9001',
      mutedSegments: [{ offsetMs: 120_000, durationMs: 30_000 }],
      thumbnailUrl: 'https://static-cdn.jtvnw.net/cf_vods/1/thumb-1280x720.jpg',
      thumbnailTemplate: 'https://static-cdn.jtvnw.net/cf_vods/1/thumb-{width}x{height}.jpg',
      fetchedAt: new Date('2026-11-20T18:00:00Z'),
    });
    expect(videos.length).toBe(2);
  });

  test.for([
    ['33s', 33],
    ['8m33s', 513],
    ['1h0m5s', 3605],
    ['2h', 7200],
  ] as const)('%s is %i seconds', async ([duration, seconds]) => {
    await using twitch = await scriptTwitch([
      ADA,
      [
        'GET /helix/videos?user_id=42&sort=time&first=100',
        rows([videoRow('1', { duration, muted_segments: null, stream_id: null, thumbnail_url: '' })]),
      ],
    ]);

    const [video] = await twitch.bot.getUserVideos('ada');

    expect(video).toMatchObject({ durationMs: seconds * 1000, mutedSegments: [], streamId: undefined, thumbnailUrl: undefined });
  });

  test.for(['', '3:08:33', 'h', '5x'])('the duration "%s" is malformed', async (duration) => {
    await using twitch = await scriptTwitch([
      ADA,
      ['GET /helix/videos?user_id=42&sort=time&first=100', rows([videoRow('1', { duration })])],
    ]);

    await expect(twitch.bot.getUserVideos('ada')).rejects.toMatchObject({ fault: 'malformed' });
  });

  test.for([
    ['VIEWS', 'views'],
    ['VIEWER_COUNT', 'views'],
    ['TRENDING', 'trending'],
  ] as const)('%s is Twitch’s order %s', async ([sort, order]) => {
    await using twitch = await scriptTwitch([ADA, [`GET /helix/videos?user_id=42&sort=${order}&first=100`, rows([])]]);

    expect((await twitch.bot.getUserVideos('ada', { sort })).length).toBe(0);
  });

  test.for([
    ['VIEWS', 'views', ['many', 'few', 'none']],
    ['TIME', 'time', ['few', 'none', 'many']],
    ['TRENDING', 'trending', ['none', 'many', 'few']],
  ] as const)('%s sorts a page that the server does not sort, if the order is known', async ([sort, order, ids]) => {
    const unsorted = [
      videoRow('none', { view_count: 0, created_at: '2026-11-18T20:00:00Z' }),
      videoRow('many', { view_count: 90, created_at: '2026-11-17T20:00:00Z' }),
      videoRow('few', { view_count: 3, created_at: '2026-11-19T20:00:00Z' }),
    ];
    await using twitch = await scriptTwitch([ADA, [`GET /helix/videos?user_id=42&sort=${order}&first=100`, rows(unsorted)]]);

    expect(Array.from(await twitch.bot.getUserVideos('ada', { sort }), ({ id }) => id)).toEqual(ids);
  });

  test('an unknown user is missing', async () => {
    await using twitch = await scriptTwitch([['GET /helix/users?login=nobody', rows([])]]);

    await expect(twitch.bot.getUserVideos('nobody')).rejects.toMatchObject({ fault: 'missing' });
  });
});

describe('getGameVideos', () => {
  const asked = (language: string, after = '') => `GET /helix/videos?game_id=743&sort=views&language=${language}&first=100${after}`;

  test('one language is sent to Twitch', async () => {
    await using twitch = await scriptTwitch([CHESS, [asked('zh-hk'), rows([videoRow('1')])]]);

    expect((await twitch.bot.getGameVideos('Chess', { languages: 'ZH_HK, zh-hk' })).length).toBe(1);
  });

  test('several languages are read in parallel and merged by views, and the walk continues in each list', async () => {
    const viewed = (id: string, views: number) => videoRow(id, { view_count: views });
    await using twitch = await scriptTwitch([
      CHESS,
      {
        together: [
          [asked('de'), rows([viewed('d1', 90), viewed('d2', 50)], 'more')],
          [asked('fr'), rows([viewed('f1', 80), viewed('f2', 10)])],
        ],
      },
      {
        together: [
          [asked('de', '&after=more'), rows([viewed('d3', 20)])],
          [asked('fr'), rows([viewed('f1', 80), viewed('f2', 10)])],
        ],
      },
    ]);

    const videos = await twitch.bot.getGameVideos('Chess', { languages: ['DE', 'FR'], pages: 2, waitTime: 0 });

    expect(videos.items.map(({ id }) => id)).toEqual(['d1', 'f1', 'd2', 'd3', 'f2']);
    expect(videos).toMatchObject({ hasNext: false, approximate: false });
  });

  test('trending videos in several languages are approximate', async () => {
    const trending = (language: string) => `GET /helix/videos?game_id=743&sort=trending&language=${language}&first=100`;
    await using twitch = await scriptTwitch([
      CHESS,
      {
        together: [
          [trending('de'), rows([videoRow('d1'), videoRow('d2')])],
          [trending('fr'), rows([videoRow('f1')])],
        ],
      },
    ]);

    const videos = await twitch.bot.getGameVideos('Chess', { sort: 'TRENDING', languages: 'de,fr' });

    expect(videos.items.map(({ id }) => id)).toEqual(['d1', 'f1', 'd2']);
    expect(videos.approximate).toBe(true);
  });

  test('an unknown language is refused before any request', async () => {
    await using twitch = await scriptTwitch([], []);

    await expect(twitch.bot.getGameVideos('Chess', { languages: 'klingon' })).rejects.toMatchObject({ name: 'ValidationError' });
  });
});
