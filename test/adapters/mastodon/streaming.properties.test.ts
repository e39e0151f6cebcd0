import { expect, test } from 'vitest';
import { createChanges } from '#adapters/mastodon/streaming/changes.ts';
import { readStreamMessage } from '#adapters/mastodon/streaming/read-message.ts';
import type { WatchedStreams } from '#adapters/mastodon/streaming/streams.ts';
import { fc, runs } from '../../support/property.ts';

const WATCHED: WatchedStreams = {
  streams: new Map([['user', { stream: 'user' }]]),
  covered: new Map([['getPosts', ['ada']]]),
  unfollowed: [],
  usersById: new Map([['7', ['ada']]]),
  lists: new Map(),
  tags: new Map(),
};

const message = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .record({ stream: fc.anything(), event: fc.anything(), payload: fc.anything() })
    .map((value) => JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one))),
  fc.record({ event: fc.constantFrom('update', 'delete', 'notification'), payload: fc.json() }).map((value) => JSON.stringify(value)),
);

test('no message throws, and only posts of watched accounts name them', () => {
  const changesOf = createChanges();
  fc.assert(
    fc.property(message, (text) => {
      const read = readStreamMessage(text);
      if (read?.kind !== 'event') return;
      const names = changesOf(read, WATCHED).flatMap((change) => change.names ?? []);
      expect(names.length > 0).toBe(read.payload.accountId === '7');
    }),
    { numRuns: runs(300, 5_000) },
  );
});

test('a deletion names the author of a recent post, and 10,000 posts keep the memory flat', () => {
  const changesOf = createChanges();
  const post = (id: number, accountId: string) =>
    readStreamMessage(
      JSON.stringify({ stream: ['user'], event: 'update', payload: JSON.stringify({ id: String(id), account: { id: accountId } }) }),
    );
  const gone = (id: number) => readStreamMessage(JSON.stringify({ stream: ['user'], event: 'delete', payload: String(id) }));
  const namesOf = (read: ReturnType<typeof readStreamMessage>) =>
    read?.kind === 'event' ? changesOf(read, WATCHED).flatMap(({ names }) => names ?? []) : [];
  namesOf(post(0, '7'));
  expect(namesOf(gone(0))).toEqual(['ada', 'ada']);
  for (let id = 1; id <= 10_000; id++) namesOf(post(id, String(100 + id)));
  expect(namesOf(gone(0))).toEqual([]);
});
