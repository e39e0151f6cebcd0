import { ApiClient } from '@twurple/api';
import { AppTokenAuthProvider, getAppToken, getTokenInfo } from '@twurple/auth';
import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../index.ts';
import { twitchServer } from '../../twitch/server.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { DAY_MS, HOUR_MS } from '../../../test/support/sandbox-world.ts';

/** A client that others wrote, sent to a sandbox whose time stands still. */
async function judge(): Promise<{ readonly sandbox: Sandbox; readonly api: ApiClient; readonly nowMs: number } & AsyncDisposable> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ platforms: [twitchServer], clock });
  const { TWITCH_CLIENT_ID = '', TWITCH_CLIENT_SECRET = '' } = sandbox.environment;
  // It has no other way to be sent elsewhere, and this file is a process of its own.
  process.env['TWURPLE_MOCK_API_PORT'] = new URL(sandbox.url).port;
  const api = new ApiClient({ authProvider: new AppTokenAuthProvider(TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET) });
  return { sandbox, api, nowMs: clock.nowMs(), [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose]() };
}

describe('@twurple/api', () => {
  test('reads the top streams, page by page, each once and in the order of the world', async () => {
    await using judged = await judge();
    const truth = judged.sandbox.world.liveAt(judged.nowMs);

    const streams = await judged.api.streams.getStreamsPaginated().getAll();

    expect(streams.map(({ id, viewers }) => [id, viewers])).toEqual(truth.map(({ id, viewerCount }) => [id, viewerCount]));
    const [first] = streams;
    expect(first).toMatchObject({
      userName: truth[0]?.person.handle,
      userDisplayName: truth[0]?.person.displayName,
      gameName: truth[0]?.game.name,
      type: 'live',
      title: truth[0]?.title,
      language: truth[0]?.language,
      tags: truth[0]?.tags,
      startDate: truth[0]?.startedAt,
      isMature: false,
    });
  });

  test('reads the streams of a game, of a language and of named channels', async () => {
    await using judged = await judge();
    const { world } = judged.sandbox;
    const live = world.liveAt(judged.nowMs);
    const game = world.findGame('VALORANT');
    const some = live.slice(10, 130).map(({ person }) => person);

    const ofGame = await judged.api.streams.getStreams({ game: game?.id ?? '', limit: 5 });
    const ofLanguages = await judged.api.streams.getStreamsPaginated({ language: ['de', 'fr'] }).getAll();
    const byId = await judged.api.streams.getStreams({ userId: some.slice(0, 100).map(({ id }) => id), limit: 100 });
    const byName = await judged.api.streams.getStreamByUserName(some[5]?.handle ?? '');
    const nobody = await judged.api.streams.getStreamByUserName('nobody_at_all');

    expect(ofGame.data.map(({ id }) => id)).toEqual(
      live
        .filter((each) => each.game === game)
        .slice(0, 5)
        .map(({ id }) => id),
    );
    expect(new Set(ofLanguages.map(({ language }) => language))).toEqual(new Set(['de', 'fr']));
    expect(byId.data.map(({ userId }) => userId)).toEqual(some.slice(0, 100).map(({ id }) => id));
    expect(byName?.userId).toBe(some[5]?.id);
    expect(nobody).toBeNull();
  });

  test('reads users', async () => {
    await using judged = await judge();
    const ada = judged.sandbox.world.findPerson('ada');

    const users = await judged.api.users.getUsersByNames(['ada', 'grace', 'nobody_at_all']);
    const [user] = users;

    expect(users.map(({ name }) => name)).toEqual(['ada', 'grace']);
    expect(user).toMatchObject({ id: ada?.id, displayName: 'Ada', description: ada?.bio, broadcasterType: 'affiliate' });
    expect((await judged.api.users.getUserById(ada?.id ?? ''))?.name).toBe('ada');
    expect((await fetch(user?.profilePictureUrl ?? '')).headers.get('content-type')).toBe('image/jpeg');
    expect(await judged.api.channels.getChannelFollowerCount(ada?.id ?? '')).toBe(ada?.followerCount);
  });

  test('reads games: the top, by name, by what a name has in it', async () => {
    await using judged = await judge();

    const top = await judged.api.games.getTopGamesPaginated().getAll();
    const chess = await judged.api.games.getGameByName('Chess');
    const found = await judged.api.search.searchCategories('hollow');

    expect(top.length).toBeGreaterThan(40);
    expect(new Set(top.map(({ id }) => id)).size).toBe(top.length);
    expect(chess?.name).toBe('Chess');
    expect(await judged.api.games.getGameByName('Chest')).toBeNull();
    expect((await judged.api.games.getGameByIgdbId(chess?.igdbId ?? ''))?.id).toBe(chess?.id);
    expect(found.data.map(({ name }) => name)).toEqual(['Hollow Knight', 'Hollow Orchard']);
    expect((await fetch(top[0]?.getBoxArtUrl(285, 380) ?? '')).status).toBe(200);
  });

  test('reads the videos of a user and of a game', async () => {
    await using judged = await judge();
    const { world } = judged.sandbox;
    const star = world.liveAt(judged.nowMs)[0];
    const userId = star?.person.id ?? '';

    const videos = await judged.api.videos.getVideosByUserPaginated(userId, { type: 'archive' }).getAll();
    const viewed = await judged.api.videos.getVideosByUser(userId, { orderBy: 'views', limit: 3 });
    const today = await judged.api.videos.getVideosByUser(userId, { period: 'day' });
    const ofGame = await judged.api.videos.getVideosByGame(star?.game.id ?? '', { limit: 100, language: star?.language ?? '' });
    const again = await judged.api.videos.getVideoById(videos[1]?.id ?? '');

    const past = world.broadcastsBetween({
      person: star?.person,
      fromMs: judged.nowMs - 14 * DAY_MS,
      toMs: judged.nowMs,
      atMs: judged.nowMs,
    });
    expect(videos.map(({ streamId }) => streamId)).toEqual(past.map(({ id }) => id).toReversed());
    expect(videos[0]?.streamId).toBe(star?.id);
    expect(videos[1]?.durationInSeconds).toBe(((past.at(-2)?.endedAt?.getTime() ?? 0) - (past.at(-2)?.startedAt.getTime() ?? 0)) / 1000);
    expect(again).toMatchObject({ id: videos[1]?.id, title: videos[1]?.title, isPublic: true, type: 'archive' });
    expect(viewed.data.map(({ views }) => views)).toEqual(viewed.data.map(({ views }) => views).toSorted((a, b) => b - a));
    expect(today.data.every(({ creationDate }) => judged.nowMs - creationDate.getTime() <= DAY_MS)).toBe(true);
    expect(ofGame.data.length).toBeGreaterThan(0);
    expect(new Set(ofGame.data.map(({ language }) => language))).toEqual(new Set([star?.language]));
    expect((await fetch(videos[0]?.getThumbnailUrl(320, 180) ?? '')).status).toBe(200);
    await expect(judged.api.videos.getVideoById('1')).rejects.toThrow(/404/);
  });

  test('reads the clips of a broadcaster and of a game, most watched first', async () => {
    await using judged = await judge();
    const star = judged.sandbox.world.liveAt(judged.nowMs)[0];
    const startDate = new Date(judged.nowMs - 3 * DAY_MS).toISOString();
    const endDate = new Date(judged.nowMs - HOUR_MS).toISOString();

    const all = await judged.api.clips.getClipsForBroadcasterPaginated(star?.person.id ?? '').getAll();
    const window = await judged.api.clips.getClipsForGame(star?.game.id ?? '', { startDate, endDate, limit: 50 });
    const again = await judged.api.clips.getClipById(all[0]?.id ?? '');

    expect(all.length).toBeGreaterThan(3);
    expect(all.map(({ views }) => views)).toEqual(all.map(({ views }) => views).toSorted((a, b) => b - a));
    expect(new Set(all.map(({ broadcasterId }) => broadcasterId))).toEqual(new Set([star?.person.id]));
    expect(window.data.length).toBeGreaterThan(5);
    expect(window.data.every(({ creationDate }) => creationDate >= new Date(startDate) && creationDate < new Date(endDate))).toBe(true);
    expect(again).toMatchObject({ id: all[0]?.id, title: all[0]?.title, views: all[0]?.views });
    expect((await judged.api.videos.getVideoById(all[0]?.videoId ?? ''))?.userId).toBe(star?.person.id);
    expect((await fetch(all[0]?.thumbnailUrl ?? '')).status).toBe(200);
  });

  test('searches channels', async () => {
    await using judged = await judge();

    const named = await judged.api.search.searchChannels('golden', { limit: 100 });
    const live = await judged.api.search.searchChannels('valor', { liveOnly: true });

    expect(named.data.length).toBeGreaterThan(20);
    expect(named.data.filter(({ name }) => !name.startsWith('golden'))).toEqual([]);
    expect(new Set(named.data.map(({ isLive }) => isLive))).toEqual(new Set([true, false]));
    expect(named.data.every(({ isLive, startDate }) => isLive === (startDate !== null))).toBe(true);
    expect(live.data.length).toBeGreaterThan(10);
    expect(live.data.every(({ gameName, name }) => gameName === 'VALORANT' || name.startsWith('valor'))).toBe(true);
  });

  test('renews a token that was revoked, and knows what a token is', async () => {
    await using judged = await judge();
    const { TWITCH_CLIENT_ID = '', TWITCH_CLIENT_SECRET = '' } = judged.sandbox.environment;
    await judged.api.streams.getStreams({ limit: 1 });

    await fetch(`${judged.sandbox.url}/control/twitch/revoke`, { method: 'POST', headers: { 'content-type': 'application/json' } });

    expect((await judged.api.streams.getStreams({ limit: 1 })).data).toHaveLength(1);
    const { accessToken } = await getAppToken(TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET);
    expect((await getTokenInfo(accessToken)).clientId).toBe(TWITCH_CLIENT_ID);
    await expect(getTokenInfo('made-up')).rejects.toThrow(/token/i);
  });

  test('a wrong secret is refused', async () => {
    await using judged = await judge();
    const api = new ApiClient({ authProvider: new AppTokenAuthProvider(judged.sandbox.environment['TWITCH_CLIENT_ID'] ?? '', 'wrong') });

    await expect(api.streams.getStreams()).rejects.toThrow(/403/);
  });
});
