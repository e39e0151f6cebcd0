import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { runningPolling } from '#src/app/running-polling.ts';
import { openConfig } from '#src/config/open-config.ts';

const POLLING = {
  notifications: 'none',
  everyMs: 60_000,
  pollsEveryMs: 60_000,
  why: 'every',
  waitsMs: 0,
  longestDelayMs: 60_000,
  requestsPerHour: 60,
  accounts: [],
  waiting: { account: 'twitch', since: '2026-11-20T18:00:00.000Z', waitedMs: 1_000, moreMs: 1_000, before: [], beforeCount: 0 },
};

/** A process that answers every request with `body`. */
async function answering(body: string) {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const config = openConfig({ HOST: '127.0.0.1', PORT: String(port) });
  return { config, paths, [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))) };
}

test('the polls of a rule come from the running process', async () => {
  await using process = await answering(JSON.stringify({ source: 'id: games\n', polling: POLLING }));

  const polling = await runningPolling(process.config, { id: 'games/Chess', source: 'id: games\n' });

  expect(polling).toEqual({ ...POLLING, waiting: { ...POLLING.waiting, since: new Date(POLLING.waiting.since) } });
  expect(process.paths).toEqual(['/api/rules/games%2FChess/explanation']);
});

test.for([
  ['the process has another text of the rule', JSON.stringify({ source: 'id: other\n', polling: POLLING })],
  ['the process is an earlier version', JSON.stringify({ source: 'id: games\n' })],
  ['another program answers', '<html></html>'],
])('there are none if %s', async ([, body = '']) => {
  await using process = await answering(body);

  expect(await runningPolling(process.config, { id: 'games', source: 'id: games\n' })).toBeUndefined();
});

test('a process that other machines can reach is not asked, because it needs authentication', async () => {
  await using process = await answering(JSON.stringify({ source: 'id: games\n', polling: POLLING }));

  expect(await runningPolling({ ...process.config, host: '0.0.0.0' }, { id: 'games', source: 'id: games\n' })).toBeUndefined();
  expect(process.paths).toEqual([]);
});
