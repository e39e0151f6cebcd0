import { expect, test } from 'vitest';
import { youtube } from '#adapters/youtube/index.ts';
import { Bot, type StreamingPlatform } from '#src/clients/streaming/bot.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type Exchange, scriptHttp } from '../../support/script-http.ts';
import { watchListInMemory } from '../x/watch-list.ts';
import { ADA, channel, feed, GRACE, lineOf, video } from './script-youtube.ts';

test('a poll reads feeds for nothing, and asks once for the open videos of all channels', async () => {
  const channels = { json: { items: [channel(ADA, '@ada'), channel(GRACE, '@grace')] } };
  await using server = await scriptHttp(
    [
      { together: [feed(ADA, 'live1', 'old1', 'premiere'), feed(GRACE, 'soon1', 'live2')] },
      [
        'GET /videos?id=live1,old1,premiere,soon1,live2&maxResults=50',
        {
          json: {
            items: [
              video('live1', ADA, 'live'),
              video('old1', ADA, 'none', 'PT2M'),
              video('premiere', ADA, 'live', 'PT10M'),
              video('soon1', GRACE, 'upcoming'),
              video('live2', GRACE, 'live'),
            ],
          },
        },
      ],
      [`GET /channels?id=${ADA},${GRACE}&maxResults=50`, channels],
      { together: [feed(ADA, 'live1', 'old1', 'premiere'), feed(GRACE, 'soon1', 'live2')] },
      [
        'GET /videos?id=live1,premiere,soon1,live2&maxResults=50',
        { json: { items: [video('live1', ADA, 'live'), video('live2', GRACE, 'none', 'PT1H')] } },
      ],
    ],
    { lineOf },
  );
  const clock = new ManualClock();
  await using platform = youtube({ apiKey: 'secret', apiUrl: server.url, siteUrl: server.url, clock });
  const bot = new Bot({ platform, clock });

  const first = await bot.getStreams({ users: [ADA, GRACE] });
  const second = await bot.getStreams({ users: [ADA, GRACE] });

  expect(first.items.map(({ id, owner }) => [id, owner.handle])).toEqual([
    ['live1', 'ada'],
    ['live2', 'grace'],
  ]);
  expect(second.items.map(({ id }) => id)).toEqual(['live1']);
  expect(server.seen.filter(({ line }) => line.includes('secret'))).toEqual([]);
});

test.for([
  [['zh_HK'], ['zh-HK']],
  [['EN'], ['en', 'en-GB']],
  [['en-us'], []],
  [
    ['zh', 'de'],
    ['de-AT', 'zh-HK'],
  ],
] as const)('languages %j keep the live streams whose language or region is one of them', async ([languages, expected]) => {
  const spoken = ['de-AT', 'en', 'en-GB', 'eng', 'zh-HK'];
  const videos = spoken.map((language) => {
    const row = video(language, ADA, 'live');
    return { ...row, snippet: { ...row.snippet, defaultAudioLanguage: language } };
  });
  await using server = await scriptHttp(
    [
      feed(ADA, ...spoken),
      [`GET /videos?id=${spoken.join(',')}&maxResults=50`, { json: { items: videos } }],
      [`GET /channels?id=${ADA}&maxResults=50`, { json: { items: [channel(ADA, '@ada')] } }],
    ],
    { lineOf },
  );
  const clock = new ManualClock();
  await using platform = youtube({ apiKey: 'secret', apiUrl: server.url, siteUrl: server.url, clock });

  const { items } = await new Bot({ platform, clock }).getStreams({ users: [ADA], languages: [...languages] });

  expect(items.map(({ id }) => id)).toEqual(expected);
});

test('a live or announced stream stays while its channel publishes fifteen other videos, and is read until it ends', async () => {
  const shorts = Array.from({ length: 15 }, (_, index) => `short${index}`);
  const short = shorts.map((id) => video(id, ADA, 'none', 'PT30S'));
  const rowsOf = (ids: readonly string[], items: readonly object[]): Exchange => [
    `GET /videos?id=${ids.join(',')}&maxResults=50`,
    { json: { items } },
  ];
  const [live, soon] = [video('live1', ADA, 'live'), video('soon1', ADA, 'upcoming')];
  await using server = await scriptHttp(
    [
      feed(ADA, 'soon1', 'live1', 'gone1'),
      rowsOf(['soon1', 'live1', 'gone1'], [soon, live, video('gone1', ADA, 'live')]),
      [`GET /channels?id=${ADA}&maxResults=50`, { json: { items: [channel(ADA, '@ada')] } }],
      feed(ADA, ...shorts),
      rowsOf([...shorts, 'live1', 'gone1', 'soon1'], [...short, live, soon]),
      feed(ADA, ...shorts),
      rowsOf(['live1', 'soon1'], [live, soon]),
      feed(ADA, ...shorts),
      rowsOf(['live1', 'soon1'], [video('live1', ADA, 'none', 'PT1H'), video('soon1', ADA, 'live')]),
      feed(ADA, ...shorts),
      rowsOf(['soon1'], []),
      feed(ADA, ...shorts),
    ],
    { lineOf },
  );
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  await using platform = youtube({ apiKey: 'secret', apiUrl: server.url, siteUrl: server.url, clock });
  const bot = new Bot({ platform, clock });
  const liveIds = async () => (await bot.getStreams({ users: [ADA] })).items.map(({ id }) => id);

  expect(await liveIds()).toEqual(['live1', 'gone1']);
  expect(await liveIds()).toEqual(['live1']);
  expect((await bot.getSchedule(ADA)).items.map(({ id }) => id)).toEqual(['soon1']);
  expect(await liveIds()).toEqual(['soon1']);
  expect(await liveIds()).toEqual([]);
  expect(await liveIds()).toEqual([]);
});

