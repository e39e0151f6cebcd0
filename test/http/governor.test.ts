import { describe, expect, test } from 'vitest';
import { httpClient } from '#src/http/client.ts';
import { Governor } from '#src/http/governor.ts';
import { rateBudgetsInMemory } from '#src/http/memory-rate-budgets.ts';
import type { Pass } from '#src/http/rate-budgets.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { scriptHttp } from '../support/script-http.ts';

const START = '2026-11-20T18:00:00Z';
const startMs = new Date(START).getTime();

function ratelimit(remaining: number, resetInSeconds: number): Record<string, string> {
  return { 'ratelimit-limit': '800', 'ratelimit-remaining': String(remaining), 'ratelimit-reset': String(startMs / 1000 + resetInSeconds) };
}

describe('through the client', () => {
  test('a request waits for the reset of a used-up budget', async () => {
    const clock = new ManualClock(START);
    await using server = await scriptHttp([
      ['GET /a', { json: {}, headers: ratelimit(0, 60) }],
      ['GET /b', { json: {}, headers: ratelimit(799, 120) }],
    ]);
    await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });
    await client.request({ path: '/a' });

    const second = client.request({ path: '/b' });
    await clock.advance(59_999);
    const early = server.seen.length;
    await clock.advance(1);
    await second;

    expect(early).toBe(1);
  });

  test('the pause of a 429 applies to all requests, and a request over the patience fails at once', async () => {
    const clock = new ManualClock(START);
    await using server = await scriptHttp([['POST /a', { status: 429, headers: { 'retry-after': '900' } }]]);
    await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });
    await expect(client.request({ method: 'POST', path: '/a' })).rejects.toMatchObject({
      fault: 'rateLimited',
      status: 429,
      sentNothing: false,
    });

    const other = client.request({ path: '/b' });

    await expect(other).rejects.toMatchObject({ fault: 'rateLimited', sentNothing: true, retryAt: new Date('2026-11-20T18:15:00Z') });
  });

  test('a limit of zero does not hold requests after its reset', async () => {
    const clock = new ManualClock(START);
    const none = { ...ratelimit(0, 60), 'ratelimit-limit': '0' };
    await using server = await scriptHttp([
      ['GET /a', { json: {}, headers: none }],
      ['GET /b', { json: {} }],
    ]);
    await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });
    await client.request({ path: '/a' });

    const second = client.request({ path: '/b', signal: AbortSignal.timeout(5_000) });
    await clock.advance(61_000);

    expect(await second).toMatchObject({ status: 200 });
  });

  test('another budget is not delayed', async () => {
    const clock = new ManualClock(START);
    await using server = await scriptHttp([
      ['GET /a', { json: {}, headers: ratelimit(0, 60) }],
      ['GET /b', { json: {} }],
    ]);
    await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });
    await client.request({ path: '/a', budget: 'searches' });

    const response = await client.request({ path: '/b', budget: 'posts' });

    expect(response.status).toBe(200);
  });

  test('an abort of a delayed request leaves no timer and sends nothing', async () => {
    const clock = new ManualClock(START);
    const stop = new AbortController();
    await using server = await scriptHttp([['GET /a', { json: {}, headers: ratelimit(0, 60) }]]);
    await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });
    await client.request({ path: '/a' });
    const held = client.request({ path: '/b', signal: stop.signal });
    held.catch(() => undefined);
    await expect.poll(() => clock.sleeping).toBe(1);

    stop.abort(new Error('enough'));

    await expect(held).rejects.toThrow('enough');
    expect(clock.sleeping).toBe(0);
  });
});

test('without its shared limits, a request is not sent', async () => {
  const failing = { take: () => Promise.reject(new Error('the database is not available')), settle: () => undefined };
  await using server = await scriptHttp([]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock: new ManualClock(START), rateBudgets: failing });

  const sent = client.request({ method: 'POST', path: '/a' });

  await expect(sent).rejects.toMatchObject({ fault: 'unreachable', message: expect.stringContaining('nothing was sent') });
});

const ALL = { budgets: ['all'], points: 1 };

test('a request that is admitted after its abort returns its share', async () => {
  const taking = Promise.withResolvers<Pass>();
  const settled: unknown[] = [];
  const budgets = { take: () => taking.promise, settle: (...parts: readonly unknown[]) => void settled.push(parts) };
  const governor = new Governor({ platform: 'demo', budgets, clock: new ManualClock(START), patienceMs: 90_000 });
  const pass = { ...ALL, unstated: 0 };
  const stop = new AbortController();

  const entering = governor.enter(ALL, stop.signal);
  stop.abort(new Error('enough'));
  await expect(entering).rejects.toThrow('enough');
  taking.resolve(pass);
  await taking.promise;

  expect(settled).toEqual([[pass, {}]]);
});

