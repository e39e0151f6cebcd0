import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { DEFAULT_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import type { RuleCommands } from '#src/discord/rule-commands/rule-commands.ts';
import { startDiscord, type StartDiscordOptions } from '#src/discord/start.ts';
import { type DiscordSandbox, startDiscordSandbox } from '../support/discord-sandbox.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { pagedBot } from '../support/paged-bot.ts';
import { openBot } from './bot-fixture.ts';
import { startOptions } from './start-options.ts';

const Commands = z.object({ commands: z.array(z.object({ name: z.string() })), connections: z.number() });
const Guilds = z.object({ guilds: z.array(z.object({ id: z.string() })) });
const Requests = z.object({ items: z.array(z.object({ method: z.string(), route: z.string(), count: z.number() })) });

function oneBot(): StartDiscordOptions['streaming'] {
  return new Map([['twitch', pagedBot({}).bot]]);
}

/** The command `/again` of a rule. */
function oneRuleCommand(): RuleCommands {
  const command = { name: 'again', about: 'Again', options: [], accounts: ['discord'], isPublic: false };
  return {
    in: () => [{ rule: 'again', command, asksAssistant: false }],
    onChange: () => () => undefined,
    count: () => undefined,
    quota: {
      counts: { count: async () => undefined, giveBack: async () => undefined },
      settings: DEFAULT_DISCORD_SETTINGS,
      clock: new ManualClock(),
    },
    run: async () => ({ isAnswered: true }),
  };
}

async function describe(discord: DiscordSandbox): Promise<z.output<typeof Commands>> {
  return Commands.parse(await discord.order('/discord', undefined));
}

async function countOf(discord: DiscordSandbox, method: string, part: string): Promise<number> {
  const { items } = Requests.parse(await discord.order('/requests?platform=discord', undefined));
  return items.filter((item) => item.method === method && item.route.includes(part)).reduce((sum, { count }) => sum + count, 0);
}

test('the commands are registered in the guild, and not again at the next start', async () => {
  await using discord = await startDiscordSandbox();
  const options = { ...startOptions(discord), streaming: oneBot() };

  for (const start of [1, 2]) {
    await using running = await startDiscord(options);
    await running.ready;
    expect((await describe(discord)).commands.map(({ name }) => name).toSorted(), `start ${start}`).toEqual(['game', 'help', 'top']);
  }

  expect(await countOf(discord, 'PUT', '/commands')).toBe(1);
});

test('commands of earlier versions are removed', async () => {
  await using discord = await startDiscordSandbox();
  await discord.request('PUT', `/applications/1202584131993600002/guilds/${discord.guildId}/commands`, [
    { name: 'old', description: 'an old one' },
  ]);

  await using running = await startDiscord({ ...startOptions(discord), streaming: oneBot() });
  await running.ready;

  expect((await describe(discord)).commands.map(({ name }) => name).toSorted()).toEqual(['game', 'help', 'top']);
});

test.for([
  ['over the gateway', true],
  ['over HTTP alone', false],
] as const)('%s, commands are removed from a server that is no longer configured', async ([, gateway]) => {
  await using discord = await startDiscordSandbox();
  const { guilds } = Guilds.parse(await discord.order('/discord', undefined));
  const servers = guilds.map(({ id }) => ({ account: id, id, zone: 'UTC' }));
  const options = { ...startOptions(discord), settings: { ...DEFAULT_DISCORD_SETTINGS, gateway }, streaming: oneBot() };
  const offered = async (): Promise<readonly number[]> =>
    Promise.all(servers.map(async ({ id }) => Commands.parse(await discord.order(`/discord?guild=${id}`, undefined)).commands.length));
  for (const { id } of servers) await discord.request('GET', `/guilds/${id}`);
  {
    await using running = await startDiscord({ ...options, servers });
    await running.ready;
    expect(await offered()).toEqual([3, 3]);
  }

  await using running = await startDiscord({ ...options, servers: servers.slice(0, 1) });
  await running.ready;

  await expect.poll(offered).toEqual([3, 0]);
});

test('without a guild, the commands are global', async () => {
  await using discord = await startDiscordSandbox();

  await using running = await startDiscord({ ...startOptions(discord), servers: [], streaming: oneBot() });
  await running.ready;

  expect(await countOf(discord, 'PUT', '/guilds')).toBe(0);
  expect((await describe(discord)).commands).toHaveLength(3);
});

test.for([
  ['its commands', 'listed', ['game', 'help', 'top']],
  ['the commands of rules, if the others are global', 'any', ['again']],
] as const)('a server that removed the bot and invites it again has %s without a restart', async ([, mode, expected]) => {
  await using discord = await startDiscordSandbox();
  const offered = async (): Promise<readonly string[]> => {
    const { commands } = Commands.parse(await discord.order(`/discord?guild=${discord.guildId}`, undefined));
    return commands.map(({ name }) => name).toSorted();
  };
  const settings = { ...DEFAULT_DISCORD_SETTINGS, servers: mode };
  await using running = await startDiscord({
    ...startOptions(discord),
    settings,
    streaming: oneBot(),
    ...(mode === 'any' && { ruleCommands: oneRuleCommand() }),
  });
  await running.ready;
  await expect.poll(offered).toEqual(expect.arrayContaining([...expected]));
  const before = await offered();

  await discord.order('/discord/guild', { guild: discord.guildId, hasBot: false });
  expect(await offered()).not.toEqual(before);
  await discord.order('/discord/guild', { guild: discord.guildId, hasBot: true });

  await expect.poll(offered).toEqual(before);
});

test('without a gateway, a server that invites the bot again has its commands within ten minutes', async () => {
  await using discord = await startDiscordSandbox();
  const offered = async (): Promise<number> =>
    Commands.parse(await discord.order(`/discord?guild=${discord.guildId}`, undefined)).commands.length;
  const clock = new ManualClock();
  const settings = { ...DEFAULT_DISCORD_SETTINGS, gateway: false };
  await using running = await startDiscord({ ...startOptions(discord), settings, streaming: oneBot(), clock });
  await running.ready;
  const before = await offered();

  await discord.order('/discord/guild', { guild: discord.guildId, hasBot: false });
  await discord.order('/discord/guild', { guild: discord.guildId, hasBot: true });
  await clock.advance(9 * 60_000);
  expect(await offered()).toBe(0);
  await expect
    .poll(async () => {
      await clock.advance(60_000);
      return offered();
    })
    .toBe(before);
});

test('however often a server invites the bot that refuses its commands, the bot asks it once at a time', async () => {
  await using discord = await startDiscordSandbox();
  const clock = new ManualClock();
  const asked = (): Promise<number> => countOf(discord, 'GET', '/commands');
  await using running = await startDiscord({ ...startOptions(discord), streaming: oneBot(), clock });
  await running.ready;
  const [before, sleeping] = [await asked(), clock.sleeping];
  discord.sandbox.faults.add({ platform: 'discord', route: '/commands', kind: 'status', status: 403 });

  for (const invitation of [1, 2, 3]) {
    await discord.order('/discord/guild', { guild: discord.guildId, hasBot: false });
    await discord.order('/discord/guild', { guild: discord.guildId, hasBot: true });
    await expect
      .poll(async () => {
        await clock.advance(0);
        return asked();
      })
      .toBe(before + invitation);
  }

  await expect.poll(() => clock.sleeping).toBe(sleeping + 1);
});

test('a refused token is logged at once with its remedy', async () => {
  await using discord = await startDiscordSandbox();
  const token = 'MTIwMjU4NDEz.wrong.secret-of-the-test';

  await using running = await startDiscord({ ...startOptions(discord), token });
  const error: unknown = await running.ready.catch((reason: unknown) => reason);

  expect(error).toMatchObject({ name: 'PlatformError', fault: 'unauthorized', message: expect.stringContaining('DISCORD_TOKEN') });
  expect(String(error)).not.toContain('secret-of-the-test');
});

test('a guild that refuses the commands is logged with its remedy', async () => {
  await using discord = await startDiscordSandbox();
  const answered = Promise.withResolvers<unknown>();

  await using _running = await startDiscord({
    ...startOptions(discord),
    servers: [{ account: 'discord', id: '1202584131993600077', zone: 'UTC' }],
    streaming: oneBot(),
    clock: new ManualClock(),
    onConnection: answered.resolve,
  });

  expect(await answered.promise).toEqual({ kind: 'connecting', problem: expect.stringContaining('DISCORD_GUILD_ID') });
});

test('a server that refuses the commands is named until it accepts them', async () => {
  await using discord = await startDiscordSandbox();
  const { guilds } = Guilds.parse(await discord.order('/discord', undefined));
  const [first, second] = guilds.map(({ id }) => ({ account: `server-${id}`, id, zone: 'UTC' }));
  if (!first || !second) throw new Error('the sandbox has two servers');
  for (const { id } of [first, second]) await discord.request('GET', `/guilds/${id}`);
  const clock = new ManualClock();
  const states: unknown[] = [];
  discord.sandbox.faults.add({ platform: 'discord', route: `/guilds/${second.id}/commands`, kind: 'status', status: 403, times: 1 });

  await using running = await startDiscord({
    ...startOptions(discord),
    servers: [first, second],
    streaming: oneBot(),
    clock,
    onConnection: (state) => states.push(state),
  });
  await running.ready;
  expect(states).toEqual([{ kind: 'connected', problem: expect.stringContaining(`the server of ${second.account} (${second.id})`) }]);
  await clock.advance(2_000);

  await expect.poll(() => states.at(-1)).toEqual({ kind: 'connected' });
});

test.for([
  [403, 1],
  // The list and the registration.
  [404, 2],
] as const)('after a %s for the commands, they are registered again, and the bot stays online', async ([status, times]) => {
  await using discord = await startDiscordSandbox();
  const clock = new ManualClock();
  discord.sandbox.faults.add({ platform: 'discord', route: '/commands', kind: 'status', status, times });
  await using running = await startDiscord({ ...startOptions(discord), streaming: oneBot(), clock });

  await vi.waitUntil(() => clock.sleeping > 0, { timeout: 50_000 });
  await clock.advance(2_000);
  await running.ready;

  expect(await describe(discord)).toMatchObject({ commands: [{}, {}, {}], connections: 1 });
});

test('an unreachable Discord is retried until it is reachable', async () => {
  await using discord = await startDiscordSandbox();
  const clock = new ManualClock();
  discord.sandbox.faults.add({ platform: 'discord', route: '/gateway/bot', kind: 'status', status: 503, times: 4 });

  await using running = await startDiscord({ ...startOptions(discord), clock });
  await expect.poll(() => clock.sleeping).toBe(1);
  await clock.advance(2_000);

  await running.ready;
  expect((await describe(discord)).connections).toBe(1);
});

test('disposal takes the bot offline, even during retries', async () => {
  await using discord = await startDiscordSandbox();
  const clock = new ManualClock();
  const online = await startDiscord(startOptions(discord));
  await online.ready;
  discord.sandbox.faults.add({ platform: 'discord', route: '/gateway/bot', kind: 'status', status: 503 });
  const trying = await startDiscord({ ...startOptions(discord), clock });
  await expect.poll(() => clock.sleeping).toBe(1);

  await online[Symbol.asyncDispose]();
  await trying[Symbol.asyncDispose]();

  await expect(trying.ready).rejects.toThrow('aborted');
  await expect.poll(async () => (await describe(discord)).connections).toBe(0);
  expect(clock.sleeping).toBe(0);
});

test('a dropped connection is resumed, and commands work', async () => {
  await using fixture = await openBot();
  await fixture.discord.order('/discord/gateway', { do: 'drop' });
  await expect.poll(async () => (await describe(fixture.discord)).connections).toBe(1);

  const view = await fixture.command('live', { streamer: 'nobody_at_all_1' });

  expect(view).toMatchObject({ outcome: 'message', ephemeral: true });
});