test('a stream behind fifteen other videos is live, ends or begins across a restart and in another process', async () => {
  const shorts = Array.from({ length: 15 }, (_, index) => `short${index}`);
  const short = shorts.map((id) => video(id, ADA, 'none', 'PT30S'));
  const rowsOf = (items: readonly (readonly [string, 'none' | 'live' | 'upcoming'])[], others: readonly string[] = []): Exchange => [
    `GET /videos?id=${[...others, ...items.map(([id]) => id)].join(',')}&maxResults=50`,
    { json: { items: [...(others.length > 0 ? short : []), ...items.map(([id, state]) => video(id, ADA, state))] } },
  ];
  const names: Exchange = [`GET /channels?id=${ADA}&maxResults=50`, { json: { items: [channel(ADA, '@ada')] } }];
  await using server = await scriptHttp(
    [
      feed(ADA, 'live1', 'live2', 'soon1'),
      rowsOf([
        ['live1', 'live'],
        ['live2', 'live'],
        ['soon1', 'upcoming'],
      ]),
      names,
      feed(ADA, ...shorts),
      rowsOf(
        [
          ['live1', 'live'],
          ['live2', 'none'],
          ['soon1', 'live'],
        ],
        shorts,
      ),
      names,
      feed(ADA, ...shorts),
      rowsOf([
        ['live1', 'none'],
        ['soon1', 'live'],
      ]),
      feed(ADA, ...shorts),
      rowsOf([['soon1', 'none']], shorts),
      feed(ADA, ...shorts),
    ],
    { lineOf },
  );
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const watchList = watchListInMemory();
  const open = () => youtube({ apiKey: 'secret', apiUrl: server.url, siteUrl: server.url, clock, watchList });
  await using before = open();
  await using after = open();
  const liveIds = async (platform: StreamingPlatform) =>
    (await new Bot({ platform, clock }).getStreams({ users: [ADA] })).items.map(({ id }) => id);

  expect(await liveIds(before)).toEqual(['live1', 'live2']);
  expect(await liveIds(after)).toEqual(['live1', 'soon1']);
  expect(await liveIds(after)).toEqual(['soon1']);
  expect(await liveIds(before)).toEqual([]);
  expect(await liveIds(after)).toEqual([]);
});

test('the schedule has announced streams that are a few hours late, and no forgotten ones', async () => {
  const starts = {
    old1: '2023-01-01T19:00:00Z',
    missed1: '2026-11-20T11:59:00Z',
    late1: '2026-11-20T12:01:00Z',
    next1: '2026-11-21T19:00:00Z',
  };
  const rows = Object.entries(starts).map(([id, scheduledStartTime]) => ({
    ...video(id, ADA, 'upcoming'),
    liveStreamingDetails: { scheduledStartTime },
  }));
  const ids = Object.keys(starts);
  const channels: Exchange = [`GET /channels?id=${ADA}&maxResults=50`, { json: { items: [channel(ADA, '@ada')] } }];
  const videos: Exchange = [`GET /videos?id=${ids.join()}&maxResults=50`, { json: { items: rows } }];
  await using server = await scriptHttp([feed(ADA, ...ids), videos, channels], { lineOf });
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  await using platform = youtube({ apiKey: 'secret', apiUrl: server.url, siteUrl: server.url, clock });

  const { items } = await new Bot({ platform, clock }).getSchedule(ADA);

  expect(items.map(({ id }) => id)).toEqual(['late1', 'next1']);
});

