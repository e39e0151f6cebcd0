import { expect, test } from 'vitest';
import { youtube } from '#adapters/youtube/index.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp } from '../../support/script-http.ts';
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

test('a channel whose feed fails is named, and the others are read', async () => {
  await using server = await scriptHttp(
    [
      {
        together: [feed(ADA, 'live1'), [`GET /feeds/videos.xml?channel_id=${GRACE}`, { status: 403, text: '<html>' }]],
      },
      ['GET /videos?id=live1&maxResults=50', { json: { items: [video('live1', ADA, 'live')] } }],
      [`GET /channels?id=${ADA}&maxResults=50`, { json: { items: [channel(ADA, '@ada')] } }],
    ],
    { lineOf },
  );
  const clock = new ManualClock();
  await using platform = youtube({ apiKey: 'secret', apiUrl: server.url, siteUrl: server.url, clock });

  const streams = await new Bot({ platform, clock }).getStreams({ users: [ADA, GRACE] });

  expect(streams.items.map(({ id }) => id)).toEqual(['live1']);
  expect(streams.partialErrors).toMatchObject([{ fault: 'forbidden', values: [GRACE] }]);
});
