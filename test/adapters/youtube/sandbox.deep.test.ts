import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { youtube } from '#adapters/youtube/index.ts';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import { youtubeServer } from '#sandbox/youtube/server.ts';
import { youtubeWorld, type YoutubeWorld } from '#sandbox/youtube/videos.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import type { WorldPerson } from '#sandbox/world/world.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const Counts = z.object({ items: z.array(z.object({ route: z.string(), count: z.int() })) });

interface Fixture extends AsyncDisposable {
  readonly bot: Bot;
  readonly sandbox: Sandbox;
  readonly world: YoutubeWorld;
  readonly clock: ManualClock;
  /** People who are live. */
  readonly live: readonly WorldPerson[];
  /** The units of the quota so far. */
  units(): Promise<number>;
}

async function open(start = '2026-11-20T18:00:00Z'): Promise<Fixture> {
  const clock = new ManualClock(start);
  const sandbox = await startSandbox({ clock, platforms: [youtubeServer] });
  const { YOUTUBE_API_KEY: apiKey = '', YOUTUBE_API_URL: apiUrl, YOUTUBE_URL: siteUrl } = sandbox.onRequest['youtube'] ?? {};
  const platform = youtube({ apiKey, apiUrl, siteUrl, clock });
  return {
    bot: new Bot({ platform, clock }),
    sandbox,
    world: youtubeWorld(sandbox.world),
    clock,
    live: sandbox.world.liveAt(clock.nowMs()).map(({ person }) => person),
    async units() {
      const { body } = await request(`${sandbox.url}/control/requests?platform=youtube`);
      const { items } = Counts.parse(await body.json());
      const costs = (route: string): number => (route.includes('/search') ? 100 : route.includes('/v3') ? 1 : 0);
      return items.reduce((sum, { route, count }) => sum + costs(route) * count, 0);
    },
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

test('the live streams of channels by handle and id, without announced streams and premieres', async () => {
  await using fixture = await open('2026-11-20T20:05:00Z');
  const { bot, world, sandbox, clock } = fixture;
  const people = world.people.slice(0, 40);
  const wanted = sandbox.world.liveAt(clock.nowMs()).filter(({ person }) => people.includes(person));

  const streams = await bot.getStreams({
    users: [...people.map((person, index) => (index % 2 ? world.channelId(person) : person.handle)), 'nobody_of_this'],
  });

  expect(streams.items.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => world.streamId(id)).toSorted());
  expect(wanted.length).toBeGreaterThan(2);
  const [first] = streams.items;
  const broadcast = wanted.find(({ id }) => world.streamId(id) === first?.id);
  expect(first).toMatchObject({
    platform: 'youtube',
    url: `https://www.youtube.com/watch?v=${first?.id}`,
    owner: {
      id: broadcast && world.channelId(broadcast.person),
      handle: broadcast?.person.handle,
      displayName: broadcast?.person.displayName,
    },
    title: broadcast?.title,
    viewerCount: broadcast?.viewerCount,
    startedAt: broadcast && new Date(Math.floor(broadcast.startedAt.getTime() / 1000) * 1000),
  });
});

test('a repeated poll costs a unit for fifty open videos, and nothing for known channels', async () => {
  await using fixture = await open();
  const { bot, world } = fixture;
  const users = world.people.slice(0, 25).map((person) => world.channelId(person));
  await bot.getStreams({ users });
  const before = await fixture.units();

  await bot.getStreams({ users });

  // Each channel has one announced stream and one premiere, besides those that are live.
  expect((await fixture.units()) - before).toBeLessThanOrEqual(2);
});

test('a stream starts and ends during an outage of all feeds', async () => {
  await using fixture = await open();
  const { bot, world, live, sandbox, clock } = fixture;
  const [person] = world.people.filter((one) => !live.includes(one));
  if (!person) throw new Error('no channel of the sandbox is offline');
  const users = [...live.slice(0, 3), ...world.people.slice(0, 10), person].map((one) => world.channelId(one));
  const order = (what: 'goLive' | 'end') => sandbox.world.order({ do: what, user: person.handle }, clock.nowMs());
  const isLive = async () => {
    await clock.advance(6 * 60_000);
    const { items, partialErrors } = await bot.getStreams({ users });
    return [items.some(({ owner }) => owner.id === world.channelId(person)), items.length, partialErrors.length];
  };
  const others = (await bot.getStreams({ users })).items.length;
  const before = await fixture.units();
  sandbox.faults.add({ platform: 'youtube', route: '/youtube/feeds', kind: 'status', status: 404 });

  expect(await isLive()).toEqual([false, others, 0]);
  order('goLive');
  expect(await isLive()).toEqual([true, others + 1, 0]);
  order('end');
  expect(await isLive()).toEqual([false, others, 0]);
  // Of each poll: a unit for each list, two for the videos, and those of a new channel.
  expect((await fixture.units()) - before).toBeLessThanOrEqual(3 * (users.length + 2) + 1);
});

test.for([
  ['the feeds of UULF', ['/feeds/videos.xml?playlist_id=UULF'], []],
  ['UULF as a whole', ['playlist_id=UULF', 'playlistId=UULF'], ['unavailable']],
] as const)(
  'during an outage of %s, known videos are listed, and new ones are either found or said to be missing',
  async ([, routes, faults]) => {
    await using fixture = await open('2026-11-20T21:05:00Z');
    const { bot, live, sandbox } = fixture;
    const [person] = live;
    const read = () => bot.getUserVideos(person?.handle ?? '');
    const before = await read();
    for (const route of routes) sandbox.faults.add({ platform: 'youtube', route, kind: 'status', status: 404 });

    const after = await read();

    expect(after.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id));
    expect(after.partialErrors.map(({ fault }) => fault)).toEqual(faults);
  },
);