test('an announced stream that has started is live until its end, although YouTube still calls it upcoming', async () => {
  const scheduledStartTime = '2026-11-20T17:58:00Z';
  const times = [
    {},
    { actualStartTime: '2026-11-20T18:00:32Z' },
    { actualStartTime: '2026-11-20T18:00:32Z', actualEndTime: '2026-11-20T20:00:00Z' },
  ];
  const read = times.flatMap((some): readonly Exchange[] => {
    const row = { ...video('soon1', ADA, 'upcoming'), liveStreamingDetails: { scheduledStartTime, ...some } };
    return [feed(ADA, 'soon1'), ['GET /videos?id=soon1&maxResults=50', { json: { items: [row] } }]];
  });
  const channels: Exchange = [`GET /channels?id=${ADA}&maxResults=50`, { json: { items: [channel(ADA, '@ada')] } }];
  await using server = await scriptHttp([...read.slice(0, 4), channels, ...read.slice(2), feed(ADA, 'soon1')], { lineOf });
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  await using platform = youtube({ apiKey: 'secret', apiUrl: server.url, siteUrl: server.url, clock });
  const bot = new Bot({ platform, clock });
  const liveIds = async () => (await bot.getStreams({ users: [ADA] })).items.map(({ id, startedAt }) => [id, startedAt]);

  expect(await liveIds()).toEqual([]);
  expect(await liveIds()).toEqual([['soon1', new Date('2026-11-20T18:00:32Z')]]);
  expect((await bot.getSchedule(ADA)).items).toEqual([]);
  expect(await liveIds()).toEqual([]);
  expect((await bot.getSchedule(ADA)).items).toEqual([]);
});

test('a name without a channel is looked up once an hour, in any letter case', async () => {
  const none: Exchange = ['GET /channels?forHandle=@nobody', { json: { items: [] } }];
  await using server = await scriptHttp([none, none, none], { lineOf });
  const clock = new ManualClock();
  await using platform = youtube({ apiKey: 'secret', apiUrl: server.url, siteUrl: server.url, clock });
  const bot = new Bot({ platform, clock });

  for (const name of ['nobody', 'NOBODY', 'nobody']) expect((await bot.getStreams({ users: [name] })).items).toEqual([]);
  expect(server.seen).toHaveLength(1);
  await clock.advance(3_600_000);
  for (const name of ['nobody', 'nobody']) expect((await bot.getStreams({ users: [name] })).items).toEqual([]);
  expect(server.seen).toHaveLength(2);
  // A person who asks for the channel gets the present answer.
  await expect(bot.getUser('nobody')).rejects.toMatchObject({ fault: 'missing' });
});

test.for([
  [403, 'quotaExceeded', 'quotaExhausted'],
  [403, 'accessNotConfigured', 'unauthorized'],
  [403, 'ipRefererBlocked', 'unauthorized'],
  [400, 'invalidFilters', 'rejected'],
] as const)('an answer with %i %s has the fault %s', async ([status, reason, fault]) => {
  const refusal = { status, json: { error: { code: status, message: 'refused', errors: [{ reason }] } } };
  await using server = await scriptHttp([['GET /channels?forHandle=@ada', refusal]], { lineOf });
  const clock = new ManualClock();
  await using platform = youtube({ apiKey: 'secret', apiUrl: server.url, siteUrl: server.url, clock });

  await expect(new Bot({ platform, clock }).getUser('ada')).rejects.toMatchObject({ fault });
});

/** https://developers.google.com/youtube/v3/determine_quota_cost: 100 searches a day, and 10,000 units for all other requests. */
test('searches use up none of the units of other requests', async () => {
  const search: Exchange = ['GET /search?q=chess&maxResults=50&type=channel', { json: { items: [], kind: 'youtube#searchListResponse' } }];
  const found: Exchange = ['GET /channels?forHandle=@ada', { json: { items: [channel(ADA, '@ada')] } }];
  await using server = await scriptHttp([...Array.from({ length: 20 }, () => search), found, feed(ADA)], { lineOf });
  const clock = new ManualClock();
  await using platform = youtube({ apiKey: 'secret', apiUrl: server.url, siteUrl: server.url, clock });
  const bot = new Bot({ platform, clock });

  for (let count = 0; count < 20; count++) await bot.search('chess', { filter: 'SearchChannels' });

  expect(await bot.getUser('ada')).toMatchObject({ id: ADA });
  await expect(bot.search('chess', { filter: 'SearchChannels' })).rejects.toMatchObject({ fault: 'rateLimited', sentNothing: true });
});

test('a search without quota does not pause the polls of the account', async () => {
  const message = 'The request cannot be completed because you have exceeded your quota.';
  const refusal = {
    status: 403,
    json: { error: { code: 403, message, errors: [{ message, domain: 'youtube.quota', reason: 'quotaExceeded' }] } },
  };
  await using server = await scriptHttp([['GET /search?q=chess&maxResults=50&type=channel', refusal]], { lineOf });
  const clock = new ManualClock();
  await using platform = youtube({ apiKey: 'secret', apiUrl: server.url, siteUrl: server.url, clock });

  const searching = new Bot({ platform, clock }).search('chess', { filter: 'SearchChannels' });

  await expect(searching).rejects.toMatchObject({ fault: 'rateLimited', message: expect.stringContaining('until midnight in California') });
});
