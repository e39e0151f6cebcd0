import { describe, expect, test } from 'vitest';
import { Bot } from '#src/clients/streaming/bot.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import { whileSleeping } from '../support/while-sleeping.ts';
import { streamingSearchContract } from './streaming-search.ts';
import { streamingRecordingsContract } from './streaming-recordings.ts';
import {
  falling,
  idsOf,
  liveIn,
  pieceByPiece,
  sum,
  toSeen,
  whole,
  wholeSecond,
  type OpenStreaming,
  type StreamingGround,
} from './streaming-fixture.ts';
import { withRecordedRequests } from './recorded-requests.ts';

/** The contract of every streaming adapter. */
export function streamingContract(openGround: OpenStreaming): void {
  const open = recorded(openGround);
  describe('reads', () => {
    test('the top streams equal the live broadcasts of the world, most watched first', async () => {
      await using ground = await open();
      const bot = new Bot(ground);

      const streams = await bot.getTopStreams(whole);

      expect(inOrder(streams.items.map(seenIn))).toEqual(inOrder(liveIn(ground).map((broadcast) => toSeen(ground, broadcast))));
      expect(viewers(streams)).toEqual(falling(viewers(streams)));
      expect(streams.items.filter(({ fetchedAt }) => fetchedAt.getTime() !== ground.clock.nowMs())).toEqual([]);
      expect(new Set(streams.items.flatMap(({ platform, owner }) => [platform, owner.platform]))).toEqual(new Set([ground.platform.name]));
    });

    test('a stream has a valid address, and its thumbnail has a version', async () => {
      await using ground = await open();
      const [stream] = await new Bot(ground).getTopStreams();

      expect(URL.canParse(stream?.url ?? '')).toBe(true);
      expect(stream?.thumbnailUrl).toMatch(/\?.+/);
    });

    test('the top streams with one of the tags, in any letter case', async () => {
      await using ground = await open();
      const bot = new Bot(ground);
      const wanted = liveIn(ground).filter(({ tags }) => tags.includes('Deutsch') || tags.includes('Podcast'));

      const streams = await bot.getTopStreams({ ...whole, tags: ['deutsch', 'PODCAST'] });

      expect(new Set(idsOf(streams))).toEqual(new Set(wanted.map(ground.streamIdOf)));
      expect(viewers(streams)).toEqual(falling(viewers(wanted)));
      expect(streams).toMatchObject({ scanned: liveIn(ground).length, approximate: false });
    });

    test('the streams of a game by name, id or record, in each order', async () => {
      await using ground = await open();
      const bot = new Bot(ground);
      const wanted = liveIn(ground).filter(({ game }) => game.name === 'VALORANT');
      const record = (await bot.getTopGames()).items.find(({ name }) => name === 'VALORANT');
      if (!record) throw new Error('nobody plays VALORANT');

      const top = await bot.getGameStreams('valorant', whole);
      const least = await bot.getGameStreams(record.id, { ...whole, sort: 'VIEWER_COUNT_ASC' });
      const newest = await bot.getGameStreams(record, { ...whole, sort: 'STARTED_AT' });
      const numbered = await bot.getGameStreams(Number(record.id), { ...whole, tags: ['deutsch'] });

      expect(new Set(idsOf(top))).toEqual(new Set(wanted.map(ground.streamIdOf)));
      expect(viewers(top)).toEqual(falling(viewers(wanted)));
      expect(viewers(least)).toEqual(falling(viewers(wanted)).toReversed());
      expect(times(newest)).toEqual(falling(times(wanted)));
      expect(new Set(idsOf(numbered))).toEqual(new Set(wanted.filter(({ tags }) => tags.includes('Deutsch')).map(ground.streamIdOf)));
    });

    test('the top games, by their number of viewers', async () => {
      await using ground = await open();
      const watched = new Map<string, number>();
      for (const { game, viewerCount } of liveIn(ground)) {
        const id = ground.gameIdOf(game);
        watched.set(id, (watched.get(id) ?? 0) + viewerCount);
      }

      const games = await new Bot(ground).getTopGames(whole);

      expect(new Set(idsOf(games))).toEqual(new Set(watched.keys()));
      const counts = games.items.map(({ id }) => watched.get(id) ?? 0);
      expect(counts).toEqual(falling(counts));
      const named = new Map(ground.world.games.map((game) => [game.name, ground.gameIdOf(game)]));
      expect(games.items.map(({ name }) => named.get(name))).toEqual(idsOf(games));
    });

    test('the top games of a tag, with the numbers of viewers and channels', async () => {
      await using ground = await open();
      const tagged = liveIn(ground).filter(({ tags }) => tags.includes('Deutsch'));

      const games = await new Bot(ground).getTopGames({ tags: ['Deutsch'] });

      expect(sum(games.items.map(({ viewerCount = 0 }) => viewerCount))).toBe(sum(viewers(tagged)));
      expect(sum(games.items.map(({ liveChannelCount = 0 }) => liveChannelCount))).toBe(tagged.length);
    });

    test('a user by handle, by id, by number and by record, and whether they are live', async () => {
      await using ground = await open();
      const bot = new Bot(ground);
      const [broadcast] = liveIn(ground);
      const asleep = ground.world.people.find(
        (person) => ground.channelOf(person) && !liveIn(ground).some(({ person: { id } }) => person.id === id),
      );
      if (!broadcast || !asleep) throw new Error('nobody is live, or everybody');
      const { person } = broadcast;
      const channel = ground.channelOf(person);

      const live = await bot.getUser(channel?.handle.toUpperCase() ?? '');

      expect(live).toMatchObject({ ...channel, displayName: person.displayName, bio: person.bio, isLive: true });
      for (const form of [live.id, Number(live.id), live]) expect(await bot.getUser(form)).toEqual(live);
      expect(await bot.getUser(ground.channelOf(asleep)?.handle ?? '')).toMatchObject({ id: ground.channelOf(asleep)?.id, isLive: false });
    });

    test('the streams of hundreds of channels, by handle or id', async () => {
      await using ground = await open();
      const people = ground.world.people.slice(0, 500);
      const asked = people.flatMap((person, index) => {
        const channel = ground.channelOf(person);
        return channel ? [index % 2 === 0 ? channel.handle.toUpperCase() : channel.id] : [];
      });
      const wanted = liveIn(ground).filter(({ person }) => people.includes(person));

      const streams = await new Bot(ground).getStreams({ users: [...asked, 'no such channel', 'nobody_of_this', ...asked.slice(0, 9)] });

      expect(inOrder(streams.items.map(seenIn))).toEqual(inOrder(wanted.map((broadcast) => toSeen(ground, broadcast))));
      expect(viewers(streams)).toEqual(falling(viewers(wanted)));
      expect(streams).toMatchObject({ hasNext: false, partialErrors: [] });
      expect(wanted.length).toBeGreaterThan(5);
    });

    test('the streams of some games in some languages', async () => {
      await using ground = await open();
      const wanted = liveIn(ground).filter(
        ({ game, language }) => ['VALORANT', 'Just Chatting'].includes(game.name) && ['de', 'ja'].includes(language),
      );
      const justChatting = ground.world.findGame('Just Chatting');
      if (!justChatting) throw new Error('nobody talks');

      const games = ['valorant', { id: ground.gameIdOf(justChatting) }];
      const streams = await new Bot(ground).getStreams({ ...whole, games, languages: ['DE', 'ja'] });

      expect(new Set(idsOf(streams))).toEqual(new Set(wanted.map(ground.streamIdOf)));
      expect(wanted.length).toBeGreaterThan(1);
    });
  });

  streamingSearchContract(open);
  streamingRecordingsContract(open);

  describe('unknown users and games', () => {
    test('an unknown user or game is reported as missing', async () => {
      await using ground = await open();
      const bot = new Bot(ground);

      await expect(bot.getUser('nobody_of_this_name')).rejects.toMatchObject({ fault: 'missing' });
      await expect(bot.getGameStreams('No Such Game')).rejects.toMatchObject({ fault: 'missing' });
      await expect(bot.getGameStreams('99999999')).rejects.toMatchObject({ fault: 'missing' });
    });

    test('a call without users, games or languages fails before any request', async () => {
      await using ground = await open();

      await expect(new Bot(ground).getStreams({})).rejects.toMatchObject({ name: 'ValidationError' });
      expect(await ground.reads()).toBe(0);
    });
  });

  describe('resumed reads', () => {
    test.for([{}, { tags: ['Deutsch', 'English'] }])(
      'an iteration with %o that is resumed after each page equals an uninterrupted one',
      async (options) => {
        await using ground = await open();
        const bot = new Bot(ground);
        const uncut = await bot.getTopStreams({ ...whole, ...options });

        const pieces = await pieceByPiece((cursor) => bot.getTopStreams({ ...options, cursor }));

        expect(idsOf(pieces)).toEqual(idsOf(uncut));
      },
    );
  });

  describe('when the platform fails', () => {
    test.for([{ kind: 'status', status: 503 }, { kind: 'resetBefore' }, { kind: 'resetAfter' }, { kind: 'rateLimit', ms: 2000 }] as const)(
      'a read survives one %o',
      async (order) => {
        await using ground = await open();
        const bot = new Bot(ground);
        const before = await bot.getTopStreams();
        ground.fail({ ...order, times: 1 });

        const streams = await whileSleeping(ground.clock, bot.getTopStreams());

        expect(streams.length).toBe(before.length);
      },
    );

    test('a repeated failure is reported with the cursor to resume from', async ({ skip }) => {
      await using ground = await open();
      const bot = new Bot(ground);
      const uncut = await bot.getTopStreams(whole);
      const pages = bot.iterTopStreams({ ...whole });
      const { value: first } = await pages.next();
      if (!first?.[0].hasNext) skip(ground.platform.capabilities.getTopStreams.detail ?? 'all streams make one page');
      ground.fail({ kind: 'status', status: 500, times: 3 });

      const error: unknown = await whileSleeping(
        ground.clock,
        pages.next().catch((reason: unknown) => reason),
      );
      const cursor = typeof error === 'object' && error !== null && 'cursor' in error ? String(error.cursor) : undefined;
      const rest = await bot.getTopStreams({ ...whole, cursor });

      expect(error).toMatchObject({ fault: 'unavailable', status: 500 });
      expect([...(first?.[1] ?? []), ...rest].length).toBe(uncut.length);
    });

    test('a long rate limit is reported at once, with its end', async () => {
      await using ground = await open();
      const bot = new Bot(ground);
      await bot.getTopStreams();
      ground.fail({ kind: 'rateLimit', ms: 600_000, times: 1 });

      const reading = bot.getTopStreams();

      await expect(reading).rejects.toMatchObject({ fault: 'rateLimited', retryAt: new Date(ground.clock.nowMs() + 600_000) });
    });

    test.for(['endlessCursor', 'emptyList', 'shortList', 'repeatedItem'] as const)(
      'lists with %s end, and contain only existing streams, once each',
      async (kind) => {
        await using ground = await open();
        const bot = new Bot(ground);
        ground.fail({ kind });

        const streams = await bot.getTopStreams(whole);

        const ids = idsOf(streams);
        const known = new Set(liveIn(ground).map(ground.streamIdOf));
        expect(ids.filter((id) => !known.has(id))).toEqual([]);
        expect(new Set(ids).size).toBe(ids.length);
      },
    );
  });
}

