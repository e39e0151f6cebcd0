import { setImmediate as nextTick } from 'node:timers/promises';
import { Events } from 'discord.js';
import { expect, test } from 'vitest';
import { login } from '#src/discord/gateway/client.ts';
import { Transport } from '#src/discord/gateway/transport.ts';
import { startDiscordSandbox } from '../../support/discord-sandbox.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test.for([
  ['has not answered the identify', 'Waiting for event ready', 0],
  ['does not allow the identify yet', 'Waiting for identify throttle', 5_000],
] as const)('a stop while Discord %s ends without a wait, and closes the connection', async ([, step, waitMs]) => {
  await using discord = await startDiscordSandbox();
  // Nobody advances this clock, so no limit of a wait ends.
  const clock = new ManualClock();
  const stopping = new AbortController();
  const connecting = login({
    token: discord.token,
    apiUrl: discord.sandbox.environment['DISCORD_API_URL'] ?? '',
    intents: [],
    shard: { id: 0, count: 1 },
    async identify(signal) {
      try {
        if (waitMs > 0) await clock.sleep(waitMs, signal);
      } finally {
        // A shared table takes some time to answer.
        await nextTick();
      }
    },
    transport: new Transport(clock),
    signal: stopping.signal,
    prepare: (client) =>
      client.on(Events.Debug, (text) => {
        if (text.includes(step)) void nextTick().then(() => stopping.abort());
      }),
  });

  await expect(connecting).rejects.toMatchObject({ name: 'AbortError' });

  await expect.poll(async () => (await discord.order<{ connections: number }>('/discord', undefined)).connections).toBe(0);
  expect(clock.sleeping).toBe(0);
});
