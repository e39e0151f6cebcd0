import { describe, expect, test } from 'vitest';
import { Bot } from '#src/clients/streaming/bot.ts';
import type { SearchFilter } from '#src/clients/streaming/enumerations.ts';
import { idsOf, liveIn, openFor, whole, type OpenStreaming } from './streaming-fixture.ts';

/** The contract of a search. */
export function streamingSearchContract(open: OpenStreaming): void {
  describe('search', () => {
    test('the default is live streams that match the keyword', async ({ skip }) => {
      await using fixture = await openFor('search', open, skip);
      const bot = new Bot(fixture);
      const [broadcast] = liveIn(fixture);
      if (!broadcast) throw new Error('nobody is live');
      const { handle = '' } = fixture.channelOf(broadcast.person) ?? {};

      const streams = await bot.search(handle, whole);

      expect(idsOf(streams)).toContain(fixture.streamIdOf(broadcast));
      const known = new Map(liveIn(fixture).map((live) => [fixture.streamIdOf(live), live.viewerCount]));
      for (const item of streams) expect(item).toMatchObject({ viewerCount: known.get(item.id) });
    });

    test('channels are returned as users, even if they are offline', async ({ skip }) => {
      await using fixture = await openFor('search', open, skip);
      const bot = new Bot(fixture);
      const asleep = fixture.world.people.find(
        (person) => fixture.channelOf(person) && !liveIn(fixture).some((live) => live.person === person),
      );
      const { id = '', handle = '' } = (asleep && fixture.channelOf(asleep)) ?? {};

      const users = await bot.search(handle.toUpperCase(), { filter: 'SearchChannels' });

      expect(users.items.find((user) => user.id === id)).toEqual(await bot.getUser(handle));
    });

    test('games are those whose name contains the keyword', async ({ skip }) => {
      await using fixture = await openFor('search', open, skip);
      const wanted = fixture.world.games.filter(({ name }) => name.toLowerCase().includes('hollow'));

      const games = await new Bot(fixture).search('Hollow', { ...whole, filter: 'SearchGames' });

      expect(idsOf(games).toSorted()).toEqual(wanted.map(fixture.gameIdOf).toSorted());
    });

    test('a search without results is empty', async ({ skip }) => {
      await using fixture = await openFor('search', open, skip);
      const bot = new Bot(fixture);

      for (const filter of ['SearchStreams', 'SearchChannels', 'SearchGames'] as const) {
        expect((await bot.search('zzz-no-such-thing', { filter })).length).toBe(0);
      }
    });

    test('an unsupported filter fails with its reason, before any request', async ({ skip }) => {
      await using fixture = await openFor('search', open, skip);
      const bot = new Bot(fixture);
      const values = Object.entries(fixture.platform.capabilities.search.parameters?.['filter']?.values ?? {});
      const refused = values.filter(([, { support }]) => support === 'unsupported');

      for (const [value, capability] of refused) {
        const searching = bot.search('ada', { filter: value as SearchFilter }); // the table names filters only
        const { reason } = capability.support === 'unsupported' ? capability : {};
        await expect(searching).rejects.toMatchObject({ name: 'UnsupportedParameter', parameter: 'filter', value, reason });
      }

      expect(refused.map(([value]) => value)).toContain('SearchClips');
      expect(await fixture.reads()).toBe(0);
    });
  });
}
