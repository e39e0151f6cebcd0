import { expect, test } from 'vitest';
import { youtube } from '#adapters/youtube/index.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Reply, type Step } from '../../support/script-http.ts';
import { ADA, channel, feed, feedAt, GRACE, lineOf, noFeed, video } from './script-youtube.ts';

const ADA_VIDEOS = 'playlist_id=UULFadaadaadaadaadaadaada1';
const ADA_RECORDINGS = 'playlist_id=UULVadaadaadaadaadaadaada1';
const HOUR_MS = 3_600_000;

/** A bot, and the streams of Ada and Grace: their ids, and the failures with the names that they concern. */
function open(url: string) {
  const clock = new ManualClock();
  const platform = youtube({ apiKey: 'secret', apiUrl: url, siteUrl: url, clock });
  const bot = new Bot({ platform, clock });
  const poll = async () => {
    const { items, partialErrors } = await bot.getStreams({ users: [ADA, GRACE] });
    return [items.map(({ id }) => id), partialErrors.map(({ fault, values }) => [fault, values])];
  };
  return { bot, poll, clock, [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose]() };
}

const MINUTE_MS = 60_000;
const ADA_VIDEO: Step = ['GET /videos?id=live1&maxResults=50', { json: { items: [video('live1', ADA, 'live')] } }];
const ADA_CHANNEL: Step = [`GET /channels?id=${ADA}&maxResults=50`, { json: { items: [channel(ADA, '@ada')] } }];
const FEEDS_WITHOUT_GRACE: Step = { together: [feed(ADA, 'live1'), noFeed(`channel_id=${GRACE}`)] };
const graceHas = (reply: Reply): Step => [`GET /playlistItems?playlistId=${GRACE.replace('UC', 'UU')}&maxResults=15`, reply];
const MISSING_LIST: Reply = { status: 404, json: { error: { errors: [{ reason: 'playlistNotFound' }] } } };
const listOf = (...ids: readonly string[]): Reply => ({ json: { items: ids.map((videoId) => ({ contentDetails: { videoId } })) } });
const videosAre = (...rows: readonly ReturnType<typeof video>[]): Step => [
  `GET /videos?id=${rows.map(({ id }) => id).join(',')}&maxResults=50`,
  { json: { items: rows } },
];

test('while a feed is missing, the API lists the videos, so a stream starts and ends', async () => {
  await using server = await scriptHttp(
    [
      FEEDS_WITHOUT_GRACE,
      graceHas(listOf('old2')),
      videosAre(video('live1', ADA, 'live'), video('old2', GRACE, 'none')),
      ADA_CHANNEL,
      FEEDS_WITHOUT_GRACE,
      graceHas(listOf('live2', 'old2')),
      videosAre(video('live1', ADA, 'live'), video('live2', GRACE, 'live')),
      [`GET /channels?id=${GRACE}&maxResults=50`, { json: { items: [channel(GRACE, '@grace')] } }],
      FEEDS_WITHOUT_GRACE,
      graceHas(listOf('live2', 'old2')),
      videosAre(video('live1', ADA, 'live'), video('live2', GRACE, 'none')),
    ],
    { lineOf },
  );
  await using fixture = open(server.url);

  expect(await fixture.poll()).toEqual([['live1'], []]);
  await fixture.clock.advance(MINUTE_MS);
  expect(await fixture.poll()).toEqual([['live1', 'live2'], []]);
  await fixture.clock.advance(MINUTE_MS);
  expect(await fixture.poll()).toEqual([['live1'], []]);
});

test.for([
  ['no playlist of its videos', MISSING_LIST],
  ['an empty playlist', listOf()],
] as const)('a channel without a feed and with %s has no streams, but a known one does not end', async ([, reply]) => {
  await using server = await scriptHttp(
    [
      FEEDS_WITHOUT_GRACE,
      graceHas(reply),
      ADA_VIDEO,
      ADA_CHANNEL,
      { together: [feed(ADA, 'live1'), feed(GRACE, 'live2')] },
      videosAre(video('live1', ADA, 'live'), video('live2', GRACE, 'live')),
      [`GET /channels?id=${GRACE}&maxResults=50`, { json: { items: [channel(GRACE, '@grace')] } }],
      FEEDS_WITHOUT_GRACE,
      graceHas(reply),
      videosAre(video('live1', ADA, 'live'), video('live2', GRACE, 'live')),
    ],
    { lineOf },
  );
  await using fixture = open(server.url);

  expect(await fixture.poll()).toEqual([['live1'], []]);
  await fixture.clock.advance(MINUTE_MS);
  expect(await fixture.poll()).toEqual([['live1', 'live2'], []]);
  await fixture.clock.advance(MINUTE_MS);
  expect(await fixture.poll()).toEqual([['live1', 'live2'], []]);
});

test('a channel whose feed is missing, and whose videos cannot be listed, has failed', async () => {
  const refusal = { status: 403, json: { error: { errors: [{ reason: 'forbidden' }] } } };
  await using server = await scriptHttp([FEEDS_WITHOUT_GRACE, graceHas(refusal), ADA_VIDEO, ADA_CHANNEL, FEEDS_WITHOUT_GRACE, ADA_VIDEO], {
    lineOf,
  });
  await using fixture = open(server.url);

  expect(await fixture.poll()).toEqual([['live1'], [['forbidden', [GRACE]]]]);
  // The API is not asked again at once.
  expect(await fixture.poll()).toEqual([['live1'], [['unavailable', [GRACE]]]]);
});

