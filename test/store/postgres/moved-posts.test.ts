import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { POST_RULE } from '#src/engine/posting/posts.ts';
import { creating, firing, SLOT_MS } from '../../support/firings.ts';
import { startTwoProcesses } from './timed-database.ts';

const DAY_MS = 86_400_000;

const { database, one, two } = await startTwoProcesses();

test('a post that another worker begins meanwhile is not moved', async () => {
  const [delivery] = (
    await one.store.posts.commit({
      id: 'p1',
      server: 'home',
      by: { id: '1', name: 'ada' },
      text: 'hello',
      picture: undefined,
      isQueued: false,
      chooseTime: () => new Date(SLOT_MS),
      toFiring: (at) => firing([creating(['x', 'mastodon'], { id: 'post' })], { rule: POST_RULE, episode: 'p1', atMs: at.getTime() }),
      toDecision: () => ({ rule: POST_RULE, atMs: SLOT_MS, outcome: 'fired', episode: 'p1', message: 'ada posted' }),
    })
  ).deliveries;
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
