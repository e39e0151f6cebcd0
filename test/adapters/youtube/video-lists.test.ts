import { expect, test } from 'vitest';
import type { YoutubeApi } from '#adapters/youtube/client.ts';
import { videoLists } from '#adapters/youtube/operations/video-lists.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import { rateBudgetsInMemory } from '#src/http/memory-rate-budgets.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE_MS = 60_000;

/** An outage of all feeds. The API has the list of each channel. */
function outage(fault: Fault = 'missing') {
  const clock = new ManualClock();
  const asked: string[] = [];
  const api: YoutubeApi = {
    clock,
    feed: () => Promise.reject(new PlatformError('the feed fails', { platform: 'youtube', fault })),
    async list(_path, schema, query) {
      asked.push(String(query['playlistId']));
      return { ...schema.parse({ items: [{ contentDetails: { videoId: 'a' } }] }), fetchedAt: new Date(clock.nowMs()) };
    },
  };
  const rateBudgets = rateBudgetsInMemory(clock);
  const open = () => videoLists(api, rateBudgets);
  return { clock, asked, open };
}

const channelsOf = (count: number) => Array.from({ length: count }, (_, index) => `UC${String(index).padStart(22, '0')}`);

/** How many lists are complete, incomplete and unknown. */
async function readAll(lists: ReturnType<typeof videoLists>, ids: readonly string[]) {
  const read = await Promise.all(
    ids.map((id) => lists.read(id, undefined).then(({ isComplete }) => (isComplete ? 'complete' : 'incomplete'), faultOf)),
  );
  return Object.fromEntries(
    Map.groupBy(read, (kind) => kind)
      .entries()
      .map(([kind, some]) => [kind, some.length]),
  );
}

const faultOf = (error: unknown) => (error instanceof PlatformError ? error.fault : 'failed');

test.for(['missing', 'unavailable', 'rateLimited', 'unanswered', 'forbidden', 'malformed'] as const)(
  'a feed that is %s is replaced by the uploads of the channel',
  async (fault) => {
    const { asked, open } = outage(fault);

    expect(await open().read('UCada', undefined)).toEqual({ ids: ['a'], isMissing: false, isComplete: true });
    expect(asked).toEqual(['UUada']);
  },
);

test('reads of a list at the same time, and soon after each other, ask once', async () => {
  const { clock, asked, open } = outage();
  const lists = open();

  await Promise.all([lists.read('UCada', undefined), lists.read('UCada', undefined)]);
  await clock.advance(10_000);

  expect(await lists.read('UCada', undefined)).toMatchObject({ isComplete: true });
  expect(asked).toHaveLength(1);
});

test('lists share the units in turn, and an old list is incomplete until the API is asked again', async () => {
  const { clock, asked, open } = outage();
  const lists = open();
  const ids = channelsOf(50);

  const outcomes = [];
  for (let minute = 0; minute <= 18; minute += 3) {
    outcomes.push([minute, await readAll(lists, ids), asked.length]);
    await clock.advance(3 * MINUTE_MS);
  }

  const waiting = { incomplete: 50 };
  expect(outcomes).toEqual([
    [0, { complete: 50 }, 50],
    [3, waiting, 50],
    [6, waiting, 50],
    [9, waiting, 50],
    [12, waiting, 50],
    [15, waiting, 50],
    [18, { complete: 50 }, 100],
  ]);
});

test('an outage of many feeds takes less than half of the daily quota, in all processes together', async () => {
  const { clock, asked, open } = outage();
  const processes = [open(), open()];
  const ids = channelsOf(600);

  const [first] = await Promise.all(processes.map((lists) => readAll(lists, ids)));
  for (let minute = 160; minute < 24 * 60; minute += 160) {
    await clock.advance(160 * MINUTE_MS);
    for (const lists of processes) await readAll(lists, ids);
  }

  expect(first).toMatchObject({ unavailable: expect.any(Number) });
  expect(asked.length).toBeGreaterThan(3_500);
  expect(asked.length).toBeLessThanOrEqual(4_500);
});

test('a list that is older than an hour is not used', async () => {
  const { clock, open } = outage();
  const lists = open();
  const ids = channelsOf(400);
  await readAll(lists, ids);

  await clock.advance(61 * MINUTE_MS);

  expect(await readAll(lists, ids)).toEqual({ unavailable: 400 });
});
