import { Hono } from 'hono';
import { fetch, type Response } from 'undici';
import { describe, expect, test } from 'vitest';
import type { PlatformFactory } from '../context.ts';
import { Faults } from '../faults.ts';
import { startSandbox, type Sandbox } from '../index.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { whileSleeping } from '../../test/support/while-sleeping.ts';

/** A platform that counts its writes. */
function counter(): { readonly platform: PlatformFactory; readonly done: () => number } {
  let done = 0;
  const platform: PlatformFactory = () => {
    const routes = new Hono();
    routes.post('/things/:id', (c) => c.json({ done: ++done }));
    routes.get('/other', (c) => c.json({ done }));
    return { name: 'counter', routes, environment: () => ({}) };
  };
  return { platform, done: () => done };
}

function write({ url }: Sandbox): Promise<Response> {
  return fetch(`${url}/counter/things/1`, { method: 'POST' });
}

describe('faults', () => {
  test('status: the server answers with the status and does nothing', async () => {
    const { platform, done } = counter();
    await using sandbox = await startSandbox({ platforms: [platform] });
    sandbox.faults.add({ platform: 'counter', kind: 'status', status: 503, times: 1 });

    const statuses = [(await write(sandbox)).status, (await write(sandbox)).status];

    expect(statuses).toEqual([503, 200]);
    expect(done()).toBe(1);
  });

  test('rateLimit: the server answers 429 with Retry-After', async () => {
    const { platform, done } = counter();
    await using sandbox = await startSandbox({ platforms: [platform] });
    sandbox.faults.add({ platform: 'counter', kind: 'rateLimit', ms: 2500, times: 1 });

    const answer = await write(sandbox);

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3']);
    expect(done()).toBe(0);
  });

  test('resetBefore: the server drops the connection and does nothing', async () => {
    const { platform, done } = counter();
    await using sandbox = await startSandbox({ platforms: [platform] });
    sandbox.faults.add({ platform: 'counter', kind: 'resetBefore', times: 1 });

    await expect(write(sandbox)).rejects.toThrow('fetch failed');

    expect(done()).toBe(0);
  });

  test('resetAfter: the server acts and drops the connection', async () => {
    const { platform, done } = counter();
    await using sandbox = await startSandbox({ platforms: [platform] });
    sandbox.faults.add({ platform: 'counter', kind: 'resetAfter', times: 1 });

    await expect(write(sandbox)).rejects.toThrow('fetch failed');

    expect(done()).toBe(1);
    expect((await write(sandbox)).status).toBe(200);
  });

  test('delay: the server waits by the clock of the sandbox', async () => {
    const { platform, done } = counter();
    const clock = new ManualClock();
    await using sandbox = await startSandbox({ platforms: [platform], clock });
    sandbox.faults.add({ platform: 'counter', kind: 'delay', ms: 5000, times: 1 });
    const startMs = clock.nowMs();

    const answer = await whileSleeping(clock, write(sandbox));

    expect([answer.status, done()]).toEqual([200, 1]);
    expect(clock.nowMs() - startMs).toBeGreaterThanOrEqual(5000);
  });

  test('a delayed request does not prevent the sandbox from stopping', async () => {
    const { platform, done } = counter();
    const clock = new ManualClock();
    const sandbox = await startSandbox({ platforms: [platform], clock });
    sandbox.faults.add({ platform: 'counter', kind: 'delay', ms: 5000 });
    const failure = write(sandbox).catch(String);
    await expect.poll(() => clock.sleeping).toBe(1);

    await sandbox[Symbol.asyncDispose]();

    expect(await failure).toContain('fetch failed');
    expect([clock.sleeping, done()]).toEqual([0, 0]);
  });

  test('apply only to their platform, method and route', async () => {
    const { platform, done } = counter();
    await using sandbox = await startSandbox({ platforms: [platform] });
    sandbox.faults.add({ platform: 'discord', kind: 'status' });
    sandbox.faults.add({ platform: 'counter', method: 'GET', kind: 'status' });
    sandbox.faults.add({ platform: 'counter', route: '/other', kind: 'status' });

    const [posted, read] = [await write(sandbox), await fetch(`${sandbox.url}/counter/other`)];

    expect([posted.status, read.status, done()]).toEqual([200, 500, 1]);
  });

  test('are consumed in order and cleared by platform', () => {
    const faults = new Faults();
    const request = { platform: 'x', method: 'GET', path: '/x' };
    faults.add({ platform: 'x', kind: 'status', status: 500, times: 2 });
    faults.add({ platform: 'x', kind: 'status', status: 502 });
    faults.add({ platform: 'y', kind: 'status', status: 503 });

    const taken = [1, 2, 3, 4].map(() => faults.take('status', request)?.status);

    expect(taken).toEqual([500, 500, 502, 502]);
    faults.clear('x');
    expect(faults.all()).toEqual([{ platform: 'y', kind: 'status', status: 503 }]);
    faults.clear();
    expect(faults.all()).toEqual([]);
  });
});
