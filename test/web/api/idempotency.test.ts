import { expect, onTestFinished, test } from 'vitest';
import { CLAIM_EXPIRES_MS, RENEWED_EVERY_MS } from '#src/admin/actions/repeated-requests.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { NOW } from '../../support/view-records.ts';
import { openApi } from './open-api.ts';

const KEY = { 'idempotency-key': 'k-1' };
const RUN = `/api/rules/${encodeURIComponent('games/Go')}/run`;

/** Runs that wait until a test ends them. */
function heldRuns() {
  const { promise, resolve } = Promise.withResolvers<{ decisions: []; firings: [] }>();
  let started = 0;
  return { run: () => (started++, promise), end: () => resolve({ decisions: [], firings: [] }), count: () => started };
}

test('a repeat gets the same answer, and the action is not run again', async () => {
  const { post, store } = await openApi();

  const first = await post('/api/rules/games/pause', { headers: KEY });
  const repeat = await post('/api/rules/games/pause', { headers: KEY });
  const other = await post('/api/rules/games/pause', { headers: { 'idempotency-key': 'k-2' } });

  expect(repeat.body).toBe(first.body);
  expect(other.json).toEqual({ rules: ['games/Chess', 'games/Go'], changed: [] });
  expect((await store.auditLog.list()).items).toHaveLength(2);
});

test('a refusal is repeated as well', async () => {
  const { post, store } = await openApi();

  const first = await post('/api/rules/none/pause', { headers: KEY });
  const repeat = await post('/api/rules/none/pause', { headers: KEY });

  expect(repeat).toMatchObject({ status: 404, type: 'application/problem+json', body: first.body });
  expect((await store.auditLog.list()).items).toHaveLength(1);
});

test('a key belongs to one request', async () => {
  const { post } = await openApi();
  await post('/api/rules/games/pause', { headers: KEY });

  for (const [path, body] of [
    ['/api/rules/games/resume', {}],
    ['/api/rules/games%2FGo/pause', {}],
    ['/api/rules/games/pause', { until: '2026-11-21T06:00:00Z' }],
  ] as const)
    expect(await post(path, { headers: KEY, body })).toMatchObject({ status: 422, json: { code: 'keyReused' } });
});

test('two simultaneous requests with one key run the action once, and both get its answer', async () => {
  const held = heldRuns();
  const { post } = await openApi({ run: held.run });

  const both = [post(RUN, { headers: KEY }), post(RUN, { headers: KEY })];
  await expect.poll(held.count).toBe(1);
  expect(await post(RUN.replace('/run', '/resume'), { headers: KEY })).toMatchObject({ status: 422 });
  held.end();

  const [first, second] = await Promise.all(both);
  expect(first).toMatchObject({ status: 200, json: { decisions: [], firings: 0 } });
  expect(second?.body).toBe(first?.body);
  expect(held.count()).toBe(1);
});

test('during the action in another process, a repeat gets 409 with Retry-After, and later the same answer', async () => {
  const held = heldRuns();
  const one = await openApi({ run: held.run });
  const other = await openApi({ store: one.store, run: () => Promise.reject(new Error('a second action')) });

  const first = one.post(RUN, { headers: KEY });
  await expect.poll(held.count).toBe(1);
  const early = await other.post(RUN, { headers: KEY });
  const wrong = await other.post(RUN.replace('/run', '/resume'), { headers: KEY });
  held.end();

  expect(early).toMatchObject({ status: 409, json: { code: 'stillRunning' }, headers: { 'retry-after': '1' } });
  expect(wrong).toMatchObject({ status: 422 });
  expect((await other.post(RUN, { headers: KEY })).body).toBe((await first).body);
});

test('after an error in Fanfare, a repeat runs the action', async () => {
  let runs = 0;
  const { post } = await openApi({
    run: () => (runs++ === 0 ? Promise.reject(new Error('a defect')) : Promise.resolve({ decisions: [], firings: [] })),
  });

  expect((await post(RUN, { headers: KEY })).status).toBe(500);
  expect((await post(RUN, { headers: KEY })).status).toBe(200);
});

test('an action whose answer could not be stored is not repeated', async () => {
  let runs = 0;
  let isFull = true;
  const store = await openStore({ clock: new ManualClock(NOW) });
  onTestFinished(() => store[Symbol.asyncDispose]());
  const { post, clock } = await openApi({
    store,
    run: () => Promise.resolve((runs++, { decisions: [], firings: [] })),
    keepAnswer: (...kept) => (isFull ? Promise.reject(new Error('the disk is full')) : store.repeatedRequests.answer(...kept)),
  });

  expect((await post(RUN, { headers: KEY })).status).toBe(500);
  expect(await post(RUN, { headers: KEY })).toMatchObject({ status: 409, json: { code: 'stillRunning' } });
  isFull = false;
  await clock.advance(RENEWED_EVERY_MS);
  await expect.poll(async () => (await post(RUN, { headers: KEY })).status).toBe(200);
  expect(runs).toBe(1);
});

test('a long request keeps its key', async () => {
  const held = heldRuns();
  const running = await openApi({ run: held.run });
  const { store, clock } = running;
  const elsewhere = await openApi({ run: held.run, store });
  const first = running.post(RUN, { headers: KEY });
  await expect.poll(() => clock.sleeping).toBe(1);

  for (let ms = 0; ms < 2 * CLAIM_EXPIRES_MS; ms += RENEWED_EVERY_MS) await clock.advance(RENEWED_EVERY_MS);
  expect(await elsewhere.post(RUN, { headers: KEY })).toMatchObject({ status: 409, json: { code: 'stillRunning' } });
  held.end();

  expect(await elsewhere.post(RUN, { headers: KEY })).toMatchObject({ status: 200, body: (await first).body });
  expect([held.count(), clock.sleeping]).toEqual([1, 0]);
});
