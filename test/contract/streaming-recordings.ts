import { describe, expect, test } from 'vitest';
import { Bot } from '#src/clients/streaming/bot.ts';
import { ClipSort, VideoSort } from '#src/clients/streaming/enumerations.ts';
import type { Clip, Game, User } from '#src/clients/streaming/records.ts';
import {
  falling,
  idsOf,
  liveIn,
  pastOf,
  pieceByPiece,
  openFor,
  whole,
  wholeSecond,
  type OpenStreaming,
  type StreamingFixture,
} from './streaming-fixture.ts';

const DAY_MS = 86_400_000;
/** The maximum number of clips of one query. */
const MOST_OF_A_QUERY = 1000;

/** The contract of videos and clips. */
export function streamingRecordingsContract(open: OpenStreaming): void {
  describe('videos', () => {
    test('the videos of a user are the recordings of their past streams, newest first', async ({ skip }) => {
      await using fixture = await openFor('getUserVideos', open, skip);
      const bot = new Bot(fixture);
      const { person } = star(fixture);

      const videos = await bot.getUserVideos(person.handle, whole);

      const archives = videos.items.filter(({ kind }) => kind === 'archive');
      expect(
        archives.map(({ streamId, title, createdAt, durationMs, language, owner }) => [
          streamId,
          title,
          createdAt,
          durationMs,
          language,
          owner.id,
        ]),
      ).toEqual(
        pastOf(fixture, person, 14).map(({ id, title, startedAt, endedAt, language }) => [
          id,
          title,
          wholeSecond(startedAt),
          Math.floor(((endedAt?.getTime() ?? fixture.clock.nowMs()) - startedAt.getTime()) / 1000) * 1000,
          language,
          person.id,
        ]),
      );
      expect(createdIn(videos)).toEqual(falling(createdIn(videos)));
    });

    test('a user may be a handle, an id, a number or a record', async ({ skip }) => {
      await using fixture = await openFor('getUserVideos', open, skip);
      const bot = new Bot(fixture);
      const user = await userRecord(bot, fixture);

      const expected = idsOf(await bot.getUserVideos(user.handle));
      for (const form of [user.handle.toUpperCase(), user.id, Number(user.id), user]) {
        expect(idsOf(await bot.getUserVideos(form))).toEqual(expected);
      }
      expect(expected.length).toBeGreaterThan(0);
    });

    test('each order has the same videos; an order by views is descending', async ({ skip }) => {
      await using fixture = await openFor('getUserVideos', open, skip);
      const bot = new Bot(fixture);
      const { person } = star(fixture);

      const byTime = await bot.getUserVideos(person.id, whole);
      for (const sort of Object.values(VideoSort)) {
        const videos = await bot.getUserVideos(person.id, { ...whole, sort });

        expect(new Set(idsOf(videos))).toEqual(new Set(idsOf(byTime)));
      }
      for (const sort of ['VIEWS', 'VIEWER_COUNT'] as const) {
        const views = viewsIn(await bot.getUserVideos(person.id, { ...whole, sort }));

        expect(views).toEqual(falling(views));
      }
    });

    test('the videos of a game, by name, id or record, are of its streams, most viewed first', async ({ skip }) => {
      await using fixture = await openFor('getGameVideos', open, skip);
      const bot = new Bot(fixture);
      const game = await gameRecord(bot);

      const videos = await bot.getGameVideos(game.name.toLowerCase(), whole);

      for (const form of [game.id, Number(game.id), game]) expect(idsOf(await bot.getGameVideos(form, whole))).toEqual(idsOf(videos));
      expect(viewsIn(videos)).toEqual(falling(viewsIn(videos)));
      const played = videos.items.flatMap(({ streamId }) => broadcastOf(fixture, streamId)?.game.name ?? []);
      expect(new Set(played)).toEqual(new Set([game.name]));
      expect(videos.length).toBeGreaterThan(100);
    });

    test('a filter by languages returns all videos in these languages, in the same order', async ({ skip }) => {
      await using fixture = await openFor('getGameVideos', open, skip);
      const bot = new Bot(fixture);
      const all = await bot.getGameVideos('VALORANT', { ...whole, sort: 'TIME' });
      const wanted = all.items.filter(({ language }) => language === 'de' || language === 'fr');

      const videos = await bot.getGameVideos('VALORANT', { ...whole, sort: 'TIME', languages: 'de, FR' });
      const listed = await bot.getGameVideos('VALORANT', { ...whole, sort: 'TIME', languages: ['DE', 'FR'] });

      // Twitch shows 500 of a game, and 500 of a game in a language.
      expect(idsOf(videos).filter((id) => idsOf(wanted).includes(id))).toEqual(idsOf(wanted));
      expect(new Set(videos.items.map(({ language }) => language))).toEqual(new Set(['de', 'fr']));
      expect(createdIn(videos)).toEqual(falling(createdIn(videos)));
      expect(idsOf(listed)).toEqual(idsOf(videos));
    });

    test('an iteration that is resumed after each page equals an uninterrupted one', async ({ skip }) => {
      await using fixture = await openFor('getGameVideos', open, skip);
      const bot = new Bot(fixture);
      for (const options of [{}, { languages: 'en, de, fr' }]) {
        const uncut = await bot.getGameVideos('VALORANT', { ...whole, ...options });

        const pieces = await pieceByPiece((cursor) => bot.getGameVideos('VALORANT', { ...options, cursor }));

        expect(idsOf(pieces)).toEqual(idsOf(uncut));
        expect(new Set(idsOf(uncut)).size).toBe(uncut.length);
      }
    });
  });

  describe('clips', () => {
    test('the clips of a user are from their past streams, newest first', async ({ skip }) => {
      await using fixture = await openFor('getUserClips', open, skip);
      const bot = new Bot(fixture);
      const { person } = star(fixture);

      const newest = await bot.getUserClips(person.handle, whole);
      const viewed = await bot.getUserClips(person.handle, { ...whole, sort: 'ALL_TIME' });

      expect(createdIn(newest)).toEqual(falling(createdIn(newest)));
      expect(new Set(idsOf(newest))).toEqual(new Set(idsOf(viewed)));
      expect(viewsIn(viewed)).toEqual(falling(viewsIn(viewed)));
      const past = pastOf(fixture, person, 14);
      for (const { owner, createdAt, gameId, language, vodOffsetMs = 0 } of newest) {
        const cutFrom = past.find(({ startedAt }) => Math.abs(startedAt.getTime() + vodOffsetMs - createdAt.getTime()) <= 1000);
        expect(owner).toMatchObject({ id: person.id, handle: person.handle, displayName: person.displayName });
        expect({ gameId, language }).toEqual({ gameId: cutFrom && fixture.gameIdOf(cutFrom.game), language: cutFrom?.language });
      }
      expect(newest.length).toBeGreaterThan(5);
    });

    test('a user may be a handle, an id, a number or a record', async ({ skip }) => {
      await using fixture = await openFor('getUserClips', open, skip);
      const bot = new Bot(fixture);
      const user = await userRecord(bot, fixture);

      const expected = idsOf(await bot.getUserClips(user.handle));
      for (const form of [user.handle.toUpperCase(), user.id, Number(user.id), user]) {
        expect(idsOf(await bot.getUserClips(form))).toEqual(expected);
      }
    });

    test('each order has the clips of its period, most viewed first', async ({ skip }) => {
      await using fixture = await openFor('getGameClips', open, skip);
      const bot = new Bot(fixture);
      const game = await gameRecord(bot);
      const all = await bot.getGameClips(game, { ...whole, sort: 'TIME' });
      const spans: Partial<Record<ClipSort, number>> = { LAST_DAY: DAY_MS, LAST_WEEK: 7 * DAY_MS, LAST_MONTH: 30 * DAY_MS };

      expect(createdIn(all)).toEqual(falling(createdIn(all)));
      for (const sort of Object.values(ClipSort).filter((each) => each !== 'TIME')) {
        const clips = await bot.getGameClips(game.name, { ...whole, sort });
        const oldestMs = fixture.clock.nowMs() - (spans[sort] ?? Infinity);
        const inside = all.items.filter(({ createdAt }) => createdAt.getTime() >= oldestMs);

        expect(idsOf(clips)).toEqual(mostViewed(inside));
        expect(clips.approximate).toBe(inside.length >= MOST_OF_A_QUERY);
      }
      expect(all.length).toBeGreaterThan(MOST_OF_A_QUERY);
      expect(all.approximate).toBe(false);
    });

    test('a filter by languages returns all clips in these languages, with the number of scanned clips', async ({ skip }) => {
      await using fixture = await openFor('getGameClips', open, skip);
      const bot = new Bot(fixture);
      const wanted = ({ language }: Clip): boolean => language === 'de' || language === 'ja';
      const all = await bot.getGameClips('VALORANT', { ...whole, sort: 'TIME' });

      const newest = await bot.getGameClips('VALORANT', { ...whole, sort: 'TIME', languages: ['DE', 'JA'] });
      const viewed = await bot.getGameClips('VALORANT', { ...whole, sort: 'LAST_DAY', languages: 'DE,ja' });
      const today = await bot.getGameClips('VALORANT', { ...whole, sort: 'LAST_DAY' });

      expect(idsOf(newest)).toEqual(idsOf(all.items.filter(wanted)));
      expect(newest.scanned).toBeGreaterThanOrEqual(all.length);
      expect(idsOf(viewed)).toEqual(idsOf(today.items.filter(wanted)));
      expect(viewed.scanned).toBe(today.length);
      expect(viewed.length).toBeGreaterThan(5);
    });

    for (const sort of ['TIME', 'VIEWS', 'LAST_WEEK'] as const) {
      test(`an iteration by ${sort} that is resumed after each page equals an uninterrupted one`, async ({ skip }) => {
        await using fixture = await openFor('getGameClips', open, skip);
        const bot = new Bot(fixture);
        const uncut = await bot.getGameClips('VALORANT', { ...whole, sort });

        const pieces = await pieceByPiece((cursor) => bot.getGameClips('VALORANT', { sort, cursor }));

        expect(idsOf(pieces)).toEqual(idsOf(uncut));
        expect(new Set(idsOf(uncut)).size).toBe(uncut.length);
      });
    }

    test('endless cursors, empty lists and short lists end, and contain only existing clips, once each', async ({ skip }) => {
      await using fixture = await openFor('getUserClips', open, skip);
      const bot = new Bot(fixture);
      const { person } = star(fixture);
      const known = new Set(idsOf(await bot.getUserClips(person.id, { ...whole, sort: 'VIEWS' })));
      for (const kind of ['endlessCursor', 'emptyList', 'shortList', 'repeatedItem'] as const) {
        fixture.fail({ kind, times: 60 });
        for (const sort of ['TIME', 'VIEWS', 'LAST_MONTH'] as const) {
          const ids = idsOf(await bot.getUserClips(person.id, { ...whole, sort }));

          expect(ids.filter((id) => !known.has(id))).toEqual([]);
          expect(new Set(ids).size).toBe(ids.length);
        }
      }
    });
  });

  test('an operation that the capabilities do not support fails with its reason and alternatives, before any request', async () => {
    await using fixture = await open();
    const bot = new Bot(fixture);
    const calls = {
      getUserVideos: [() => bot.getUserVideos('ada'), () => bot.iterUserVideos('ada').next()],
      getUserClips: [() => bot.getUserClips('ada'), () => bot.iterUserClips('ada').next()],
      getGameVideos: [() => bot.getGameVideos('Chess'), () => bot.iterGameVideos('Chess').next()],
      getGameClips: [() => bot.getGameClips('Chess'), () => bot.iterGameClips('Chess').next()],
    };

    for (const [operation, forms] of Object.entries(calls)) {
      const capability = fixture.platform.capabilities[operation as keyof typeof calls]; // its own keys
      if (capability.support !== 'unsupported') continue;
      const { reason, alternatives = [] } = capability;
      for (const form of forms)
        await expect(form()).rejects.toMatchObject({ name: 'UnsupportedOperation', operation, reason, alternatives });
      expect(alternatives.length).toBeGreaterThan(0);
    }
    expect(await fixture.reads()).toBe(0);
  });
}

