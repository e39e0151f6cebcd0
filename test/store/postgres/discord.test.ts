import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createHandledEvents } from '#src/store/postgres/handled-events.ts';
import { createShardTable } from '#src/store/postgres/shard-table.ts';
import { shardLeasesContract } from '../../contract/shard-leases.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openEmptyStore } from '../../support/postgres-stores.ts';

shardLeasesContract('in PostgreSQL', async () => {
  const store = await openEmptyStore();
  return { open: () => createShardTable(store.db), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
});

test('fields of a newer version stay in the state of the shards', async () => {
  await using store = await openEmptyStore();
  const table = createShardTable(store.db);

  await table.update((before) => ({ ...before, zones: ['a'] }));
  const after = await table.update((before) => before);

  expect(after).toMatchObject({ zones: ['a'], shards: [] });
});

test('one of several processes handles an event', async () => {
  const clock = new ManualClock();
  await using store = await openEmptyStore({ clock });
  const processes = Array.from({ length: 4 }, () => createHandledEvents({ db: store.db, clock }));

  const claims = await Promise.all(processes.flatMap((one) => [one.claim('1'), one.claim('2')]));
  await clock.advance(59 * 60_000);
  const again = await processes[0]?.claim('1');
  await clock.advance(2 * 60_000);
  await processes[0]?.claim('3');

  expect(claims.filter((isFirst) => isFirst)).toHaveLength(2);
  expect(again).toBe(false);
  expect(await store.discord?.handled.claim('1')).toBe(true);
});

test('only the open answers of processes that ended are listed', async () => {
  await using store = await openEmptyStore();
  const worker = (id: string, startedMs: number, seenMs: number) =>
    sql`insert into worker (id, role, host, schema_version, started_ms, seen_ms, key_fingerprint)
      values (${id}, 'all', 'h', 1, ${startedMs}, now_ms() - ${seenMs}, '')`.execute(store.db);
  await worker('alive', 1_000, 0);
  await worker('dead', 1_000, 60_000);
  await worker('again', 3_000, 0);
  const askedAt = new Date(2_000);
  let asked = 0;
  const keep = (id: string, writer: string) =>
    store.openAnswers.keep({ id, channel: 'c', locale: 'en-US', askedAt: new Date(askedAt.getTime() - ++asked), writer });

  for (const writer of ['alive', 'dead', 'again', 'gone']) await keep(`of ${writer}`, writer);
  const listed = (await store.openAnswers.list()).map(({ id }) => id);
  await store.openAnswers.close('of dead');

  // The oldest first.
  expect(listed).toEqual(['of gone', 'of again', 'of dead']);
  expect((await store.openAnswers.list()).map(({ id }) => id)).toEqual(['of gone', 'of again']);
  const { rows } = await sql<{ readonly answer: string }>`select answer from answer_writer order by answer`.execute(store.db);
  expect(rows.map(({ answer }) => answer)).toEqual(['of again', 'of alive', 'of gone']);
});
