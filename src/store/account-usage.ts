import { sql, type Kysely } from 'kysely';
import type { UsageStore } from '#src/admin/queries/usage-store.ts';
import type { OldRows } from './prepared.ts';
import type { Tables } from './tables.ts';

const MILLION = 1_000_000;
const DAY_MS = 24 * 60 * 60_000;

/** The use of accounts in the database. */
export function createUsageStore(db: Kysely<Tables>): UsageStore {
  return {
    async note(hours) {
      const rows = hours.map(({ account, hourMs, leastLeftRatio, spentUsd }) => ({
        account,
        hour_ms: hourMs,
        least_left_ppm: toMillionths(leastLeftRatio),
        spent_micro_usd: toMillionths(spentUsd),
      }));
      await db
        .insertInto('account_usage')
        // In one order, so that no two processes wait for each other's rows.
        .values(rows.toSorted((a, b) => (a.account < b.account ? -1 : 1)))
        // A comparison with null is not true, so a known value stays.
        .onConflict((conflict) =>
          conflict.columns(['account', 'hour_ms']).doUpdateSet({
            least_left_ppm: sql`case when account_usage.least_left_ppm <= excluded.least_left_ppm or excluded.least_left_ppm is null
              then account_usage.least_left_ppm else excluded.least_left_ppm end`,
            spent_micro_usd: sql`case when account_usage.spent_micro_usd >= excluded.spent_micro_usd or excluded.spent_micro_usd is null
              then account_usage.spent_micro_usd else excluded.spent_micro_usd end`,
          }),
        )
        .execute();
    },

    async days(account, sinceMs) {
      const day = sql<number>`hour_ms / ${sql.lit(DAY_MS)}`;
      const rows = await db
        .selectFrom('account_usage')
        .select([
          day.as('day'),
          sql<number | null>`min(least_left_ppm)`.as('least_left_ppm'),
          sql<number | null>`max(spent_micro_usd)`.as('spent_micro_usd'),
        ])
        .where('account', '=', account)
        .where('hour_ms', '>=', sinceMs)
        .groupBy(day)
        .orderBy(day)
        .execute();
      return rows.map((row) => ({
        dayMs: row.day * DAY_MS,
        leastLeftRatio: fromMillionths(row.least_left_ppm),
        spentUsd: fromMillionths(row.spent_micro_usd),
      }));
    },
  };
}

/** Deletes old hours. Resolves with their number. */
export async function dropUsage(db: Kysely<Tables>, { beforeMs, limit }: OldRows): Promise<number> {
  const old = db.selectFrom('account_usage').select(['account', 'hour_ms']).where('hour_ms', '<', beforeMs).limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('account_usage')
    .where((eb) => eb(eb.refTuple('account', 'hour_ms'), 'in', old.$asTuple('account', 'hour_ms')))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function toMillionths(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value * MILLION);
}

function fromMillionths(value: number | null): number | undefined {
  return value === null ? undefined : value / MILLION;
}
