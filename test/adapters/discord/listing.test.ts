import { expect, test } from 'vitest';
import { listing, type Listing } from '#adapters/discord/channels.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE_MS = 60_000;
const has = (name: string) => (known: readonly string[]) => known.includes(name);

/** A list whose look-ups end when the test has them end. */
function open(): {
  readonly list: Listing<string>;
  readonly clock: ManualClock;
  readonly asked: PromiseWithResolvers<readonly string[]>[];
} {
  const clock = new ManualClock();
  const asked: PromiseWithResolvers<readonly string[]>[] = [];
  const load = (): Promise<readonly string[]> => {
    const read = Promise.withResolvers<readonly string[]>();
    asked.push(read);
    return read.promise;
  };
  return { list: listing(load, { clock }), clock, asked };
}

test('an unlisted name loads the list again, and the list expires after a minute', async () => {
  const { list, clock, asked } = open();
  const first = list.get(has('a'));
  await clock.advance(MINUTE_MS / 2);
  asked[0]?.resolve(['a']);
  await first;

  expect(await list.get(has('a'))).toEqual(['a']);
  const more = list.get(has('b'));
  asked[1]?.resolve(['a', 'b']);
  expect(await more).toEqual(['a', 'b']);
  await clock.advance(MINUTE_MS - 1);
  expect(await list.get(has('b'))).toEqual(['a', 'b']);
  await clock.advance(1);
  const last = list.get(has('b'));
  asked[2]?.resolve(['c']);

  expect(await last).toEqual(['c']);
  expect(asked).toHaveLength(3);
});

test('a request that ends after the cache was dropped serves only its waiting callers', async () => {
  const { list, asked } = open();
  const before = list.get(has('old'));
  list.forget();
  const after = list.get(has('new'));
  asked[1]?.resolve(['new']);
  await after;
  asked[0]?.resolve(['old']);

  expect(await before).toEqual(['old']);
  expect(await list.get(has('new'))).toEqual(['new']);
  expect(asked).toHaveLength(2);
});

test('a failed request is repeated by the next call', async () => {
  const { list, asked } = open();
  const first = list.get(has('a'));
  asked[0]?.reject(new Error('down'));
  await expect(first).rejects.toThrow('down');
  const second = list.get(has('a'));
  asked[1]?.resolve(['a']);

  expect(await second).toEqual(['a']);
});
