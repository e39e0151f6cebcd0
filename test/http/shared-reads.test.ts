import { expect, test } from 'vitest';
import { z } from 'zod';
import { httpClient } from '#src/http/client.ts';
import { shareReads } from '#src/http/shared-reads.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { scriptHttp, type Step } from '../support/script-http.ts';

const Count = z.object({ count: z.number() });
const answers = (...counts: readonly number[]): readonly Step[] => counts.map((count) => ['GET /things', { json: { count } }] as const);

async function openClient(steps: readonly Step[]) {
  const server = await scriptHttp(steps);
  const client = httpClient({ platform: 'demo', baseUrl: server.url, clock: new ManualClock() });
  return {
    server,
    read: async (signal?: AbortSignal) => (await client.request({ path: '/things', signal })).json(Count).count,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('equal reads of a round share one response, also one after the other', async () => {
  await using client = await openClient(answers(1));

  const counts = await shareReads(async () => [...(await Promise.all([client.read(), client.read()])), await client.read()]);

  expect(counts).toEqual([1, 1, 1]);
});

test('another round, and a read outside a round, have their own response', async () => {
  await using client = await openClient(answers(1, 2, 3));

  expect([await shareReads(client.read), await shareReads(client.read), await client.read()]).toEqual([1, 2, 3]);
});

test('a failure is not kept', async () => {
  await using client = await openClient([['GET /things', { status: 400, json: {} }], ...answers(2)]);

  const outcomes = await shareReads(async () => [await client.read().catch(() => 'failed'), await client.read()]);

  expect(outcomes).toEqual(['failed', 2]);
});

test('an abort of one read does not end the others', async () => {
  await using client = await openClient(answers(1));
  const stop = new AbortController();

  const outcomes = await shareReads(async () => {
    const both = Promise.all([client.read(stop.signal).catch(() => 'aborted'), client.read()]);
    stop.abort();
    return both;
  });

  expect(outcomes).toEqual(['aborted', 1]);
});
