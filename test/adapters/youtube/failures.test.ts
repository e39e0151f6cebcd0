import { expect, test } from 'vitest';
import { youtube } from '#adapters/youtube/index.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Reply, type Step } from '../../support/script-http.ts';
import { ADA, channel, feed, feedAt, GRACE, lineOf, noFeed, video } from './script-youtube.ts';

const ADA_VIDEOS = 'playlist_id=UULFadaadaadaadaadaadaada1';
const ADA_RECORDINGS = 'playlist_id=UULVadaadaadaadaadaadaada1';
const DAY_MS = 24 * 3_600_000;

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

const ADA_VIDEO: Step = ['GET /videos?id=live1&maxResults=50', { json: { items: [video('live1', ADA, 'live')] } }];
const ADA_CHANNEL: Step = [`GET /channels?id=${ADA}&maxResults=50`, { json: { items: [channel(ADA, '@ada')] } }];
const FEEDS_WITHOUT_GRACE: Step = { together: [feed(ADA, 'live1'), noFeed(`channel_id=${GRACE}`)] };
const graceIs = (reply: Reply): Step => [`GET /channels?id=${GRACE}&maxResults=50`, reply];

test.for([
  ['with videos', { json: { items: [{ id: GRACE, statistics: { videoCount: '3' } }] } }, ['unavailable']],
  ['with an unknown number of videos', { json: { items: [{ id: GRACE }] } }, ['unavailable']],
  ['with an unreadable row', { json: { items: [{ id: ADA }, { id: 7 }] } }, ['unavailable']],
  ['without videos', { json: { items: [{ id: GRACE, statistics: { videoCount: '0' } }] } }, []],
  ['that is closed', { json: {} }, []],
] as const)(
  'the missing feed of a channel %s is looked up once a day, and is a failure if the channel has videos',
  async ([, reply, faults]) => {
    const firstPoll = [FEEDS_WITHOUT_GRACE, graceIs(reply), ADA_VIDEO, ADA_CHANNEL];
    await using server = await scriptHttp([...firstPoll, FEEDS_WITHOUT_GRACE, ADA_VIDEO, ...firstPoll], { lineOf });
    await using fixture = open(server.url);
    const expected = [['live1'], faults.map((fault) => [fault, [GRACE]])];

    expect(await fixture.poll()).toEqual(expected);
    expect(await fixture.poll()).toEqual(expected);
    await fixture.clock.advance(DAY_MS);
    expect(await fixture.poll()).toEqual(expected);
  },
);

test('a channel whose feed is missing, and which cannot be looked up, has failed', async () => {
  const refusal = { status: 403, json: { error: { errors: [{ reason: 'forbidden' }] } } };
  await using server = await scriptHttp([FEEDS_WITHOUT_GRACE, graceIs(refusal), ADA_VIDEO, ADA_CHANNEL], { lineOf });
  await using fixture = open(server.url);

  expect(await fixture.poll()).toEqual([['live1'], [['forbidden', [GRACE]]]]);
});

test('if the feeds of all channels are missing, the poll fails, and one request asks for all channels', async () => {
  await using server = await scriptHttp(
    [
      { together: [noFeed(`channel_id=${ADA}`), noFeed(`channel_id=${GRACE}`)] },
      [`GET /channels?id=${ADA},${GRACE}&maxResults=50`, { json: { items: [{ id: GRACE }, { id: ADA }] } }],
    ],
    { lineOf },
  );
  await using fixture = open(server.url);

  await expect(fixture.poll()).rejects.toMatchObject({ fault: 'unavailable', message: expect.stringContaining(ADA) });
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

const MISSING_LIST: Reply = { status: 404, json: { error: { errors: [{ reason: 'playlistNotFound' }] } } };

test('a missing feed of a playlist is no failure if the playlist does not exist, or is empty; the answer counts for a day', async () => {
  const missing: Step = { together: [noFeed(ADA_VIDEOS), noFeed(ADA_RECORDINGS)] };
  const lookUps = (videos: Reply, recordings: Reply): Step => ({
    together: [
      ['GET /playlistItems?playlistId=UULFadaadaadaadaadaadaada1&maxResults=1', videos],
      ['GET /playlistItems?playlistId=UULVadaadaadaadaadaadaada1&maxResults=1', recordings],
    ],
  });
  await using server = await scriptHttp(
    [
      missing,
      lookUps(MISSING_LIST, { json: { items: [] } }),
      missing,
      missing,
      lookUps(MISSING_LIST, { json: { items: [{ contentDetails: { videoId: 'old1' } }] } }),
      missing,
    ],
    { lineOf },
  );
  await using fixture = open(server.url);
  const ids = async () => (await fixture.bot.getUserVideos(ADA)).items.map(({ id }) => id);

  expect(await ids()).toEqual([]);
  expect(await ids()).toEqual([]);
  await fixture.clock.advance(DAY_MS);
  await expect(ids()).rejects.toMatchObject({ fault: 'unavailable' });
  await expect(ids()).rejects.toMatchObject({ fault: 'unavailable' });
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
