import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { kick } from '#adapters/kick/index.ts';
import { kickWorld } from '#sandbox/kick/channels.ts';
import { kickServer } from '#sandbox/kick/server.ts';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { streamingContract } from '../../contract/streaming.ts';
import type { StreamingFixture } from '../../contract/streaming-fixture.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const Counts = z.object({ items: z.array(z.object({ route: z.string(), count: z.int() })) });

/** The Kick of the sandbox with its adapter. */
async function openKick(): Promise<StreamingFixture & { readonly sandbox: Sandbox }> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ clock, platforms: [kickServer] });
  const {
    KICK_CLIENT_ID: clientId = '',
    KICK_CLIENT_SECRET: clientSecret = '',
    KICK_API_URL: apiUrl,
    KICK_AUTH_URL: authUrl,
  } = sandbox.environment;
  const platform = kick({ clientId, clientSecret, apiUrl, authUrl, clock });
  const there = kickWorld(sandbox.world);
  const channelOf: StreamingFixture['channelOf'] = (person) => {
    const channel = there.channelOf(person);
    return channel && { id: String(channel.userId), handle: channel.slug };
  };
  return {
    platform,
    clock,
    sandbox,
    world: sandbox.world,
    channelOf,
    gameIdOf: (game) => String(there.categoryId(game)),
    streamIdOf: ({ person, startedAt }) => `${channelOf(person)?.id}:${Math.floor(startedAt.getTime() / 1000)}`,
    fail: (order) => sandbox.faults.add({ platform: 'kick', route: '/public', ...order }),
    async reads() {
      const { body } = await request(`${sandbox.url}/control/requests?platform=kick`);
      const { items } = Counts.parse(await body.json());
      return items.filter(({ route }) => route.includes('/public/')).reduce((total, { count }) => total + count, 0);
    },
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

streamingContract(openKick);

test('a revoked token is replaced', async () => {
  await using fixture = await openKick();
  const bot = new Bot(fixture);
  const before = await bot.getTopStreams();
  await request(`${fixture.sandbox.url}/control/kick/revoke`, { method: 'POST', headers: { 'content-type': 'application/json' } });

  const after = await bot.getTopStreams();

  expect(after.items).toEqual(before.items);
});

test('known channels take one request per fifty, and one for the names of live channels', async () => {
  await using fixture = await openKick();
  const bot = new Bot(fixture);
  const users = fixture.world.people.flatMap((person) => fixture.channelOf(person)?.handle ?? []).slice(0, 50);
  const first = await bot.getStreams({ users });
  const before = await fixture.reads();

  const second = await bot.getStreams({ users });

  expect(second.items).toEqual(first.items);
  expect(before).toBe(52);
  expect((await fixture.reads()) - before).toBe(2);
});
