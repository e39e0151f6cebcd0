import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { httpClient } from '#src/http/client.ts';
import { createRateLimits } from '#src/admin/telemetry/rate-limits.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');

test('the smallest rest of the open windows of an account counts', () => {
  const clock = new ManualClock(START_MS);
  const limits = createRateLimits(clock);
  const x = limits.watch('x', undefined);
  limits.watch('mastodon', undefined);
  const pass = { budgets: ['posts'], points: 1, unstated: 0 };
  const rate = { family: 'x-rate-limit', limit: 100 };

  x.settle(pass, { rates: [{ ...rate, remaining: 60, resetAtMs: START_MS + 60_000 }] });
  x.settle({ ...pass, budgets: ['reads'] }, { rates: [{ ...rate, remaining: 10, resetAtMs: START_MS + 5_000 }] });
  const first = limits.left();
  clock.set(START_MS + 6_000);
  const later = limits.left();

  expect(first).toEqual([
    { labels: { account: 'x' }, value: 0.1 },
    { labels: { account: 'mastodon' }, value: 1 },
  ]);
  expect(later).toContainEqual({ labels: { account: 'x' }, value: 0.6 });
});

test('a client reports the limits of its responses and its waits', async () => {
  const clock = new ManualClock(START_MS);
  const limits = createRateLimits(clock);
  const headers = { 'x-rate-limit-limit': '2', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(START_MS / 1_000 + 30) };
  const server = createServer((_request, response) => {
    // The clock of the test has another time.
    response.sendDate = false;
    response.writeHead(200, headers).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  await using http = httpClient({ platform: 'x', baseUrl, clock, rateBudgets: limits.watch('x', undefined) });

  await http.request({ path: '/a' });
  const second = http.request({ path: '/b' });
  await clock.advance(1_000);
  const [left, waits] = [limits.left(), limits.waits()];
  await clock.advance(30_000);
  await second;
  server.closeAllConnections();
  server.close();

  expect(left).toEqual([{ labels: { account: 'x' }, value: 0 }]);
  expect(waits).toEqual([{ labels: { account: 'x' }, value: 1 }]);
});

test('the clients of an account without shared budgets are counted separately', async () => {
  const budgets = createRateLimits(new ManualClock(START_MS)).watch('bluesky', undefined);
  const [one, other] = [budgets.forClient?.(), budgets.forClient?.()];
  const charge = { budgets: ['all'], points: 1 };

  await one?.take(charge);
  one?.settle({ ...charge, unstated: 0 }, { rates: [{ family: 'a', limit: 1, remaining: 0, resetAtMs: START_MS + 9_000 }] });

  expect(await one?.take(charge)).toEqual({ waitMs: 9_000 });
  expect(await other?.take(charge)).not.toHaveProperty('waitMs');
});

test('the smallest rest since the last call stays after its window ended', () => {
  const clock = new ManualClock(START_MS);
  const limits = createRateLimits(clock);
  const x = limits.watch('x', undefined);
  limits.watch('mastodon', undefined);
  const pass = { budgets: ['posts'], points: 1, unstated: 0 };
  const state = (remaining: number) =>
    x.settle(pass, { rates: [{ family: 'x-rate-limit', limit: 100, remaining, resetAtMs: clock.nowMs() + 1_000 }] });

  state(60);
  state(5);
  clock.set(START_MS + 2_000);
  state(90);
  x.settle(pass, { rates: [{ family: 'x-rate-limit', limit: 0, remaining: 0, resetAtMs: clock.nowMs() + 1_000 }] });

  expect([...limits.takeLeast()]).toEqual([['x', 0.05]]);
  expect([...limits.takeLeast()]).toEqual([]);
  state(80);
  expect([...limits.takeLeast()]).toEqual([['x', 0.8]]);
});