test('a list with an unreadable row may lack videos', async () => {
  const reply = { json: { items: [{ contentDetails: { videoId: 'live2' } }, {}] } };
  await using server = await scriptHttp(
    [FEEDS_WITHOUT_GRACE, graceHas(reply), videosAre(video('live1', ADA, 'live'), video('live2', GRACE, 'none')), ADA_CHANNEL],
    { lineOf },
  );
  await using fixture = open(server.url);

  expect(await fixture.poll()).toEqual([['live1'], [['unavailable', []]]]);
});

test.for([
  ['a live video', { id: 'live2', snippet: { liveBroadcastContent: 'live' } }, [['malformed', [GRACE]]]],
  ['a video of an unknown state', { id: 'live2' }, [['malformed', [GRACE]]]],
  ['a video without an id', { snippet: { liveBroadcastContent: 'live' } }, [['malformed', [GRACE]]]],
  ['a video that is over', { id: 'live2', snippet: { liveBroadcastContent: 'none' } }, []],
] as const)('an unreadable row of %s is a failure of the channel unless the video is over', async ([, row, failures]) => {
  await using server = await scriptHttp(
    [
      { together: [feed(ADA, 'live1'), feed(GRACE, 'live2')] },
      ['GET /videos?id=live1,live2&maxResults=50', { json: { items: [video('live1', ADA, 'live'), row] } }],
      [`GET /channels?id=${ADA}&maxResults=50`, { json: { items: [channel(ADA, '@ada')] } }],
    ],
    { lineOf },
  );
  await using fixture = open(server.url);

  expect(await fixture.poll()).toEqual([['live1'], failures]);
});

const ADA_LISTS = ['UULF', 'UULV'].map((part) => `GET /playlistItems?playlistId=${part}adaadaadaadaadaadaada1&maxResults=15`);
const NO_PLAYLIST_FEEDS: Step = { together: [noFeed(ADA_VIDEOS), noFeed(ADA_RECORDINGS)] };
const adaHas = (...replies: readonly Reply[]): Step => ({
  together: ADA_LISTS.map((line, index) => [line, replies[index] ?? {}] as const),
});
const ADA_UPLOAD: Step = ['GET /videos?id=new1&maxResults=50', { json: { items: [video('new1', ADA, 'none', 'PT9M')] } }];

test('while the feeds of playlists are missing, the API lists them; a playlist that does not exist is asked for rarely', async () => {
  const again: Step = [ADA_LISTS[0] ?? '', listOf('new1')];
  await using server = await scriptHttp(
    [NO_PLAYLIST_FEEDS, adaHas(listOf('new1'), MISSING_LIST), ADA_UPLOAD, ADA_CHANNEL, NO_PLAYLIST_FEEDS, again, ADA_UPLOAD],
    { lineOf },
  );
  await using fixture = open(server.url);
  const ids = async () => (await fixture.bot.getUserVideos(ADA)).items.map(({ id }) => id);

  expect(await ids()).toEqual(['new1']);
  await fixture.clock.advance(HOUR_MS);
  expect(await ids()).toEqual(['new1']);
});

test('without the playlists of a channel, all its videos are listed, and Shorts cannot be told apart', async () => {
  await using server = await scriptHttp(
    [NO_PLAYLIST_FEEDS, adaHas(MISSING_LIST, MISSING_LIST), feed(ADA, 'new1'), ADA_UPLOAD, ADA_CHANNEL],
    { lineOf },
  );
  await using fixture = open(server.url);

  const page = await fixture.bot.getUserVideos(ADA);

  expect(page.items.map(({ id }) => id)).toEqual(['new1']);
  expect(page.partialErrors).toMatchObject([{ fault: 'missing', values: [], message: expect.stringContaining('Shorts') }]);
});

test('a channel without any videos has no playlists', async () => {
  await using server = await scriptHttp([NO_PLAYLIST_FEEDS, adaHas(MISSING_LIST, MISSING_LIST), feed(ADA)], { lineOf });
  await using fixture = open(server.url);

  const page = await fixture.bot.getUserVideos(ADA);

  expect([page.items, page.partialErrors]).toEqual([[], []]);
});

test.for([
  [
    'getUserVideos',
    (bot: Bot) => bot.getUserVideos(ADA),
    {
      together: [feedAt(ADA_VIDEOS, 'a', 'b'), feedAt(ADA_RECORDINGS)],
    },
    'none',
  ],
  [
    'getTopStreams',
    (bot: Bot) => bot.getTopStreams(),
    [
      'GET /search?type=video&eventType=live&order=viewCount&maxResults=50',
      { json: { items: [{ id: { videoId: 'a' } }, { id: { videoId: 'b' } }] } },
    ],
    'live',
  ],
  [
    'search',
    (bot: Bot) => bot.search('chess', { filter: 'SearchVideos' }),
    ['GET /search?q=chess&maxResults=50&type=video', { json: { items: [{ id: { videoId: 'a' } }, { id: { videoId: 'b' } }] } }],
    'none',
  ],
] as const)('%s names the videos that cannot be read', async ([, list, found, state]) => {
  await using server = await scriptHttp(
    [
      found,
      ['GET /videos?id=a,b&maxResults=50', { json: { items: [video('a', ADA, state, state === 'none' ? 'PT1M' : 'P0D'), { id: 'b' }] } }],
      [`GET /channels?id=${ADA}&maxResults=50`, { json: { items: [channel(ADA, '@ada')] } }],
    ],
    { lineOf },
  );
  await using fixture = open(server.url);

  const page = await list(fixture.bot);

  expect(page.items.map(({ id }) => id)).toEqual(['a']);
  expect(page.partialErrors).toMatchObject([{ fault: 'malformed', values: ['b'] }]);
});
