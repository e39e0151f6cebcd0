import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { connectDatabase } from '#src/store/postgres/open.ts';
import { asShared } from '#src/store/postgres/shared-tables.ts';
import { followTimeline, keepTimeline, type Timeline } from '#src/store/postgres/timeline.ts';
import type { Tables } from '#src/store/tables.ts';
import { DatabaseUnavailable } from '#src/store/postgres/database-error.ts';
import { createDatabase } from '../../support/postgres-database.ts';

/** More than a test writes. */
const LOST_BYTES = 1e12;

interface Connected {
  readonly db: Kysely<Tables>;
  readonly timeline: string;
}

/** A connection to a server with this position. */
function reporting(position: { readonly timeline: string; readonly bytes: number; readonly atMs: number }): pg.Client {
  return { query: async () => ({ rows: [position] }) } as never; // the position is the only query
}

test('of the processes that miss the same commits, one notes the restore, also after restores before it', async () => {
  await using postgres = await createDatabase();
  await using connected = await connectDatabase({ url: postgres.url, schema: postgres.newSchema() });
  const { db } = connected;
  const insert = (atMs: number) =>
    sql`insert into restored (copied_ms, until_ms, at_ms) values (${atMs}::float8, ${atMs}::float8, ${atMs}::float8)`.execute(db);
  const counted = async () => (await asShared(db).selectFrom('restored').select('at_ms').execute()).length;
  await keepTimeline(db);
  const [first, second] = [followTimeline(silentLog), followTimeline(silentLog)];
  await first.check(db);
  await second.check(db);
  const { rows } = await sql<{
    readonly now: number;
    readonly timeline: string;
  }>`select now_ms() as now, name as timeline from timeline`.execute(db);
  const [{ now, timeline } = { now: 0, timeline: '' }] = rows;
  await insert(now - 3_600_000);
  await insert(now - 7_200_000);
  const before = await counted();
  for (const process of [first, second]) await process.follow(reporting({ timeline, bytes: LOST_BYTES, atMs: now - 60_000 }));

  await first.check(db);
  expect(await counted()).toBe(before + 1);
  await second.check(db);
  expect(await counted()).toBe(before + 1);
  await second.check(db);
  expect(await counted()).toBe(before + 1);
});

test.for<readonly [name: string, restores: number, follow: (first: Timeline, at: Connected) => unknown]>([
  [
    'a connection that is not checked has fewer commits',
    1,
    async (followed, { timeline }) => {
      await followed.follow(reporting({ timeline, bytes: LOST_BYTES, atMs: 0 }));
      await followed.follow(reporting({ timeline, bytes: 1, atMs: 0 }));
    },
  ],
  [
    'the position increased during a check',
    1,
    async (followed, { db, timeline }) => {
      const checked = followed.check(db);
      await followed.follow(reporting({ timeline, bytes: LOST_BYTES, atMs: 0 }));
      await checked;
    },
  ],
  [
    'a connection leads to a server with another history',
    0,
    (followed) => followed.follow(reporting({ timeline: 'other', bytes: LOST_BYTES, atMs: 0 })),
  ],
])('if %s, the next check notes %i restores', async ([, restores, change]) => {
  await using postgres = await createDatabase();
  await using connected = await connectDatabase({ url: postgres.url, schema: postgres.newSchema() });
  const { db } = connected;
  await keepTimeline(db);
  const followed = followTimeline(silentLog);
  await followed.check(db);
  const { name: timeline } = await asShared(db).selectFrom('timeline').select('name').executeTakeFirstOrThrow();

  await change(followed, { db, timeline });
  await followed.check(db);

  expect(await asShared(db).selectFrom('restored').select('at_ms').execute()).toHaveLength(restores);
});

test('a connection that cannot be checked, because the database is unavailable, is not used', async () => {
  const unavailable = new DatabaseUnavailable(new Error('the connection ended'));
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: async () => Promise.reject(unavailable) }),
  });

  await expect(followTimeline(silentLog).check(db)).rejects.toBe(unavailable);
});
