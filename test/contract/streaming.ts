import { describe, expect, test } from 'vitest';
import type { FaultOrder } from '#src/sandbox/faults.ts';
import type { Broadcast, World } from '#src/sandbox/world/world.ts';
import { Bot, type StreamingPlatform } from '#src/streaming/bot.ts';
import type { Stream } from '#src/streaming/records.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { whileSleeping } from '../support/while-sleeping.ts';

/** A platform to test an adapter on, and the truth about it. */
export interface StreamingGround extends AsyncDisposable {
  readonly platform: StreamingPlatform;
  readonly clock: ManualClock;
  /** What the platform plays. */
  readonly world: World;
  /** Reads fail like this from now on. */
  fail(order: Omit<FaultOrder, 'platform'>): void;
  /** How many reads have come. */
  reads(): Promise<number>;
}

export type OpenStreaming = () => Promise<StreamingGround>;

const whole = { pages: 'all', waitTime: 0 } as const;

/** What every streaming adapter promises. */
export function isStreaming(open: OpenStreaming): void {
  describe('what it tells is what there is', () => {
    test('the top streams, record for record, most watched first', async () => {
      await using ground = await open();
      const bot = new Bot(ground);

      const streams = await bot.getTopStreams(whole);

      expect(streams.items.map(truthOf)).toEqual(liveIn(ground).map(toTruth));
      expect(streams.items.filter(({ fetchedAt }) => fetchedAt.getTime() !== ground.clock.nowMs())).toEqual([]);
      expect(new Set(streams.items.map(({ platform, owner }) => `${platform} ${owner.platform}`)).size).toBe(1);
    });

    test('every address that a record has can be opened, and pictures have a size', async () => {
      await using ground = await open();
      const [stream] = await new Bot(ground).getTopStreams();

      expect(URL.canParse(stream?.url ?? '')).toBe(true);
      expect(stream?.thumbnailUrl).toMatch(/1280x720.*\?.+/);
      expect(stream?.thumbnailTemplate).toMatch(/\{width\}.*\{height\}/);
    });

    test('only those with one of the tags, whatever the case', async () => {
      await using ground = await open();
      const bot = new Bot(ground);
      const wanted = liveIn(ground).filter(({ tags }) => tags.includes('Deutsch') || tags.includes('Podcast'));

      const streams = await bot.getTopStreams({ ...whole, tags: ['deutsch', 'PODCAST'] });

      expect(idsOf(streams)).toEqual(idsOf(wanted));
      expect(streams).toMatchObject({ scanned: liveIn(ground).length, approximate: false });
    });

    test('the streams of a game, whatever the case of its name, in each of the orders', async () => {
      await using ground = await open();
      const bot = new Bot(ground);
      const wanted = liveIn(ground).filter(({ game }) => game.name === 'VALORANT');
      const { id = '' } = ground.world.findGame('VALORANT') ?? {};

      const top = await bot.getGameStreams('valorant', whole);
      const least = await bot.getGameStreams(id, { ...whole, sort: 'VIEWER_COUNT_ASC' });
      const newest = await bot.getGameStreams('VALORANT', { ...whole, sort: 'STARTED_AT' });

      expect(idsOf(top)).toEqual(idsOf(wanted));
      expect(least.items.map(({ viewerCount }) => viewerCount)).toEqual(
        wanted.map(({ viewerCount }) => viewerCount).toSorted((a, b) => a - b),
      );
      expect(times(newest)).toEqual(times(wanted).toSorted((a, b) => b - a));
    });

    test('the top games, by how many watch them', async () => {
      await using ground = await open();
      const watched = new Map<string, number>();
      for (const { game, viewerCount } of liveIn(ground)) watched.set(game.id, (watched.get(game.id) ?? 0) + viewerCount);

      const games = await new Bot(ground).getTopGames(whole);

      expect(new Set(idsOf(games))).toEqual(new Set(watched.keys()));
      const counts = games.items.map(({ id }) => watched.get(id) ?? 0);
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    });

    test('the top games of a tag, with what was counted', async () => {
      await using ground = await open();
      const tagged = liveIn(ground).filter(({ tags }) => tags.includes('Deutsch'));

      const games = await new Bot(ground).getTopGames({ tags: ['Deutsch'] });

      expect(sum(games.items.map(({ viewerCount = 0 }) => viewerCount))).toBe(sum(tagged.map(({ viewerCount }) => viewerCount)));
      expect(sum(games.items.map(({ liveChannelCount = 0 }) => liveChannelCount))).toBe(tagged.length);
    });

    test('a user by handle, by id and by record, and whether they are live', async () => {
      await using ground = await open();
      const bot = new Bot(ground);
      const [broadcast] = liveIn(ground);
      const asleep = ground.world.people.find(({ id }) => !liveIn(ground).some(({ person }) => person.id === id));
      if (!broadcast || !asleep) throw new Error('nobody is live, or everybody');
      const { person } = broadcast;

      const live = await bot.getUser(person.handle.toUpperCase());

      expect(live).toMatchObject({ id: person.id, handle: person.handle, displayName: person.displayName, isLive: true });
      expect(await bot.getUser(person.id)).toEqual(live);
      expect(await bot.getUser(live)).toEqual(live);
      expect(await bot.getUser(asleep.handle)).toMatchObject({ id: asleep.id, isLive: false });
    });

    test('those of hundreds of channels that are live, by handle or id, and nobody else', async () => {
      await using ground = await open();
      const people = ground.world.people.slice(0, 350);
      const asked = people.map(({ id, handle }, index) => (index % 2 === 0 ? handle.toUpperCase() : id));
      const wanted = liveIn(ground).filter(({ person }) => people.includes(person));

      const streams = await new Bot(ground).getStreams({ users: [...asked, 'no such channel', ...asked.slice(0, 9)] });

      expect(idsOf(streams)).toEqual(idsOf(wanted));
      expect(streams).toMatchObject({ hasNext: false, partialErrors: [] });
      expect(wanted.length).toBeGreaterThan(5);
    });

    test('the streams of some games in some languages', async () => {
      await using ground = await open();
      const wanted = liveIn(ground).filter(({ game, language }) => ['VALORANT', 'Fortnite'].includes(game.name) && language === 'de');

      const streams = await new Bot(ground).getStreams({ ...whole, games: ['VALORANT', 'Fortnite'], languages: ['DE'] });

      expect(idsOf(streams)).toEqual(idsOf(wanted));
    });
  });

  describe('what there is not', () => {
    test('a user or a game that nobody knows is missing', async () => {
      await using ground = await open();
      const bot = new Bot(ground);

      await expect(bot.getUser('nobody_of_this_name')).rejects.toMatchObject({ fault: 'missing' });
      await expect(bot.getGameStreams('No Such Game')).rejects.toMatchObject({ fault: 'missing' });
    });

    test('a call that names nobody at all says what to give, and asks nothing', async () => {
      await using ground = await open();

      await expect(new Bot(ground).getStreams({})).rejects.toMatchObject({ name: 'ValidationError' });
      expect(await ground.reads()).toBe(0);
    });
  });

  describe('cut and resumed', () => {
    test.for([{}, { tags: ['Deutsch', 'English'] }])('a walk with %o equals the uncut one', async (options) => {
      await using ground = await open();
      const bot = new Bot(ground);
      const uncut = await bot.getTopStreams({ ...whole, ...options });
      const pieces: Stream[] = [];
      let cursor: string | undefined;

      do {
        const piece = await bot.getTopStreams({ ...options, cursor });
        pieces.push(...piece);
        cursor = piece.cursor;
      } while (cursor !== undefined);

      expect(idsOf(pieces)).toEqual(idsOf(uncut));
    });
  });

  describe('when the platform fails', () => {
    test.for([{ kind: 'status', status: 503 }, { kind: 'resetBefore' }, { kind: 'resetAfter' }, { kind: 'rateLimit', ms: 2000 }] as const)(
      'a passing %o is not noticed',
      async (order) => {
        await using ground = await open();
        const bot = new Bot(ground);
        const before = await bot.getTopStreams();
        ground.fail({ ...order, times: 1 });

        const streams = await whileSleeping(ground.clock, bot.getTopStreams());

        expect(streams.length).toBe(before.length);
      },
    );

    test('a lasting one is told with the place to go on from', async () => {
      await using ground = await open();
      const bot = new Bot(ground);
      const uncut = await bot.getTopStreams(whole);
      const pages = bot.iterTopStreams({ ...whole });
      const { value: first } = await pages.next();
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

    test('a long limit is told at once, with its end', async () => {
      await using ground = await open();
      const bot = new Bot(ground);
      await bot.getTopStreams();
      ground.fail({ kind: 'rateLimit', ms: 600_000, times: 1 });

      const reading = bot.getTopStreams();

      await expect(reading).rejects.toMatchObject({ fault: 'rateLimited', retryAt: new Date(ground.clock.nowMs() + 600_000) });
    });

    test.for(['endlessCursor', 'emptyList', 'shortList', 'repeatedItem'] as const)(
      'lists with %s end, and invent nothing',
      async (kind) => {
        await using ground = await open();
        const bot = new Bot(ground);
        ground.fail({ kind });

        const streams = await bot.getTopStreams(whole);

        const ids = idsOf(streams);
        const known = new Set(idsOf(liveIn(ground)));
        expect(ids.filter((id) => !known.has(id))).toEqual([]);
        expect(new Set(ids).size).toBe(ids.length);
      },
    );
  });
}

/** What a record and the world both know. */
function truthOf({ id, owner, game, title, tags, language, viewerCount, startedAt }: Stream) {
  const { id: userId, handle, displayName } = owner;
  return { id, userId, handle, displayName, gameId: game?.id, game: game?.name, title, tags, language, viewerCount, startedAt };
}

function toTruth({ id, person, game, title, tags, language, viewerCount, startedAt }: Broadcast) {
  const { id: userId, handle, displayName } = person;
  const at = new Date(Math.floor(startedAt.getTime() / 1000) * 1000); // platforms tell whole seconds
  return { id, userId, handle, displayName, gameId: game.id, game: game.name, title, tags, language, viewerCount, startedAt: at };
}

function liveIn({ world, clock }: StreamingGround): readonly Broadcast[] {
  return world.liveAt(clock.nowMs());
}

function idsOf(items: Iterable<{ readonly id: string }>): readonly string[] {
  return Array.from(items, ({ id }) => id);
}

function times(items: Iterable<{ readonly startedAt: Date }>): number[] {
  return Array.from(items, ({ startedAt }) => Math.floor(startedAt.getTime() / 1000));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
