import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { connectDatabase } from '#src/store/postgres/open.ts';
import { asShared } from '#src/store/postgres/shared-tables.ts';
import { followTimeline, keepTimeline } from '#src/store/postgres/timeline.ts';
import { createDatabase } from '../../support/postgres-database.ts';

/** More than a test writes. */
const LOST_BYTES = 1e12;

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
  // The position before commits were lost.
  const client = { query: async () => ({ rows: [{ timeline, bytes: LOST_BYTES, atMs: now - 60_000 }] }) };
  for (const process of [first, second]) await process.follow(client as never);

  await first.check(db);
  expect(await counted()).toBe(before + 1);
  await second.check(db);
  expect(await counted()).toBe(before + 1);
  await second.check(db);
  expect(await counted()).toBe(before + 1);
});
