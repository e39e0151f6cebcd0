import { EventEmitter, once } from 'node:events';
import { type Client, Events, GatewayIntentBits } from 'discord.js';
import { expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import { DEFAULT_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import { login } from '#src/discord/gateway/client.ts';
import { restOnlyStrategy } from '#src/discord/gateway/rest-only.ts';
import { Transport } from '#src/discord/gateway/transport.ts';
import { createMembership } from '#src/discord/servers/membership.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startDiscordSandbox } from '../../support/discord-sandbox.ts';

interface Created {
  readonly guild: { readonly id: string };
}

test('servers that invite and remove the bot between two sessions are noted, and events of the new session too', async () => {
  await using discord = await startDiscordSandbox();
  await using store = await openStore({ clock: systemClock });
  const create = async (name: string) => (await discord.order<Created>('/discord/servers', { name })).guild.id;
  const [home, club] = [discord.guildId, await create('Chess Club')];
  const works: Promise<unknown>[] = [];
  const life = new AbortController();
  const membership = createMembership({
    servers: [{ account: 'discord', id: home, zone: 'UTC' }],
    settings: { ...DEFAULT_DISCORD_SETTINGS, servers: 'any' },
    stored: store.servers,
    notices: store.notices,
    clock: systemClock,
    log: silentLog,
    signal: life.signal,
  });
  const transport = new Transport(systemClock);
  let identifying = Promise.resolve();
  const client = await login({
    token: discord.token,
    apiUrl: discord.sandbox.environment['DISCORD_API_URL'] ?? '',
    intents: [GatewayIntentBits.Guilds],
    shard: { id: 0, count: 1 },
    identify: () => identifying,
    transport,
    signal: life.signal,
    prepare: (prepared) => membership.attach(prepared, { work: (work) => works.push(work) }),
  });
  const here = async () => (await store.servers.list()).flatMap(({ id, leftAt }) => (leftAt ? [] : [id])).toSorted();
  await expect.poll(here).toEqual([home, club].toSorted());

  const { promise, resolve } = Promise.withResolvers<void>();
  identifying = promise;
  await discord.order('/discord/gateway', { do: 'invalidSession', resumable: false });
  await discord.order('/discord/guild', { guild: club, hasBot: false });
  const shogi = await create('Shogi Club');
  const ready = once(client, Events.ShardReady);
  resolve();
  await ready;

  await expect.poll(here).toEqual([home, shogi].toSorted());
  await expect.poll(() => store.notices.list(shogi)).toMatchObject([{ message: expect.any(String) }]);

  await discord.order('/discord/guild', { guild: club, hasBot: true });
  await discord.order('/discord/guild', { guild: shogi, hasBot: false });
  await expect.poll(here).toEqual([home, club].toSorted());
  const localeOf = async (id: string) => (await store.servers.find(id))?.locale;
  await expect.poll(() => localeOf(club)).toBe('en-US');
  await discord.order('/discord/guild', { guild: club, preferredLocale: 'de' });
  await expect.poll(() => localeOf(club)).toBe('de');
  await transport.close(client);
  await Promise.all(works);
});

test('a server in an outage of Discord is noted once it is available, and a new name at once', async () => {
  await using store = await openStore({ clock: systemClock });
  const known = async () => (await store.servers.list()).map(({ id, name, locale }) => [id, name, locale]);
  const works: Promise<unknown>[] = [];
  const warnings: string[] = [];
  const guild = { id: '1202584131993600001', available: false };
  const client = Object.assign(new EventEmitter(), {
    guilds: { cache: new Map([[guild.id, guild]]) },
    options: { shards: [0], shardCount: 1 },
    isReady: () => true,
  }) as unknown as Client<true>; // the parts that the membership uses
  createMembership({
    servers: [],
    settings: { ...DEFAULT_DISCORD_SETTINGS, servers: 'any' },
    stored: store.servers,
    notices: store.notices,
    clock: systemClock,
    log: { ...silentLog, warn: (_, message) => warnings.push(message) },
    signal: new AbortController().signal,
  }).attach(client, { work: (work) => works.push(work) });
  const emit = async (event: Events, ...values: readonly object[]) => {
    client.emit(event as string, ...values);
    await Promise.all(works);
  };

  await emit(Events.ClientReady, client);
  expect([warnings, await known()]).toEqual([[], []]);
  const there = { ...guild, available: true, name: 'Chess Club', preferredLocale: 'de', joinedAt: new Date(0) };
  await emit(Events.GuildAvailable, there);
  expect(await known()).toEqual([[guild.id, 'Chess Club', 'de']]);
  await emit(Events.GuildUpdate, there, { ...there, name: 'Shogi Club' });
  expect(await known()).toEqual([[guild.id, 'Shogi Club', 'de']]);
});

test.for([
  ['any', 'that stays'],
  ['any', 'that was noted as left'],
  ['listed', 'that was noted as left'],
] as const)(
  'without a gateway, with the servers %s, a server %s is there after the start, and not after it removed the bot',
  async ([mode, state]) => {
    await using discord = await startDiscordSandbox();
    await using store = await openStore({ clock: systemClock });
    const { guildId } = discord;
    await store.servers.join({ id: guildId, name: 'Home', joinedAt: new Date() });
    if (state === 'that was noted as left') await store.servers.leave(guildId);
    const works: Promise<unknown>[] = [];
    const life = new AbortController();
    const { signal } = life;
    const clock = new ManualClock(Date.now());
    const removals: string[] = [];
    let rounds = 0;
    const listed = mode === 'any' ? [] : [{ account: 'discord', id: guildId, zone: 'UTC' }];
    const membership = createMembership({
      servers: listed,
      settings: { ...DEFAULT_DISCORD_SETTINGS, servers: mode, gateway: false },
      stored: { ...store.servers, list: () => (rounds++, store.servers.list()) },
      notices: store.notices,
      clock,
      log: { ...silentLog, info: (_, message) => removals.push(message) },
      signal,
    });
    const ids = listed.map(({ id }) => id);
    const transport = new Transport(systemClock, (made) => restOnlyStrategy(made, { servers: ids, clock: systemClock, signal }));

    const client = await login({
      token: discord.token,
      apiUrl: discord.sandbox.environment['DISCORD_API_URL'] ?? '',
      intents: [GatewayIntentBits.Guilds],
      shard: { id: 0, count: 1 },
      identify: async () => undefined,
      transport,
      signal,
      prepare: (prepared) => membership.attach(prepared, { work: (work) => works.push(work) }),
    });
    const leftAt = async () => (await store.servers.list()).map((server) => [server.id, server.leftAt]);
    await expect.poll(() => works.length).toBeGreaterThan(0);
    await works[0];

    expect(await leftAt()).toEqual([[guildId, undefined]]);
    // In an outage, Discord can list too few servers.
    discord.sandbox.faults.add({ platform: 'discord', kind: 'emptyList', route: '/users/@me/guilds', times: 1 });
    await expect.poll(async () => (await clock.advance(10 * 60_000), rounds)).toBeGreaterThan(3);
    expect(discord.sandbox.faults.all()).toEqual([]);
    expect(removals).toEqual([]);
    await discord.order('/discord/guild', { guild: guildId, hasBot: false });
    await clock.advance(10 * 60_000);
    await expect.poll(leftAt).toEqual([[guildId, expect.any(Date)]]);
    await discord.order('/discord/guild', { guild: guildId, hasBot: true });
    await clock.advance(10 * 60_000);
    await expect.poll(leftAt).toEqual([[guildId, undefined]]);
    life.abort();
    await Promise.all(works);
    await transport.close(client);
  },
);
