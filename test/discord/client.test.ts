import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { login } from '#src/discord/client.ts';
import { Transport } from '#src/discord/gateway/transport.ts';
import { startDiscordSandbox } from '../support/discord-sandbox.ts';

test('a login that fails leaves nothing behind, however often it is tried', async () => {
  await using discord = await startDiscordSandbox();
  discord.sandbox.faults.add({ platform: 'discord', route: '/gateway/bot', kind: 'status', status: 404 });
  const { signal } = new AbortController();
  const apiUrl = discord.sandbox.environment['DISCORD_API_URL'] ?? '';
  const attempt = () =>
    login({ token: discord.token, apiUrl, intents: [], shards: 1, transport: new Transport(), signal, prepare: () => undefined });
  await expect(attempt()).rejects.toThrow('Unknown Channel');
  const before = queryObjects(AbortSignal, { format: 'count' });

  for (let attempts = 0; attempts < 10; attempts++) await expect(attempt()).rejects.toThrow('Unknown Channel');

  expect(queryObjects(AbortSignal, { format: 'count' }) - before).toBeLessThan(5);
});
