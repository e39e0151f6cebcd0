import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { posted } from '../../contract/posts.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { startTwoProcesses } from './timed-database.ts';

const DAY_MS = 86_400_000;

const { database, one, two } = await startTwoProcesses();

test('a post that another worker begins meanwhile is not moved', async () => {
  const made = await one.store.posts.commit(posted('p1', { atMs: SLOT_MS }));
  const [delivery] = made.deliveries;
  const waits = async () => {
    const { rows } = await sql`select 1 from pg_locks where not granted`.execute(database.db);
    return rows.length;
  };

  const moved = await two.db.transaction().execute(async (trx) => {
    await sql`update delivery set state = 'sending', since_ms = ${SLOT_MS} where id = ${delivery?.id}`.execute(trx);
    const moving = one.store.posts.move('p1', new Date(SLOT_MS + DAY_MS));
    await expect.poll(waits, { interval: 3 }).toBe(1);
    return { moving };
  });

  expect(await moved.moving).toBe(false);
  const after = await one.store.posts.find('p1');
  expect(after?.post.at).toEqual(new Date(SLOT_MS));
  expect(after?.deliveries.map(({ dueAt }) => dueAt)).toEqual([new Date(SLOT_MS), new Date(SLOT_MS)]);
});
