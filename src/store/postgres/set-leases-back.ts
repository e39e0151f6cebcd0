import { sql, type Kysely } from 'kysely';
import { LEASE_MS as SHARD_LEASE_MS } from '#src/discord/gateway/shard-state.ts';
import { inTransaction } from '../transaction.ts';
import { LEASE_MS } from './lanes.ts';
import { NOW_MS } from './now.ts';
import type { SharedTables } from './shared-tables.ts';

/**
 * Moves what the processes share from the future to now, because the clock of the database was ahead. Otherwise, accounts, rules and gateways of
 * processes that ended wait until then, no process looks for the jobs of dead workers, and requests wait for their rate limits.
 *
 * Holders that are alive renew their leases.
 */
export async function setLeasesBack(db: Kysely<SharedTables>, jobsSchema: string): Promise<void> {
  const [now, job, queue] = [sql`${sql.id(jobsSchema)}.job_now()`, sql.id(jobsSchema, 'job'), sql.id(jobsSchema, 'queue')];
  const gateways = sql`select jsonb_object_agg(key, value || jsonb_build_object('untilMs', least((value ->> 'untilMs')::bigint, ${NOW_MS} + ${SHARD_LEASE_MS})))
    from jsonb_each(state -> 'gateways')`;
  for (const statement of [
    sql`update lane set until_ms = ${NOW_MS} + ${LEASE_MS} where until_ms > ${NOW_MS} + ${LEASE_MS}`,
    sql`update worker set seen_ms = ${NOW_MS} where seen_ms > ${NOW_MS}`,
    sql`update agenda set batched_ms = ${NOW_MS} where batched_ms > ${NOW_MS}`,
    sql`update ${job} set heartbeat_on = ${now} where state = 'active' and heartbeat_on > ${now}`,
    sql`update ${job} set start_after = ${now} where name = 'slots' and state < 'active' and start_after > ${now}`,
    sql`update ${queue} set monitor_claim_on = null, monitor_on = null where coalesce(monitor_claim_on, monitor_on) > ${now}`,
    sql`update shard_state set version = version + 1,
      state = state || jsonb_build_object('identifyFromMs', '{}'::jsonb, 'gateways', coalesce((${gateways}), '{}'::jsonb))`,
  ])
    await inTransaction(db, (trx) => statement.execute(trx));
  // The next responses describe the limits again. Without the lock, a window that a process adds now would stay without its budget.
  await inTransaction(db, async (trx) => {
    await sql`lock table rate_budget in exclusive mode`.execute(trx);
    await sql`delete from rate_window`.execute(trx);
    await sql`delete from rate_budget`.execute(trx);
  });
}
