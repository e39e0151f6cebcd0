import { expect, test } from 'vitest';
import { youtube } from '#adapters/youtube/index.ts';
import { findStreamers, readNames } from '#src/admin/queries/find-streamers.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import type { Caller } from '#src/discord/caller.ts';
import { en } from '#src/discord/language/en/index.ts';
import { createLookups } from '#src/discord/lookups/lookups.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type Exchange, scriptHttp } from '../../support/script-http.ts';

const caller = { texts: en, locale: 'en', server: { account: 'discord', id: '7', zone: 'UTC' } } as Caller; // nothing else is read
const clock = new ManualClock();

function botAt(url: string): Bot {
  return new Bot({ platform: youtube({ apiKey: 'a-key', apiUrl: url, siteUrl: url, clock }), clock });
}

test('a member who types uses up none of the searches that YouTube allows a day', async () => {
  await using http = await scriptHttp([]);
  const { suggest } = createLookups({
    streaming: new Map([['youtube', botAt(http.url)]]),
    social: new Map(),
    savedViews: { keep: async () => '', find: async () => undefined },
    clock,
    signal: new AbortController().signal,
  });

  for (const typed of ['', 'ma', 'mar', 'mart']) expect(await suggest.channels(typed, {}, caller)).toEqual([]);
});

test('the earlier lists of followed channels are not kept in memory', async () => {
  const now = new ManualClock();
  const { capabilities, platformName, limitsSearches } = botAt('http://127.0.0.1:1');
  const reader = { capabilities, platformName, limitsSearches, getStreams: async () => ({ items: [] }) };
  let version = 0;
  const list = async () => {
    const youtube = `${++version}`.padStart(1_000_000, 'a');
    return { entries: [{ id: 'a', list: 'followed', server: '7', fields: { youtube } }] };
  };
  const { suggest } = createLookups({
    streaming: new Map([['youtube', reader as unknown as Bot]]), // what suggestions need
    social: new Map(),
    savedViews: { keep: async () => '', find: async () => undefined },
    listQueries: { list: list as never }, // only the entries are read
    clock: now,
    signal: new AbortController().signal,
  });
  collectGarbage();
  const { heapUsed: before } = process.memoryUsage();

  for (let minute = 0; minute < 60; minute++) {
    await suggest.channels('zz', {}, caller);
    now.set(now.nowMs() + 60_000);
  }

  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
});

test('a name that YouTube does not have is not searched there', async () => {
  const noChannel: Exchange = ['GET /channels', { json: { items: [] } }];
  await using http = await scriptHttp([noChannel], { lineOf: (line) => line.replace(/\?.*$/u, '') });

  const found = await findStreamers(readNames('nobody_called_this'), {
    streaming: new Map([['youtube', botAt(http.url)]]),
    signal: new AbortController().signal,
  });

  expect(found).toMatchObject([{ kind: 'unknown', similar: [] }]);
});
