import { afterEach, expect, test, vi } from 'vitest';
import { httpClient } from '#src/http/client.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { scriptHttp, type Reply } from '../support/script-http.ts';
import { whileSleeping } from '../support/while-sleeping.ts';

afterEach(() => void vi.restoreAllMocks());

test.for([
  ['a 503', { status: 503 }],
  ['a 429 without further headers', { status: 429 }],
  ['a 429 with a short pause', { status: 429, headers: { 'retry-after': '2' } }],
  ['a dropped connection', { fail: 'before' }],
  ['an answer that breaks off', { fail: 'within', text: '{', headers: { 'content-length': '9' } }],
] as const satisfies readonly (readonly [string, Reply])[])('a read is repeated after %s', async ([, reply]) => {
  const clock = new ManualClock();
  await using server = await scriptHttp([
    ['GET /things', reply],
    ['GET /things', { json: { ok: 1 } }],
  ]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });

  const response = await whileSleeping(clock, client.request({ path: '/things' }));

  expect(response.status).toBe(200);
});

test('a read fails after three attempts, with growing pauses between them', async () => {
  const clock = new ManualClock();
  const sleep = vi.spyOn(clock, 'sleep');
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  await using server = await scriptHttp([
    ['GET /things', { status: 503 }],
    ['GET /things', { status: 502 }],
    ['GET /things', { status: 500 }],
  ]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });

  const reading = whileSleeping(clock, client.request({ path: '/things' }));

  await expect(reading).rejects.toMatchObject({ fault: 'unavailable', status: 500 });
  expect(sleep.mock.calls.map(([ms]) => ms)).toEqual([750, 1_500]);
  expect(clock.sleeping).toBe(0);
});

test.for(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('a %s is never repeated', async (method) => {
  for (const reply of [{ status: 503 }, { status: 429 }, { fail: 'before' }] as const) {
    const clock = new ManualClock();
    await using server = await scriptHttp([[`${method} /things`, reply]]);
    await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });

    await expect(client.request({ method, path: '/things', json: {} })).rejects.toThrow('demo');
  }
});

test('a rejected read is not repeated', async () => {
  await using server = await scriptHttp([['GET /things', { status: 404 }]]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock: new ManualClock() });

  await expect(client.request({ path: '/things' })).rejects.toMatchObject({ fault: 'missing' });
});

test('a long pause fails at once, with its end', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  await using server = await scriptHttp([['GET /things', { status: 429, headers: { 'retry-after': '900' } }]]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });

  const reading = client.request({ path: '/things' });

  await expect(reading).rejects.toMatchObject({ fault: 'rateLimited', retryAt: new Date('2026-11-20T18:15:00Z') });
});

test('an abort before a repeat leaves no timer', async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  await using server = await scriptHttp([['GET /things', { status: 503 }]]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });
  const reading = client.request({ path: '/things', signal: stop.signal });
  reading.catch(() => undefined);
  await expect.poll(() => clock.sleeping).toBe(1);

  stop.abort(new Error('enough'));

  await expect(reading).rejects.toThrow('enough');
  expect(clock.sleeping).toBe(0);
});
