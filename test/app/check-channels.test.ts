import { expect, test } from 'vitest';
import { discord, type DiscordPlatform } from '#adapters/discord/index.ts';
import { accountWatch } from '#src/app/account-watch.ts';
import { checkChannels } from '#src/app/check-channels.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { readinessOf } from '#src/admin/queries/readiness.ts';
import { startDiscordSandbox } from '../support/discord-sandbox.ts';
import { ManualClock } from '../support/manual-clock.ts';

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
    const checks = checkChannels({ servers, rules: () => [], watchAccount, eventBus, clock, log: silentLog });
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
