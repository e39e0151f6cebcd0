import { expect, test } from 'vitest';
import { z } from 'zod';
import { httpClient } from '#src/http/client.ts';
import { inRound } from '#src/http/shared-reads.ts';
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

test('equal reads of a round share one response, even one after another', async () => {
  await using client = await openClient(answers(1));

  const round = {};

  const counts = [...(await Promise.all([client.read(inRound(round)), client.read(inRound(round))])), await client.read(inRound(round))];

  expect(counts).toEqual([1, 1, 1]);
});

test('another round, and a read outside a round, have their own response', async () => {
  await using client = await openClient(answers(1, 2, 3));

  expect([await client.read(inRound({})), await client.read(inRound({})), await client.read()]).toEqual([1, 2, 3]);
});

test('a failure is not kept', async () => {
  await using client = await openClient([['GET /things', { status: 400, json: {} }], ...answers(2)]);

  const round = {};

  const outcomes = [await client.read(inRound(round)).catch(() => 'failed'), await client.read(inRound(round))];

  expect(outcomes).toEqual(['failed', 2]);
});

test('an abort of one read does not end the others', async () => {
  await using client = await openClient(answers(1));
  const [round, stop] = [{}, new AbortController()];

  const both = Promise.all([client.read(inRound(round, stop.signal)).catch(() => 'aborted'), client.read(inRound(round))]);
  stop.abort();
  const outcomes = await both;

  expect(outcomes).toEqual(['aborted', 1]);
});

test('an unchanged response of another round is not parsed again', async () => {
  await using server = await scriptHttp(answers(1, 1, 2, 1));
  await using http = httpClient({ platform: 'demo', baseUrl: server.url, clock: new ManualClock() });
  let parsed = 0;
  const Counted = Count.refine(() => ++parsed > 0);
  const read = async () => (await http.request({ path: '/things', signal: inRound({}) })).json(Counted).count;

  const counts = [
    [await read(), parsed],
    [await read(), parsed],
    [await read(), parsed],
    [await read(), parsed],
  ];

  expect(counts).toEqual([
    [1, 1],
    [1, 1],
    [2, 2],
    [1, 3],
  ]);
});