describe('without the client', () => {
  function newGovernor(clock: ManualClock, patienceMs = 90_000): Governor {
    return new Governor({ platform: 'demo', budgets: rateBudgetsInMemory(clock), clock, patienceMs });
  }

  /** Lets `count` requests enter, and counts the admitted ones. Their responses state no limits. */
  function crowd(governor: Governor, count: number) {
    const entered: number[] = [];
    const all = Array.from({ length: count }, async (_, index) => {
      governor.leave(await governor.enter(ALL, undefined));
      entered.push(index);
    });
    return { entered, all: Promise.all(all) };
  }

  async function governorWith(remaining: number, limit: number | undefined, clock: ManualClock): Promise<Governor> {
    const governor = newGovernor(clock);
    governor.leave(await governor.enter(ALL, undefined), {
      rates: [{ family: 'ratelimit', limit, remaining, resetAtMs: startMs + 60_000 }],
    });
    return governor;
  }

  test('concurrent requests share the remaining budget', async () => {
    const clock = new ManualClock(START);
    const governor = await governorWith(2, undefined, clock);

    const { entered, all } = crowd(governor, 5);
    await clock.advance(59_999);
    const before = [...entered];
    await clock.advance(1);
    await all;

    expect(before).toEqual([0, 1]);
    expect(entered).toHaveLength(5);
  });

  test('after a reset, only as many requests as the limit go at once', async () => {
    const clock = new ManualClock(START);
    const governor = await governorWith(0, 3, clock);

    const { entered, all } = crowd(governor, 8);
    await clock.advance(60_000);
    const first = entered.length;
    await clock.advance(1000);
    const second = entered.length;
    await clock.advance(1000);
    await all;

    expect([first, second, entered.length]).toEqual([3, 6, 8]);
  });

  test('requests in flight count against the remaining budget of a response', async () => {
    const clock = new ManualClock(START);
    const governor = newGovernor(clock);
    const first = await governor.enter(ALL, undefined);
    for (let count = 0; count < 2; count++) await governor.enter(ALL, undefined);
    governor.leave(first, { rates: [{ family: 'ratelimit', limit: 10, remaining: 3, resetAtMs: startMs + 60_000 }] });

    const { entered, all } = crowd(governor, 2);
    await clock.advance(59_999);
    const before = entered.length;
    await clock.advance(1);
    await all;

    expect(before).toBe(1);
  });

  test('each of several overlapping windows applies until its reset', async () => {
    const clock = new ManualClock(START);
    const governor = newGovernor(clock, 900_000);
    const day = { family: 'day', limit: 100, remaining: 3, resetAtMs: startMs + 600_000 };
    governor.leave(await governor.enter(ALL, undefined), {
      rates: [{ family: 'quarter', limit: 2, remaining: 1, resetAtMs: startMs + 60_000 }, day],
    });

    const { entered, all } = crowd(governor, 4);
    const seen: number[] = [];
    for (const ms of [59_999, 1, 538_999, 1_001]) {
      await clock.advance(ms);
      seen.push(entered.length);
    }
    await all;

    // One request in the quarter of an hour, two more until the limit of the day, the last one on the next day.
    expect(seen).toEqual([1, 3, 3, 4]);
  });

  test('a request with two budgets uses both, and waits for both', async () => {
    const clock = new ManualClock(START);
    const governor = await governorWith(1, undefined, clock);
    const posts = { budgets: ['posts', 'all'], points: 1 };

    governor.leave(await governor.enter(posts, undefined), {
      rates: [{ family: 'ratelimit', limit: 300, remaining: 250, resetAtMs: startMs + 3_000 }],
    });
    const { entered, all } = crowd(governor, 1);
    await clock.advance(59_999);
    const before = entered.length;
    await clock.advance(1);
    await all;

    expect(before).toBe(0);
  });

  test('a request with more points than remain waits, one with fewer does not', async () => {
    const clock = new ManualClock(START);
    const governor = await governorWith(2, 5000, clock);
    const dear = { budgets: ['all'], points: 3 };
    let isDearIn = false;

    const waiting = governor.enter(dear, undefined).then(() => (isDearIn = true));
    await governor.enter(ALL, undefined);
    await clock.advance(59_999);
    const before = isDearIn;
    await clock.advance(1);
    await waiting;

    expect(before).toBe(false);
  });
});

test('accounts of one platform do not delay each other', async () => {
  const clock = new ManualClock(START);
  await using server = await scriptHttp([
    ['GET /a', { json: {}, headers: ratelimit(0, 60) }],
    ['GET /b', { json: {} }],
  ]);
  await using one = httpClient({ platform: 'demo', baseUrl: server.url, clock });
  await using other = httpClient({ platform: 'demo', baseUrl: server.url, clock });
  await one.request({ path: '/a' });

  expect((await other.request({ path: '/b' })).status).toBe(200);
});
