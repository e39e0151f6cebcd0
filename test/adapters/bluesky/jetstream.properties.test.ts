import { expect, test } from 'vitest';
import { readJetstreamEvent } from '#adapters/bluesky/jetstream/read-event.ts';
import { createRepeatedHints } from '#adapters/bluesky/jetstream/repeated-hints.ts';
import { statusOf, watchedAccounts } from '#adapters/bluesky/jetstream/watched-accounts.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fc, runs } from '../../support/property.ts';

const withoutBigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

test('no message throws, and only records of feeds are about feeds', () => {
  const collection = fc.constantFrom('app.bsky.feed.post', 'app.bsky.feed.repost', 'app.bsky.feed.like', 'app.bsky.feed.postgate');
  const event = fc.record({
    did: fc.constantFrom('did:plc:a', 'a', 7),
    time_us: fc.oneof(fc.double(), fc.nat()),
    kind: fc.constantFrom('commit', 'identity', 'account', 'other'),
    commit: fc.oneof(fc.record({ collection }), fc.anything()),
  });
  const message = fc.oneof(
    fc.string(),
    fc.json(),
    event.map((value) => JSON.stringify(value, withoutBigints)),
  );
  fc.assert(
    fc.property(message, (text) => {
      const read = readJetstreamEvent(text);
      if (!read) return;
      expect(read.did.startsWith('did:') && Number.isSafeInteger(read.timeUs)).toBe(true);
      const isRecordOfFeed = /"collection":"app\.bsky\.feed\.(?:re)?post"/u.test(text);
      expect(read.isAboutFeed).toBe(read.kind !== 'commit' || isRecordOfFeed);
    }),
    { numRuns: runs(300, 5_000) },
  );
});

test('names are covered only if Jetstream takes their accounts, and the first ones come first', async () => {
  const name = fc.constantFrom('ada', 'ada.test', 'grace', 'linus', 'unknown', 'nobody');
  const didOf: Readonly<Record<string, string>> = { ada: 'did:plc:a', 'ada.test': 'did:plc:a', grace: 'did:plc:g', linus: 'did:plc:l' };
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name), fc.uniqueArray(name), async (posts, media) => {
      const names = new Map([
        ['getPosts', posts],
        ['getUserMedia', media],
      ]);
      const watched = await watchedAccounts(names, { findDid: (one) => Promise.resolve(didOf[one]) }, new AbortController().signal);
      const isKnown = (one: string): boolean => didOf[one] !== undefined;
      expect(watched.covered.get('getPosts') ?? []).toEqual(posts.filter(isKnown));
      expect(watched.covered.get('getUserMedia') ?? []).toEqual(media.filter(isKnown));
      expect(statusOf(watched).onlyPolled).toBe(new Set([...posts, ...media].filter((one) => !isKnown(one))).size);
    }),
    { numRuns: runs(50, 1_000) },
  );
});

test('names above the limit of 10,000 accounts are only polled', async () => {
  const names = Array.from({ length: 10_002 }, (_, number) => `user${number}`);
  const findDid = (name: string) => Promise.resolve(`did:plc:${name}`);
  const watched = await watchedAccounts(new Map([['getPosts', names]]), { findDid }, new AbortController().signal);
  expect(watched.namesByDid.size).toBe(10_000);
  expect(watched.covered.get('getPosts')?.at(-1)).toBe('user9999');
  expect(statusOf(watched)).toEqual({
    state: 'connected',
    subscriptions: 10_000,
    onlyPolled: 2,
    problem: 'Jetstream notifies about 10000 accounts at most',
  });
});

test('a burst of 2,000 changes leaves one waiting hint for each account', async () => {
  const clock = new ManualClock();
  const ending = new AbortController();
  const hints: string[] = [];
  const hintRepeatedly = createRepeatedHints({ hint: (did) => hints.push(did), clock, signal: ending.signal });
  for (let change = 0; change < 2_000; change++) hintRepeatedly(`did:plc:${change % 2}`);
  expect(hints).toHaveLength(2_000);
  await clock.advance(0);
  expect(clock.sleeping).toBe(2);
  await clock.advance(60_000);
  expect([hints.length, clock.sleeping]).toEqual([2_006, 0]);
  hintRepeatedly('did:plc:0');
  ending.abort();
  await clock.advance(60_000);
  expect([hints.length, clock.sleeping]).toEqual([2_007, 0]);
});