test('without both playlists of a channel, its Shorts cannot be told from its videos', async () => {
  await using fixture = await open('2026-11-20T21:05:00Z');
  const { bot, live, sandbox } = fixture;
  const [person] = live;
  for (const route of ['playlist_id=UU', 'playlistId=UUL']) {
    sandbox.faults.add({ platform: 'youtube', route, kind: 'status', status: 404 });
  }

  const page = await bot.getUserVideos(person?.handle ?? '');

  expect(page.items.some(({ durationMs }) => durationMs < 60_000)).toBe(true);
  expect(page.partialErrors).toMatchObject([{ fault: 'missing', values: [] }]);
});

test('the uploads and recordings of a channel, without Shorts, premieres and announced streams', async () => {
  await using fixture = await open('2026-11-20T21:05:00Z');
  const { bot, world, clock } = fixture;
  const [person] = fixture.live;
  if (!person) throw new Error('no channel of the sandbox is live');
  const all = world
    .videosOf(person, clock.nowMs())
    .filter(({ kind, state }) => state === 'none' && (kind === 'upload' || kind === 'stream'));

  const page = await bot.getUserVideos(person.handle);

  expect(page.items.map(({ id }) => id)).toEqual(all.slice(0, page.length).map(({ id }) => id));
  expect(new Set(page.items.map(({ kind }) => kind))).toEqual(new Set(['upload', 'archive']));
  // The owner of a video is a person, without the pictures of a streamer.
  expect(new Set(page.items.flatMap(({ owner }) => Object.keys(owner)))).toEqual(
    new Set(['platform', 'id', 'url', 'handle', 'displayName']),
  );
  expect(page.length).toBeGreaterThan(5);
});

test('the announced streams of a channel', async () => {
  await using fixture = await open();
  const [person] = fixture.world.people;
  const schedule = await fixture.bot.getSchedule(person?.handle ?? '', { days: 3 });

  expect(schedule.items).toMatchObject([{ title: `${person?.displayName} is back tomorrow`, startsAt: new Date('2026-11-21T18:00:00Z') }]);
});

test('a user by handle and id, and whether they are live', async () => {
  await using fixture = await open();
  const { bot, world, live } = fixture;
  const [person] = live;
  const offline = world.people.find((one) => !live.includes(one));
  if (!person || !offline) throw new Error('the sandbox needs a live channel and one that is offline');

  const found = await bot.getUser(person.handle.toUpperCase());

  expect(found).toMatchObject({ id: world.channelId(person), handle: person.handle, displayName: person.displayName, isLive: true });
  expect(await bot.getUser(found.id)).toEqual(found);
  expect(await bot.getUser(offline.handle)).toMatchObject({ isLive: false });
  await expect(bot.getUser('nobody_of_this')).rejects.toMatchObject({ fault: 'missing' });
});

test('search finds streams, channels and videos', async () => {
  await using fixture = await open();
  const { bot, world, live } = fixture;
  const [person] = live;
  if (!person) throw new Error('no channel of the sandbox is live');

  const streams = await bot.search(person.handle);
  const users = await bot.search(person.displayName, { filter: 'SearchChannels' });
  const videos = await bot.search('part', { filter: 'SearchVideos' });

  expect(streams.items).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ owner: expect.objectContaining({ id: world.channelId(person) }) })]),
  );
  expect(users.items.map(({ id }) => id)).toContain(world.channelId(person));
  expect(videos.length).toBeGreaterThan(10);
});

test('the top streams, most watched first, end after 500', async () => {
  await using fixture = await open();
  const top = await fixture.bot.getTopStreams({ pages: 2, waitTime: 0 });
  const wanted = fixture.sandbox.world.liveAt(fixture.clock.nowMs()).slice(0, 100);

  expect(top.items.map(({ viewerCount }) => viewerCount)).toEqual(wanted.map(({ viewerCount }) => viewerCount).toSorted((a, b) => b - a));
});

test('a used-up quota, a wrong key and a rate limit have their faults', async () => {
  await using fixture = await open();
  const { YOUTUBE_API_URL: apiUrl, YOUTUBE_URL: siteUrl } = fixture.sandbox.onRequest['youtube'] ?? {};
  const other = new Bot({ platform: youtube({ apiKey: 'wrong', apiUrl, siteUrl, clock: fixture.clock }), clock: fixture.clock });

  await expect(other.getUser('ada')).rejects.toMatchObject({ fault: 'unauthorized' });
  const search = () => fixture.bot.search('no channel has this name', { filter: 'SearchChannels' });
  for (let calls = 0; calls < 20; calls++) await search();
  await expect(search()).rejects.toMatchObject({ fault: 'rateLimited' });

  // Each instance has its own budget, so together they use up the searches of the key.
  const { YOUTUBE_API_KEY: apiKey = '' } = fixture.sandbox.onRequest['youtube'] ?? {};
  const used = Array.from(
    { length: 5 },
    () => new Bot({ platform: youtube({ apiKey, apiUrl, siteUrl, clock: fixture.clock }), clock: fixture.clock }),
  );
  const calls = used.flatMap((bot) => Array.from({ length: 20 }, () => bot));
  const outcomes: unknown[] = [];
  for (const bot of calls)
    outcomes.push(await Promise.resolve(bot.search('x_x_x', { filter: 'SearchChannels' })).catch((error: unknown) => error));
  expect(outcomes.at(-1)).toMatchObject({ fault: 'rateLimited', message: expect.stringContaining('midnight in California') });
  expect(await fixture.bot.getUser(fixture.live[0]?.handle ?? '')).toMatchObject({ platform: 'youtube' });
});
