import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { edited, posted } from '../../contract/posts.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { startTwoProcesses } from './timed-database.ts';

const DAY_MS = 86_400_000;

const { database, one, two } = await startTwoProcesses();

/** The number of statements that wait for a lock. */
async function waits(): Promise<number> {
  return (await sql`select 1 from pg_locks where not granted`.execute(database.db)).rows.length;
}

test('a post that another worker begins meanwhile is not moved', async () => {
  const made = await one.store.posts.commit(posted('p1', { atMs: SLOT_MS }));
  const [delivery] = made.deliveries;

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

test('a move at the same time as an edit by another worker keeps the new text and the values of the post', async () => {
  const made = await one.store.posts.commit(posted('p2', { atMs: SLOT_MS + DAY_MS }));
  const [delivery] = made.deliveries;
  const at = new Date(SLOT_MS + 2 * DAY_MS);

  const begun = await two.db.transaction().execute(async (trx) => {
    await sql`select 1 from delivery where id = ${delivery?.id} for update`.execute(trx);
    const editing = one.store.posts.edit('p2', edited('corrected', 0));
    await expect.poll(waits, { interval: 3 }).toBe(1);
    const moving = one.store.posts.move('p2', at);
    await expect.poll(waits, { interval: 3 }).toBe(2);
    return { outcomes: Promise.all([editing, moving]) };
  });

  expect(await begun.outcomes).toEqual(['done', true]);
  const after = await one.store.posts.find('p2');
  expect(after?.post).toMatchObject({ text: 'corrected', at });
  const slots = await one.store.deliveryLog.slotsMs(after?.deliveries.map(({ firing }) => firing) ?? []);
  expect([...slots.values()]).toEqual([at.getTime()]);
});
