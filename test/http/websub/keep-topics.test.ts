import { expect, test } from 'vitest';
import { keepTopics } from '#src/http/websub/keep-topics.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE_MS = 60_000;

/** Keeps no topic for as long as `isWatched` is true, and looks again each minute. Resolves with the number of looks. */
async function looks(isWatched: () => boolean): Promise<number> {
  const clock = new ManualClock();
  const stopping = new AbortController();
  let count = 0;
  const kept = keepTopics({
    url: 'https://fanfare.example/hooks/notifications/youtube',
    secret: () => Promise.resolve('secret'),
    subscriptions: { all: async () => [], find: async () => undefined, keep: async () => undefined, drop: async () => undefined },
    async wanted() {
      count++;
      return new Map();
    },
    names: { current: async () => ({ size: isWatched() ? 1 : 0 }), changed: (signal) => clock.sleep(MINUTE_MS, signal) },
    findHub: () => Promise.resolve(undefined),
    askHub: () => Promise.resolve(),
    onStatus: () => undefined,
    clock,
    signal: stopping.signal,
  }).catch(() => undefined);
  await clock.advance(5 * MINUTE_MS);
  stopping.abort();
  await kept;
  return count;
}

test('names without a topic are looked at again when the names may have changed', async () => {
  expect(await looks(() => true)).toBe(6);
});

test('without names, nothing is kept', async () => {
  expect(await looks(() => false)).toBe(1);
});
