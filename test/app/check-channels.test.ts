import { expect, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { checkChannels } from '#src/app/check-channels.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { silentLog } from '#src/log.ts';
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
  const checks = checkChannels({ servers: [server], rules: () => [], health, eventBus: createEventBus(), clock, log: silentLog });

  await checks.check();

  const accountProblems = [health.problemOf('discord')].filter((problem) => problem !== undefined);
  expect(readinessOf({ discord: { state: 'connected' }, accountProblems, stuck: [], running: 0, nowMs: 0 })).toEqual(readiness);
});
