import { expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { batched } from '#src/http/batched.ts';

/** A platform that knows names of one letter and rejects a request with a name in capitals. */
function openPlatform(most: number) {
  const requests: (readonly string[])[] = [];
  const signals: AbortSignal[] = [];
  const find = batched<string>({
    most,
    async load(names, signal) {
      requests.push(names);
      signals.push(signal);
      signal.throwIfAborted();
      if (names.some((name) => name !== name.toLowerCase())) throw new PlatformError('capitals', { platform: 'demo', fault: 'rejected' });
      if (names.includes('down')) throw new PlatformError('down', { platform: 'demo', fault: 'unavailable' });
      return new Map(names.filter((name) => name.length === 1).map((name) => [name, name.toUpperCase()]));
    },
  });
  return { find, requests, signals };
}

const findAll = (find: ReturnType<typeof batched<string>>, names: string) =>
  Promise.allSettled(names.split(' ').map((name) => find(name, undefined)));
const valuesOf = (results: readonly PromiseSettledResult<string | undefined>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'));

test('simultaneous look-ups share requests of the maximum size, with each name once', async () => {
  const { find, requests } = openPlatform(3);

  const results = await findAll(find, 'a b a nobody c');

  expect(valuesOf(results)).toEqual(['A', 'B', 'A', undefined, 'C']);
  expect(requests).toEqual([['a', 'b', 'nobody'], ['c']]);
});

test('a later look-up is a new request', async () => {
  const { find, requests } = openPlatform(3);
  await find('a', undefined);

  expect(await find('a', undefined)).toBe('A');
  expect(requests).toEqual([['a'], ['a']]);
});

test('a name that makes the platform reject a request fails only itself', async () => {
  const { find, requests } = openPlatform(100);

  const results = await findAll(find, 'a b c d BAD e f g');

  expect(valuesOf(results)).toEqual(['A', 'B', 'C', 'D', 'failed', 'E', 'F', 'G']);
  expect(requests.length).toBe(7);
});

test('many bad names cost a limited number of requests', async () => {
  const { find, requests } = openPlatform(100);

  await findAll(find, Array.from({ length: 100 }, (_, index) => `BAD${index}`).join(' '));

  expect(requests).toHaveLength(17);
});

test('another failure is not repeated and fails all names of the request', async () => {
  const { find, requests } = openPlatform(100);

  expect(valuesOf(await findAll(find, 'a down b'))).toEqual(['failed', 'failed', 'failed']);
  expect(requests).toHaveLength(1);
});

test('a look-up during a request is another request', async () => {
  const answer = Promise.withResolvers<void>();
  const requests: (readonly string[])[] = [];
  const find = batched<string>({
    most: 3,
    async load(names) {
      requests.push(names);
      await answer.promise;
      return new Map(names.map((name) => [name, name.toUpperCase()]));
    },
  });

  const first = find('a', undefined);
  await expect.poll(() => requests).toHaveLength(1);
  const second = find('b', undefined);
  answer.resolve();

  expect([await first, await second]).toEqual(['A', 'B']);
  expect(requests).toEqual([['a'], ['b']]);
});

test('an abort ends one look-up; the request ends with the last one', async () => {
  const { promise: never } = Promise.withResolvers<ReadonlyMap<string, string>>();
  const signals: AbortSignal[] = [];
  const begun = Promise.withResolvers<void>();
  const find = batched<string>({
    most: 2,
    load(_, signal) {
      signals.push(signal);
      begun.resolve();
      return never;
    },
  });
  const [one, other] = [new AbortController(), new AbortController()];
  const results = Promise.allSettled([find('a', one.signal), find('b', other.signal)]);
  await begun.promise;

  one.abort();
  const isAbortedAfterOne = signals[0]?.aborted;
  other.abort();
  await results;

  expect(isAbortedAfterOne).toBe(false);
  expect(signals[0]?.aborted).toBe(true);
});

test('an aborted look-up does not end a later one of the same tick', async () => {
  const { find } = openPlatform(2);
  const stop = new AbortController();
  const first = find('a', stop.signal).catch(() => 'aborted');
  stop.abort();

  expect(await first).toBe('aborted');
  expect(await find('b', undefined)).toBe('B');
});
