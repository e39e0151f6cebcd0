import { Events, Status } from 'discord.js';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { identifyAgain, RESUME_CHECK_MS } from '#src/discord/gateway/identify-again.ts';
import { Transport } from '#src/discord/gateway/transport.ts';
import { createLog } from '#src/log.ts';
import { startDiscordSandbox } from '../support/discord-sandbox.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('a resume that is not answered ends after two checks: the bot identifies again', async () => {
  await using discord = await startDiscordSandbox();
  const transport = new Transport();
  const client = await discord.login({ ws: { buildStrategy: transport.buildStrategy } });
  const clock = new ManualClock();
  const stopping = new AbortController();
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  const running = identifyAgain({ client, manager: transport.manager, clock, log, signal: stopping.signal });
  running.catch(() => undefined);

  await discord.order('/discord/gateway', { do: 'ignoreResumes' });
  await discord.order('/discord/gateway', { do: 'drop' });
  await expect.poll(() => client.ws.shards.first()?.status === Status.Resuming, { timeout: 10_000 }).toBe(true);
  const ready = once(client, Events.ShardReady);
  await clock.advance(RESUME_CHECK_MS);
  const afterOne = lines.length;
  await clock.advance(RESUME_CHECK_MS);
  await ready;

  stopping.abort();
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  expect([afterOne, lines.length]).toEqual([0, 1]);
  expect(lines[0]).toContain('does not answer the resume');
});
