import { expect, test } from 'vitest';
import { youtube } from '#adapters/youtube/index.ts';
import { findStreamers, readNames } from '#src/admin/queries/find-streamers.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import type { Caller } from '#src/discord/caller.ts';
import { en } from '#src/discord/language/en/index.ts';
import { createLookups } from '#src/discord/lookups/lookups.ts';
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

test('a name that YouTube does not have is not searched there', async () => {
  const noChannel: Exchange = ['GET /channels', { json: { items: [] } }];
  await using http = await scriptHttp([noChannel], { lineOf: (line) => line.replace(/\?.*$/u, '') });

  const found = await findStreamers(readNames('nobody_called_this'), {
    streaming: new Map([['youtube', botAt(http.url)]]),
    signal: new AbortController().signal,
  });

  expect(found).toMatchObject([{ kind: 'unknown', similar: [] }]);
});