/** A popular live person. */
function star(fixture: StreamingFixture) {
  const [broadcast] = liveIn(fixture);
  if (!broadcast) throw new Error('nobody is live');
  return broadcast;
}

function userRecord(bot: Bot, fixture: StreamingFixture): Promise<User> {
  return bot.getUser(star(fixture).person.handle);
}

async function gameRecord(bot: Bot): Promise<Game> {
  const game = (await bot.getTopGames()).items.find(({ name }) => name === 'VALORANT');
  if (!game) throw new Error('nobody plays VALORANT');
  return game;
}

function broadcastOf({ world, clock }: StreamingFixture, id: string | undefined) {
  return id === undefined ? undefined : world.findBroadcast(id, clock.nowMs());
}

/** The ids of the most viewed clips, up to the maximum of a query. */
function mostViewed(clips: readonly Clip[]): readonly string[] {
  const best = clips.toSorted((a, b) => b.viewCount - a.viewCount || (a.id < b.id ? 1 : -1));
  return idsOf(best.slice(0, MOST_OF_A_QUERY));
}

function createdIn(items: Iterable<{ readonly createdAt: Date }>): readonly number[] {
  return Array.from(items, ({ createdAt }) => createdAt.getTime());
}

function viewsIn(items: Iterable<{ readonly viewCount: number }>): readonly number[] {
  return Array.from(items, ({ viewCount }) => viewCount);
}
