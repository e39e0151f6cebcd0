import { expect, test } from 'vitest';
import { youtube } from '#adapters/youtube/index.ts';
import { findStreamers, readNames } from '#src/admin/queries/find-streamers.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import type { Caller } from '#src/discord/caller.ts';
import { en } from '#src/discord/language/en/index.ts';
import { searchLimit } from '#src/discord/lookups/lookup-limit.ts';
import { createLookups } from '#src/discord/lookups/lookups.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type Exchange, scriptHttp } from '../../support/script-http.ts';
import { openLookups } from './fixture.ts';

const caller = { texts: en, locale: 'en', server: { account: 'discord', id: '7', zone: 'UTC' } } as Caller; // nothing else is read
const clock = new ManualClock();

function botAt(url: string): Bot {
  return new Bot({ platform: youtube({ apiKey: 'a-key', apiUrl: url, siteUrl: url, clock }), clock });
}

test('a member has five searches a day on a platform that allows few, on all of its commands and buttons', async () => {
  await using fixture = await openLookups({ accounts: ['twitch', 'kick'], limitsSearches: true });
  const [, , user] = fixture.discord.people;
  const first = await fixture.command('top streams', {}, { user });
  await fixture.command('search', { keyword: 'a' }, { user });
  await fixture.command('videos', { streamer: 'ada', sort: 'VIEWS' }, { user });
  await fixture.click(first.message, 'Next', { user });
  const fifth = await fixture.click(first.message, 'Refresh', { user });

  const refused = [
    await fixture.command('search', { keyword: 'b' }, { user }),
    await fixture.command('top streams', {}, { user }),
    await fixture.click(first.message, 'Next', { user }),
  ];

  expect(fifth.message?.embeds).not.toEqual([]);
  for (const view of refused)
    expect(JSON.stringify(view)).toMatch(/Twitch allows few searches a day\. You can search there again <t:\d+:R>\./u);
  // Other platforms, other look-ups, and operators of the installation have no limit.
  for (const [command, options] of [
    ['top streams', { platform: 'kick' }],
    ['live', { streamer: 'ada' }],
    ['videos', { streamer: 'ada' }],
  ] as const)
    expect(JSON.stringify(await fixture.command(command, options, { user }))).not.toContain('few searches');
  for (let use = 1; use <= 6; use++) expect(JSON.stringify(await fixture.command('top streams'))).not.toContain('few searches');
});

test('the members of a server have twenty searches a day, and all members fifty', () => {
  const limit = searchLimit(new ManualClock());
  const use = (id: string, server: string) => () =>
    limit('youtube', { ...caller, may: () => false, id, server: { account: 'discord', id: server, zone: 'UTC' } });

  for (let number = 1; number <= 20; number++) expect(use(`member ${number}`, '7')).not.toThrow();
  expect(use('another', '7')).toThrow(/^YouTube allows/iu);
  for (let number = 1; number <= 20; number++) expect(use(`member ${number}`, '8')).not.toThrow();
  for (let number = 1; number <= 10; number++) expect(use(`member ${number}`, '9')).not.toThrow();
  expect(use('another', '9')).toThrow(/^YouTube allows/iu);
});

test('a search that is refused because of other members uses up no search of its member', () => {
  const limit = searchLimit(new ManualClock());
  const use = (id: string, server: string) => () =>
    limit('youtube', { ...caller, may: () => false, id, server: { account: 'discord', id: server, zone: 'UTC' } });
  for (let number = 1; number <= 20; number++) use(`member ${number}`, '7')();

  for (let number = 1; number <= 6; number++) expect(use('late', '7')).toThrow(/^YouTube allows/iu);

  for (let number = 1; number <= 5; number++) expect(use('late', '8')).not.toThrow();
});

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
