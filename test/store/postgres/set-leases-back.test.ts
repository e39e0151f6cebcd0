import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createShardLeases } from '#src/discord/gateway/shard-leases.ts';
import { LEASE_MS } from '#src/discord/gateway/shard-state.ts';
import { createSharedAgenda } from '#src/store/postgres/agenda.ts';
import { createRateBudgets } from '#src/store/postgres/rate-budgets.ts';
import { setLeasesBack } from '#src/store/postgres/set-leases-back.ts';
import { createShardTable } from '#src/store/postgres/shard-table.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { makeRule } from '../../support/rules.ts';
import { startTwoProcesses } from './timed-database.ts';

const AHEAD_MS = 7_200_000;
const SOON = { interval: 3 };

const { database, one, two, ending, awaitEnd, gate } = await startTwoProcesses();

const setBack = () => setLeasesBack(two.db, database.jobsSchema);

test('the rules of a worker that died while the clock was ahead run soon after it is right', async () => {
  const agendaOf = (process: typeof one) => createSharedAgenda({ ...process, jobsSchema: database.jobsSchema, wasDown: false });
  const ran: string[] = [];
  const { promise: hanging } = gate();
  const work = (process: typeof one, run: () => Promise<void>) =>
    awaitEnd(
      agendaOf(process).work(async ({ slots }) => {
        ran.push(`${process.worker} ${slots.map(({ rule }) => rule).join()}`);
        await run();
      }, ending()),
    );
  const entry = {
    schedule: { everyMs: 60_000 },
    sinceMs: 0,
    lastMs: 0,
    doneMs: 0,
    nextMs: 0,
    extra: undefined,
    wakeMs: undefined,
    backoffMs: 0,
  };
  await database.advance(AHEAD_MS, one);
  await agendaOf(one).put([makeRule({ id: 'live' })], () => entry);
  work(one, () => hanging);
  await agendaOf(one).distribute(SLOT_MS, () => ({ entry, slot: { slotMs: SLOT_MS, woken: false } }));
  await expect.poll(() => ran, SOON).toEqual(['one live']);
  await sql`update ${sql.id(database.jobsSchema, 'queue')} set monitor_claim_on = to_timestamp(${database.nowMs() / 1_000})`.execute(
    one.db,
  );

  await database.advance(-AHEAD_MS);
  await setBack();
  const { rows } =
    await sql`select 1 from ${sql.id(database.jobsSchema, 'queue')} where monitor_claim_on > ${sql.id(database.jobsSchema)}.job_now()`.execute(
      two.db,
    );
  await database.advance(10_001, two);
  await database.supervise();
  work(two, () => Promise.resolve());

  expect(rows).toEqual([]);
  await expect.poll(async () => (await two.clock.advance(100), ran), SOON).toEqual(['one live', 'two live']);
});

test('a shard identifies at once, and the shards of a gateway that died are taken when its lease ends', async () => {
  const leases = (process: typeof one, gateway: string) =>
    createShardLeases({ table: createShardTable(process.store.db), gateway, count: 1, maxConcurrency: 1, clock: process.clock });
  await database.advance(AHEAD_MS, one);
  const dead = leases(one, 'dead');
  await dead.renew([]);
  await dead.identify(0, ending());

  await database.advance(-AHEAD_MS);
  await setBack();
  const next = leases(two, 'next');
  const before = await next.renew([]);
  await database.advance(LEASE_MS, two);

  expect([before, await next.renew([])]).toEqual([[], [{ id: 0, count: 1 }]]);
  await next.identify(0, ending());
});

test('requests do not wait for rate limits of the time ahead', async () => {
  const budgets = createRateBudgets(one.store.db, 'x');
  const take = () => budgets.take({ budgets: ['app'], points: 1, pace: { perSecond: 1, burst: 5 } });
  await take();
  await sql`update rate_budget set full_at_ms = full_at_ms + ${AHEAD_MS}, period = period + ${AHEAD_MS / 300_000}`.execute(one.db);
  const before = await take();

  await setBack();

  expect([before, await take()]).toEqual([{ waitMs: expect.any(Number) }, expect.not.objectContaining({ waitMs: expect.any(Number) })]);
});
