import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { twitch } from '#adapters/twitch/index.ts';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import { teamMembers } from '#sandbox/twitch/helix/teams.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { streamingContract } from '../../contract/streaming.ts';
import type { StreamingFixture } from '../../contract/streaming-fixture.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const Counts = z.object({ items: z.array(z.object({ route: z.string(), count: z.int() })) });

/** The Twitch of the sandbox with its adapter. */
async function openTwitch(): Promise<StreamingFixture & { readonly sandbox: Sandbox }> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ clock, platforms: [twitchServer] });
  const {
    TWITCH_CLIENT_ID: clientId = '',
    TWITCH_CLIENT_SECRET: clientSecret = '',
    TWITCH_API_URL: apiUrl,
    TWITCH_AUTH_URL: authUrl,
  } = sandbox.environment;
  const platform = twitch({ clientId, clientSecret, apiUrl, authUrl, clock });
  return {
    platform,
    clock,
    sandbox,
    world: sandbox.world,
    channelOf: ({ id, handle }) => ({ id, handle }),
    gameIdOf: ({ id }) => id,
    streamIdOf: ({ id }) => id,
    fail: (order) => sandbox.faults.add({ platform: 'twitch', route: '/helix', ...order }),
    async reads() {
      const { body } = await request(`${sandbox.url}/control/requests?platform=twitch`);
      const { items } = Counts.parse(await body.json());
      return items.filter(({ route }) => route.includes('/helix/')).reduce((total, { count }) => total + count, 0);
    },
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

streamingContract(openTwitch);

test('the members of a team, and an error for an unknown one', async () => {
  await using fixture = await openTwitch();
  const bot = new Bot(fixture);

  const members = await bot.getTeamMembers('nightshift', { pages: 'all' });

  expect(members.items.map(({ id, handle }) => [id, handle])).toEqual(teamMembers(fixture.world).map(({ id, handle }) => [id, handle]));
  await expect(bot.getTeamMembers('nobody')).rejects.toMatchObject({ fault: 'missing' });
});

test('the schedule of a channel, and none without one', async () => {
  await using fixture = await openTwitch();
  const bot = new Bot(fixture);
  const [regular, other] = [fixture.world.people[0], fixture.world.people[20]];

  const planned = await bot.getSchedule(regular?.handle ?? '', { days: 28 });
  const none = await bot.getSchedule(other?.handle ?? '');

  expect(planned.items.map(({ owner, canceled, recurring }) => [owner.handle, canceled, recurring])).toEqual(
    Array.from({ length: 4 }, () => [regular?.handle, false, true]),
  );
  expect(none.length).toBe(0);
});

test('a picture of a stream has a size, and a template for others', async () => {
  await using fixture = await openTwitch();

  const [stream] = await new Bot(fixture).getTopStreams();

  expect(stream?.thumbnailUrl).toMatch(/1280x720.*\?.+/);
  expect(stream?.thumbnailTemplate).toMatch(/\{width\}.*\{height\}/);
});

test('a revoked token is replaced', async () => {
  await using fixture = await openTwitch();
  const bot = new Bot(fixture);
  const before = await bot.getTopStreams();
  await request(`${fixture.sandbox.url}/control/twitch/revoke`, { method: 'POST', body: '{}' });

  const after = await bot.getTopStreams();

  expect(after.items).toEqual(before.items);
});

test('channels take one request per hundred ids or logins, and their pictures two', async () => {
  await using fixture = await openTwitch();
  const handles = fixture.world.people.slice(0, 250).map(({ handle }) => handle);
  const ids = fixture.world.people.slice(250, 300).map(({ id }) => id);

  const bot = new Bot(fixture);

  await bot.getStreams({ users: [...handles, ...ids] });
  const first = await fixture.reads();
  await bot.getStreams({ users: [...handles, ...ids] });

  expect([first, await fixture.reads()]).toEqual([4 + 2, 4 + 2 + 4]);
});

test('a part of the channels that cannot be read is a partial error', async () => {
  await using fixture = await openTwitch();
  const [live] = fixture.world.liveAt(fixture.clock.nowMs());
  if (!live) throw new Error('nobody is live');
  const { platform, clock } = fixture;
  await platform.operations.getTopStreams?.({}, {});
  fixture.fail({ kind: 'status', status: 403, times: 1 });

  const streams = await new Bot({ platform, clock }).getStreams({ users: [live.person.handle, live.person.id] });

  expect(streams.items.map(({ id }) => id)).toEqual([live.id]);
  expect(streams.partialErrors).toMatchObject([{ fault: 'forbidden', values: [expect.any(String)] }]);
});