/** The fields that a record and the world have in common. */
function seenIn({ id, owner, game, title, tags, language, viewerCount, startedAt }: Stream) {
  const { id: userId, handle, displayName } = owner;
  return { id, userId, handle, displayName, gameId: game?.id, game: game?.name, title, tags, language, viewerCount, startedAt };
}

/** Sorted by id, because streams with equal viewer counts have no fixed order. */
function inOrder<T extends { readonly id: string }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function viewers(items: Iterable<{ readonly viewerCount: number }>): readonly number[] {
  return Array.from(items, ({ viewerCount }) => viewerCount);
}

function times(items: Iterable<{ readonly startedAt: Date }>): readonly number[] {
  return Array.from(items, ({ startedAt }) => wholeSecond(startedAt).getTime());
}

/** A ground that fails at its end if an operation sent a request that its capability does not name. */
function recorded(open: OpenStreaming): OpenStreaming {
  return async () => {
    const ground = await open();
    const { adapter: platform, unlisted } = withRecordedRequests(ground.platform);
    async function dispose(): Promise<void> {
      await ground[Symbol.asyncDispose]();
      expect(unlisted(), 'requests that the table of capabilities does not name').toEqual([]);
    }
    return Object.create(ground, { platform: { value: platform }, [Symbol.asyncDispose]: { value: dispose } }) as StreamingGround; // the properties of the ground
  };
}
