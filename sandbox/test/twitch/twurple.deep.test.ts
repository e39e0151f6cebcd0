import { ApiClient } from '@twurple/api';
import { AppTokenAuthProvider, getAppToken, getTokenInfo, StaticAuthProvider } from '@twurple/auth';
import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '../../index.ts';
import { twitchServer } from '../../twitch/server.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { signedInChannel } from '../../../test/support/signed-in-channel.ts';
import { DAY_MS, HOUR_MS } from '../../../test/support/sandbox-world.ts';
import { controlApi } from '../../../test/support/control-api.ts';

const Channel = z.object({ accessToken: z.string(), scopes: z.array(z.string()), userId: z.string() });

/** The client of another author, connected to a sandbox with a stopped clock. */
async function openTwurple() {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ platforms: [twitchServer], clock });
  const { TWITCH_CLIENT_ID = '', TWITCH_CLIENT_SECRET = '' } = sandbox.environment;
  // Twurple has no other setting for the address, and this file runs in a separate process.
  process.env['TWURPLE_MOCK_API_PORT'] = new URL(sandbox.url).port;
  const api = new ApiClient({ authProvider: new AppTokenAuthProvider(TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET) });
  const { url, environment } = sandbox;
  return {
    sandbox,
    api,
    nowMs: clock.nowMs(),
    /** The client with the token of the channel `ada`. */
    async channel() {
      const tokens = await signedInChannel({ url, environment, clock });
      const { accessToken, scopes, userId } = Channel.parse(await tokens.load());
      return { api: new ApiClient({ authProvider: new StaticAuthProvider(TWITCH_CLIENT_ID, accessToken, scopes) }), userId };
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

describe('@twurple/api', () => {
  test('reads all pages of the top streams', async () => {
    await using opened = await openTwurple();
    const truth = opened.sandbox.world.liveAt(opened.nowMs);

    const streams = await opened.api.streams.getStreamsPaginated().getAll();

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

  test('reads a team with its members', async () => {
    await using opened = await openTwurple();

    const team = await opened.api.teams.getTeamByName('nightshift');

    expect(team?.userRelations.map(({ name }) => name)).toEqual(opened.sandbox.world.people.slice(0, 12).map(({ handle }) => handle));
  });

  test('sends in the chat of a channel, and reads the reason of a dropped message', async () => {
    await using opened = await openTwurple();
    const { api, userId } = await opened.channel();
    const order = (reason: object) => controlApi(opened.sandbox.url)('/twitch/chat/drop', { reason });

    const sent = await api.chat.sendChatMessage(userId, 'Hello');
    await order({ code: 'msg_rejected', message: 'Not sent.' });
    const dropped = api.chat.sendChatMessage(userId, 'Hello');

    expect([sent.isSent, sent.id]).toEqual([true, expect.stringMatching(/^[\da-f-]{36}$/u)]);
    await expect(dropped).rejects.toMatchObject({ name: 'ChatMessageDroppedError', message: expect.stringContaining('Not sent.') });
    await expect(api.chat.sendChatMessage(userId, 'x'.repeat(501))).rejects.toThrow('422');
  });

  test('reads a schedule, which an order moves and cancels', async () => {
    await using opened = await openTwurple();
    const { api, sandbox } = opened;
    const [regular, other] = [sandbox.world.people[0], sandbox.world.people[20]];
    const plan = (streams: readonly object[]) => controlApi(sandbox.url)('/twitch/schedule', { user: regular?.handle, streams });
    const read = async () => (await api.schedule.getSchedule(regular?.id ?? '', { limit: 3 })).data.segments;

    expect((await read()).map(({ isRecurring }) => isRecurring)).toEqual([true, true, true]);
    await expect(api.schedule.getSchedule(other?.id ?? '')).rejects.toThrow('404');

    const stream = { id: 'a', title: 'Finale', game: 'Chess', startsAt: '2036-01-01T18:00:00Z' };
    await plan([stream]);
    const [planned] = await read();
    await plan([{ ...stream, startsAt: '2036-01-01T19:00:00Z', canceled: true }]);
    const [canceled] = await read();

    expect([planned?.id, planned?.title, planned?.categoryName, planned?.startDate, planned?.cancelEndDate]).toEqual([
      'a',
      'Finale',
      'Chess',
      new Date('2036-01-01T18:00:00Z'),
      null,
    ]);
    expect([canceled?.startDate, canceled?.cancelEndDate]).toEqual([new Date('2036-01-01T19:00:00Z'), new Date('2036-01-01T21:00:00Z')]);
  });

  test('reads the videos of a user and of a game', async () => {
    await using opened = await openTwurple();
    const { world } = opened.sandbox;
    const star = world.liveAt(opened.nowMs)[0];
    const userId = star?.person.id ?? '';

    const videos = await opened.api.videos.getVideosByUserPaginated(userId, { type: 'archive' }).getAll();
    const viewed = await opened.api.videos.getVideosByUser(userId, { orderBy: 'views', limit: 3 });
    const today = await opened.api.videos.getVideosByUser(userId, { period: 'day' });
    const ofGame = await opened.api.videos.getVideosByGame(star?.game.id ?? '', { limit: 100, language: star?.language ?? '' });
    const again = await opened.api.videos.getVideoById(videos[1]?.id ?? '');

    const past = world.broadcastsBetween({
      person: star?.person,
      fromMs: opened.nowMs - 14 * DAY_MS,
      toMs: opened.nowMs,
      atMs: opened.nowMs,
    });
    expect(videos.map(({ streamId }) => streamId)).toEqual(past.map(({ id }) => id).toReversed());
    expect(videos[0]?.streamId).toBe(star?.id);
    expect(videos[1]?.durationInSeconds).toBe(((past.at(-2)?.endedAt?.getTime() ?? 0) - (past.at(-2)?.startedAt.getTime() ?? 0)) / 1000);
    expect(again).toMatchObject({ id: videos[1]?.id, title: videos[1]?.title, isPublic: true, type: 'archive' });
    expect(viewed.data.map(({ views }) => views)).toEqual(viewed.data.map(({ views }) => views).toSorted((a, b) => b - a));
    expect(today.data.every(({ creationDate }) => opened.nowMs - creationDate.getTime() <= DAY_MS)).toBe(true);
    expect(ofGame.data.length).toBeGreaterThan(0);
    expect(new Set(ofGame.data.map(({ language }) => language))).toEqual(new Set([star?.language]));
    expect((await fetch(videos[0]?.getThumbnailUrl(320, 180) ?? '')).status).toBe(200);
    await expect(opened.api.videos.getVideoById('1')).rejects.toThrow(/404/);
  });

  test('reads the clips of a broadcaster and of a game, sorted by views', async () => {
    await using opened = await openTwurple();
    const star = opened.sandbox.world.liveAt(opened.nowMs)[0];
    const startDate = new Date(opened.nowMs - 3 * DAY_MS).toISOString();
    const endDate = new Date(opened.nowMs - HOUR_MS).toISOString();

    const all = await opened.api.clips.getClipsForBroadcasterPaginated(star?.person.id ?? '').getAll();
    const window = await opened.api.clips.getClipsForGame(star?.game.id ?? '', { startDate, endDate, limit: 50 });
    const again = await opened.api.clips.getClipById(all[0]?.id ?? '');

    expect(all.length).toBeGreaterThan(3);
    expect(all.map(({ views }) => views)).toEqual(all.map(({ views }) => views).toSorted((a, b) => b - a));
    expect(new Set(all.map(({ broadcasterId }) => broadcasterId))).toEqual(new Set([star?.person.id]));
    expect(window.data.length).toBeGreaterThan(5);
    expect(window.data.every(({ creationDate }) => creationDate >= new Date(startDate) && creationDate < new Date(endDate))).toBe(true);
    expect(again).toMatchObject({ id: all[0]?.id, title: all[0]?.title, views: all[0]?.views });
    expect((await opened.api.videos.getVideoById(all[0]?.videoId ?? ''))?.userId).toBe(star?.person.id);
    expect((await fetch(all[0]?.thumbnailUrl ?? '')).status).toBe(200);
  });

  test('renews a revoked token and validates tokens', async () => {
    await using opened = await openTwurple();
    const { TWITCH_CLIENT_ID = '', TWITCH_CLIENT_SECRET = '' } = opened.sandbox.environment;
    await opened.api.streams.getStreams({ limit: 1 });

    await fetch(`${opened.sandbox.url}/control/twitch/revoke`, { method: 'POST', headers: { 'content-type': 'application/json' } });

    expect((await opened.api.streams.getStreams({ limit: 1 })).data).toHaveLength(1);
    const { accessToken } = await getAppToken(TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET);
    expect((await getTokenInfo(accessToken)).clientId).toBe(TWITCH_CLIENT_ID);
    await expect(getTokenInfo('made-up')).rejects.toThrow(/token/i);
  });
});
