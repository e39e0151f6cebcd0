import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { Events, Status } from 'discord.js';
import { expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import { login } from '#src/discord/gateway/client.ts';
import { RESUME_CHECK_MS, watchResume } from '#src/discord/gateway/resume-watchdog.ts';
import { Transport } from '#src/discord/gateway/transport.ts';
import { createLog } from '#src/log.ts';
import { startDiscordSandbox } from '../../support/discord-sandbox.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('repeated failed logins leave no connections and timers', async () => {
  await using discord = await startDiscordSandbox();
  discord.sandbox.faults.add({ platform: 'discord', route: '/gateway/bot', kind: 'status', status: 404 });
  const { signal } = new AbortController();
  const apiUrl = discord.sandbox.environment['DISCORD_API_URL'] ?? '';
  const attempt = () =>
    login({
      token: discord.token,
      apiUrl,
      intents: [],
      shard: { id: 0, count: 1 },
      identify: async () => undefined,
      transport: new Transport(systemClock),
      signal,
      prepare: () => undefined,
    });
  await expect(attempt()).rejects.toThrow('Unknown Channel');
  const before = queryObjects(AbortSignal, { format: 'count' });

  for (let attempts = 0; attempts < 10; attempts++) await expect(attempt()).rejects.toThrow('Unknown Channel');

  expect(queryObjects(AbortSignal, { format: 'count' }) - before).toBeLessThan(5);
});

/** discord.js waits half a second between two connections. */
const RECONNECTED_MS = 1_000;

test('a stop while the connection is restored opens no other connection', async () => {
  await using discord = await startDiscordSandbox();
  const transport = new Transport(systemClock);
  const { signal } = new AbortController();
  const apiUrl = discord.sandbox.environment['DISCORD_API_URL'] ?? '';
  const client = await login({
    token: discord.token,
    apiUrl,
    intents: [],
    shard: { id: 0, count: 1 },
    identify: async () => undefined,
    transport,
    signal,
    prepare: () => undefined,
  });
  const lost = once(client, Events.ShardReconnecting);
  await discord.order('/discord/gateway', { do: 'drop' });
  await lost;

  await transport.close(client);

  await sleep(RECONNECTED_MS);
  const { connections } = await discord.order<{ connections: number }>('/discord', undefined);
  expect(connections).toBe(0);
});

/** A client that resumes without an answer, and the watch over it. */
async function watchUnansweredResume(discord: Awaited<ReturnType<typeof startDiscordSandbox>>) {
  const transport = new Transport(systemClock);
  const client = await discord.login({ ws: { buildStrategy: transport.buildStrategy } });
  const { manager } = transport;
  const [clock, stopping] = [new ManualClock(), new AbortController()];
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  const running = watchResume({ client, manager, clock, log, signal: stopping.signal });
  running.catch(() => undefined);
  await discord.order('/discord/gateway', { do: 'ignoreResumes' });
  await discord.order('/discord/gateway', { do: 'drop' });
  await expect.poll(() => client.ws.shards.first()?.status === Status.Resuming).toBe(true);
  return { client, manager, clock, lines, stopping, running };
}

test('an unanswered resume ends after two checks, and the bot identifies again', async () => {
  await using discord = await startDiscordSandbox();
  const { client, clock, lines, stopping, running } = await watchUnansweredResume(discord);
  const ready = once(client, Events.ShardReady);
  await clock.advance(RESUME_CHECK_MS);
  const afterOne = lines.length;
  await clock.advance(RESUME_CHECK_MS);
  await ready;

  stopping.abort();
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  expect([afterOne, lines.length]).toEqual([0, 1]);
  expect(lines[0]).toContain('did not answer a resume');
});

/** A gateway that refuses connections while a proxy in front of it fails. */
async function startFailingGateway() {
  const server = createServer();
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `ws://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await once(server.close(), 'close');
    },
  };
}

test('a gateway that fails after an unanswered resume gets one connection when it is back', async () => {
  await using discord = await startDiscordSandbox();
  await using failing = await startFailingGateway();
  const { client, manager, clock, lines, stopping } = await watchUnansweredResume(discord);
  const failures = () => lines.filter((line) => line.includes('could not start a new session')).length;
  // discord.js keeps this answer, and connects to its address.
  const info = await manager.fetchGatewayInformation();
  const { url } = info;

  info.url = failing.url;
  await clock.advance(RESUME_CHECK_MS);
  await clock.advance(RESUME_CHECK_MS);
  await expect.poll(failures).toBe(1);
  await clock.advance(RESUME_CHECK_MS);
  await expect.poll(failures).toBe(2);
  const ready = once(client, Events.ShardReady);
  info.url = url;
  await ready;

  await sleep(RECONNECTED_MS);
  const { connections } = await discord.order<{ connections: number }>('/discord', undefined);
  expect(connections).toBe(1);
  stopping.abort();
});
