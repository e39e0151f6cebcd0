import { expect, test } from 'vitest';
import { discord, type DiscordPlatform } from '#adapters/discord/index.ts';
import { accountWatch } from '#src/app/account-watch.ts';
import { checkChannels } from '#src/app/check-channels.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { NO_LISTS, type ListEntry } from '#src/rules/lists.ts';
import { openStore } from '#src/store/store.ts';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { readinessOf } from '#src/admin/queries/readiness.ts';
import { startDiscordSandbox } from '../support/discord-sandbox.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { check } from '../support/rule-language.ts';

const WITHOUT_LISTS = { current: async () => NO_LISTS };

test.for([
  [
    '999999999999999999',
    { ready: false, message: expect.stringContaining('Unknown Guild'), reason: expect.objectContaining({ kind: 'accountRefused' }) },
  ],
  [undefined, { ready: true, message: undefined }],
] as const)('a server with the id %s decides whether a connected bot is ready, even without a rule', async ([guild, readiness]) => {
  const clock = new ManualClock();
  await using sandbox = await startDiscordSandbox({ clock });
  const { token, guildId } = sandbox;
  const server = discord({ token, guildId: guild ?? guildId, apiUrl: sandbox.sandbox.environment['DISCORD_API_URL'], clock });
  const health = createAccountHealth(() => undefined);
  await using store = await openStore({ clock });
  const checks = checkChannels({
    servers: [server],
    rules: () => [],
    lists: WITHOUT_LISTS,
    watchAccount: accountWatch({ health, store, clock, log: silentLog }),
    eventBus: createEventBus(),
    clock,
    log: silentLog,
  });

  await checks.check();

  const accountProblems = [health.problemOf('discord')].filter((problem) => problem !== undefined);
  expect(readinessOf({ discord: { state: 'connected' }, accountProblems, stuck: [], running: 0, nowMs: 0 })).toEqual(readiness);
});

test('with several processes, an account that one of them could not read works again as soon as another one reads it', async () => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  const failure = new PlatformError('discord: it did not answer', { platform: 'discord', fault: 'unreachable' });
  const process = (findServer: () => Promise<void>) => {
    const health = createAccountHealth(() => undefined);
    const servers = [{ account: 'discord', examine: async () => undefined, findServer }] as unknown as DiscordPlatform[]; // nothing else is read
    const eventBus = createEventBus();
    const watchAccount = accountWatch({ health, store, cluster: {}, clock, log: silentLog });
    const checks = checkChannels({ servers, rules: () => [], lists: WITHOUT_LISTS, watchAccount, eventBus, clock, log: silentLog });
    return { health, checks };
  };
  const [failing, working] = [process(() => Promise.reject(failure)), process(() => Promise.resolve())];
  const share = async (): Promise<void> => failing.health.share(await store.outages.all());

  await failing.checks.check();
  await share();
  expect(failing.health.problemOf('discord')?.problem).toBe('it did not answer');
  await working.checks.check();
  await share();

  expect(failing.health.problemOf('discord')).toBeUndefined();
});

const TEAM = `
id: team
when: { every: 1m, people: team }
then: [{ do: discord.send, with: { channel: "\${{ item.person.channel }}", content: x } }]
`;

test('the channels are checked again after a list named another one, at most once a minute', async () => {
  const clock = new ManualClock();
  const eventBus = createEventBus();
  const { rules } = check(TEAM, { lists: { team: null } });
  const entries: ListEntry[] = [];
  const add = (channel: string, server?: string): void => {
    entries.push({ id: channel, list: 'team', server, fields: { channel } });
    eventBus.publish({ kind: 'lists' });
  };
  const examined: string[] = [];
  const examine = async ({ channel }: { channel: string }) => void examined.push(channel);
  const servers = [{ account: 'discord', examine, findServer: async () => undefined }] as unknown as DiscordPlatform[]; // nothing else is read
  const stopping = new AbortController();
  const channels = checkChannels({
    servers,
    rules: () => rules,
    lists: { current: async () => ((all) => ({ ...NO_LISTS, entries: () => all }))([...entries]) },
    watchAccount: (_account, use) => use(),
    eventBus,
    clock,
    log: silentLog,
  });
  const running = channels.run(stopping.signal);
  await expect.poll(() => clock.sleeping).toBe(1);

  for (let second = 0; second < 60; second += 2) {
    if (second > 10) add(second === 12 ? 'live' : `foreign-${second}`, second === 12 ? undefined : '7');
    expect(examined).toEqual([]);
    await clock.advance(2_000);
  }
  await expect.poll(() => examined).toEqual(['live']);

  for (let minute = 0; minute < 5; minute++) {
    add(`foreign-${minute}`, '7');
    await clock.advance(60_000);
  }
  expect(examined).toEqual(['live']);
  stopping.abort();
  await running;
});
