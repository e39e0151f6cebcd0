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
  type StreamingFixture,
} from './streaming-fixture.ts';
import { withRecordedRequests } from './recorded-requests.ts';

/** The contract of every streaming adapter. */
export function streamingContract(openFixture: OpenStreaming): void {
  const open = recorded(openFixture);
  describe('reads', () => {
    test('the top streams equal the live broadcasts of the world, most watched first', async () => {
      await using fixture = await open();
      const bot = new Bot(fixture);

      const streams = await bot.getTopStreams(whole);

      expect(inOrder(streams.items.map(seenIn))).toEqual(inOrder(liveIn(fixture).map((broadcast) => toSeen(fixture, broadcast))));
      expect(viewers(streams)).toEqual(falling(viewers(streams)));
      expect(streams.items.filter(({ fetchedAt }) => fetchedAt.getTime() !== fixture.clock.nowMs())).toEqual([]);
      expect(new Set(streams.items.flatMap(({ platform, owner }) => [platform, owner.platform]))).toEqual(new Set([fixture.platform.name]));
    });

    test('a stream has a valid address, and its thumbnail has a version', async () => {
      await using fixture = await open();
      const [stream] = await new Bot(fixture).getTopStreams();

      expect(URL.canParse(stream?.url ?? '')).toBe(true);
      expect(stream?.thumbnailUrl).toMatch(/\?.+/);
    });

    test('the top streams with one of the tags, in any letter case', async () => {
      await using fixture = await open();
      const bot = new Bot(fixture);
      const wanted = liveIn(fixture).filter(({ tags }) => tags.includes('Deutsch') || tags.includes('Podcast'));

      const streams = await bot.getTopStreams({ ...whole, tags: ['deutsch', 'PODCAST'] });

      expect(new Set(idsOf(streams))).toEqual(new Set(wanted.map(fixture.streamIdOf)));
      expect(viewers(streams)).toEqual(falling(viewers(wanted)));
      expect(streams).toMatchObject({ scanned: liveIn(fixture).length, approximate: false });
    });

    test('the streams of a game by name, id or record, in each order', async () => {
      await using fixture = await open();
      const bot = new Bot(fixture);
      const wanted = liveIn(fixture).filter(({ game }) => game.name === 'VALORANT');
      const record = (await bot.getTopGames()).items.find(({ name }) => name === 'VALORANT');
      if (!record) throw new Error('nobody plays VALORANT');

      const top = await bot.getGameStreams('valorant', whole);
      const least = await bot.getGameStreams(record.id, { ...whole, sort: 'VIEWER_COUNT_ASC' });
      const newest = await bot.getGameStreams(record, { ...whole, sort: 'STARTED_AT' });
      const numbered = await bot.getGameStreams(Number(record.id), { ...whole, tags: ['deutsch'] });

      expect(new Set(idsOf(top))).toEqual(new Set(wanted.map(fixture.streamIdOf)));
      expect(viewers(top)).toEqual(falling(viewers(wanted)));
      expect(viewers(least)).toEqual(falling(viewers(wanted)).toReversed());
      expect(times(newest)).toEqual(falling(times(wanted)));
      expect(new Set(idsOf(numbered))).toEqual(new Set(wanted.filter(({ tags }) => tags.includes('Deutsch')).map(fixture.streamIdOf)));
    });

    test('the top games, by their number of viewers', async () => {
      await using fixture = await open();
      const watched = new Map<string, number>();
      for (const { game, viewerCount } of liveIn(fixture)) {
        const id = fixture.gameIdOf(game);
        watched.set(id, (watched.get(id) ?? 0) + viewerCount);
      }

      const games = await new Bot(fixture).getTopGames(whole);

      expect(new Set(idsOf(games))).toEqual(new Set(watched.keys()));
      const counts = games.items.map(({ id }) => watched.get(id) ?? 0);
      expect(counts).toEqual(falling(counts));
      const named = new Map(fixture.world.games.map((game) => [game.name, fixture.gameIdOf(game)]));
      expect(games.items.map(({ name }) => named.get(name))).toEqual(idsOf(games));
    });

    test('the top games of a tag, with the numbers of viewers and channels', async () => {
      await using fixture = await open();
      const tagged = liveIn(fixture).filter(({ tags }) => tags.includes('Deutsch'));

      const games = await new Bot(fixture).getTopGames({ tags: ['Deutsch'] });

      expect(sum(games.items.map(({ viewerCount = 0 }) => viewerCount))).toBe(sum(viewers(tagged)));
      expect(sum(games.items.map(({ liveChannelCount = 0 }) => liveChannelCount))).toBe(tagged.length);
    });

    test('a user by handle, by id, by number and by record, and whether they are live', async () => {
      await using fixture = await open();
      const bot = new Bot(fixture);
      const [broadcast] = liveIn(fixture);
      const asleep = fixture.world.people.find(
        (person) => fixture.channelOf(person) && !liveIn(fixture).some(({ person: { id } }) => person.id === id),
      );
      if (!broadcast || !asleep) throw new Error('nobody is live, or everybody');
      const { person } = broadcast;
      const channel = fixture.channelOf(person);

      const live = await bot.getUser(channel?.handle.toUpperCase() ?? '');

      expect(live).toMatchObject({ ...channel, displayName: person.displayName, bio: person.bio, isLive: true });
      for (const form of [live.id, Number(live.id), live]) expect(await bot.getUser(form)).toEqual(live);
      expect(await bot.getUser(fixture.channelOf(asleep)?.handle ?? '')).toMatchObject({
        id: fixture.channelOf(asleep)?.id,
        isLive: false,
      });
    });

    test('a handle with spaces around it', async () => {
      await using fixture = await open();
      const bot = new Bot(fixture);
      const [broadcast] = liveIn(fixture);
      if (!broadcast) throw new Error('nobody is live');
      const { id, handle } = fixture.channelOf(broadcast.person) ?? {};

      const streams = await bot.getStreams({ users: [` @${handle} `] });

      expect(streams.items.map(({ owner }) => owner.id)).toEqual([id]);
      expect((await bot.getUser(`${handle}\u00a0`)).id).toBe(id);
    });

    test('the streams of hundreds of channels, by handle or id', async () => {
      await using fixture = await open();
      const people = fixture.world.people.slice(0, 500);
      const asked = people.flatMap((person, index) => {
        const channel = fixture.channelOf(person);
        return channel ? [index % 2 === 0 ? channel.handle.toUpperCase() : channel.id] : [];
      });
      const wanted = liveIn(fixture).filter(({ person }) => people.includes(person));

      const streams = await new Bot(fixture).getStreams({ users: [...asked, 'no such channel', 'nobody_of_this', ...asked.slice(0, 9)] });

      expect(inOrder(streams.items.map(seenIn))).toEqual(inOrder(wanted.map((broadcast) => toSeen(fixture, broadcast))));
      expect(viewers(streams)).toEqual(falling(viewers(wanted)));
      expect(streams).toMatchObject({ hasNext: false, partialErrors: [] });
      expect(wanted.length).toBeGreaterThan(5);
    });

    test('the streams of some games in some languages', async () => {
      await using fixture = await open();
      const wanted = liveIn(fixture).filter(
        ({ game, language }) => ['VALORANT', 'Just Chatting'].includes(game.name) && ['de', 'ja'].includes(language),
      );
      const justChatting = fixture.world.findGame('Just Chatting');
      if (!justChatting) throw new Error('nobody talks');

      const games = ['valorant', { id: fixture.gameIdOf(justChatting) }];
      const streams = await new Bot(fixture).getStreams({ ...whole, games, languages: ['DE', 'ja'] });

      expect(new Set(idsOf(streams))).toEqual(new Set(wanted.map(fixture.streamIdOf)));
      expect(wanted.length).toBeGreaterThan(1);
    });
  });

  streamingSearchContract(open);
  streamingRecordingsContract(open);

  describe('unknown users and games', () => {
    test('an unknown user or game is reported as missing', async () => {
      await using fixture = await open();
      const bot = new Bot(fixture);

      await expect(bot.getUser('nobody_of_this_name')).rejects.toMatchObject({ fault: 'missing' });
      await expect(bot.getGameStreams('No Such Game')).rejects.toMatchObject({ fault: 'missing' });
      await expect(bot.getGameStreams('99999999')).rejects.toMatchObject({ fault: 'missing' });
    });

    test('a call without users, games or languages fails before any request', async () => {
      await using fixture = await open();

      await expect(new Bot(fixture).getStreams({})).rejects.toMatchObject({ name: 'ValidationError' });
      expect(await fixture.reads()).toBe(0);
    });
  });

  describe('resumed reads', () => {
    test.for([{}, { tags: ['Deutsch', 'English'] }])(
      'an iteration with %o that is resumed after each page equals an uninterrupted one',
      async (options) => {
        await using fixture = await open();
        const bot = new Bot(fixture);
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
        await using fixture = await open();
        const bot = new Bot(fixture);
        const before = await bot.getTopStreams();
        fixture.fail({ ...order, times: 1 });

        const streams = await whileSleeping(fixture.clock, bot.getTopStreams());

        expect(streams.length).toBe(before.length);
      },
    );

    test('a repeated failure is reported with the cursor to resume from', async ({ skip }) => {
      await using fixture = await open();
      const bot = new Bot(fixture);
      const uncut = await bot.getTopStreams(whole);
      const pages = bot.iterTopStreams({ ...whole });
      const { value: first } = await pages.next();
      if (!first?.[0].hasNext) skip(fixture.platform.capabilities.getTopStreams.detail ?? 'all streams make one page');
      fixture.fail({ kind: 'status', status: 500, times: 3 });

      const error: unknown = await whileSleeping(
        fixture.clock,
        pages.next().catch((reason: unknown) => reason),
      );
      const cursor = typeof error === 'object' && error !== null && 'cursor' in error ? String(error.cursor) : undefined;
      const rest = await bot.getTopStreams({ ...whole, cursor });

      expect(error).toMatchObject({ fault: 'unavailable', status: 500 });
      expect([...(first?.[1] ?? []), ...rest].length).toBe(uncut.length);
    });

    test('a long rate limit is reported at once, with its end', async () => {
      await using fixture = await open();
      const bot = new Bot(fixture);
      await bot.getTopStreams();
      fixture.fail({ kind: 'rateLimit', ms: 600_000, times: 1 });

      const reading = bot.getTopStreams();

      await expect(reading).rejects.toMatchObject({ fault: 'rateLimited', retryAt: new Date(fixture.clock.nowMs() + 600_000) });
    });

    test.for(['endlessCursor', 'emptyList', 'shortList', 'repeatedItem'] as const)(
      'lists with %s end, and contain only existing streams, once each',
      async (kind) => {
        await using fixture = await open();
        const bot = new Bot(fixture);
        fixture.fail({ kind });

        const streams = await bot.getTopStreams(whole);

        const ids = idsOf(streams);
        const known = new Set(liveIn(fixture).map(fixture.streamIdOf));
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

/** A fixture that fails at its end if an operation sent a request that its capability does not name. */
function recorded(open: OpenStreaming): OpenStreaming {
  return async () => {
    const fixture = await open();
    const { adapter: platform, unlisted } = withRecordedRequests(fixture.platform);
    async function dispose(): Promise<void> {
      await fixture[Symbol.asyncDispose]();
      expect(unlisted(), 'requests that the table of capabilities does not name').toEqual([]);
    }
    return Object.create(fixture, { platform: { value: platform }, [Symbol.asyncDispose]: { value: dispose } }) as StreamingFixture; // the properties of the fixture
  };
}
