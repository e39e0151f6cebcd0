import { sql, type Kysely, type SqlBool } from 'kysely';
import { lockRule } from './dialect.ts';
import { isOneOf } from './json-list.ts';
import { isOpen } from './delivery-needs.ts';
import { prepared } from './prepared.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

/** Retention period for the state of deleted rules. Within it, a rule can return or be renamed with `was`. */
const RETIRED_MS = 90 * 24 * 60 * 60_000;
/** The search reads all rule states, and nobody waits for its result. */
const EVERY_MS = 60 * 60_000;

/**
 * Creates the deletion of what is stored of rules that were deleted long ago. Their deliveries follow as those of other rules do. A rule with
 * an open or an unknown delivery stays.
 *
 * Each call deletes at most `limit` rows, and resolves with fewer than `limit` if nothing is left.
 */
export function createRetiredRules(db: Kysely<Tables>, limit: number): (nowMs: number) => Promise<number> {
  let nextMs = 0;
  return async (nowMs) => {
    if (nowMs < nextMs) return 0;
    const beforeMs = nowMs - RETIRED_MS;
    const [old] = (await findRetired(db, { beforeMs })).rows;
    if (old) {
      await dropSome(db, { rule: old.rule, beforeMs, limit });
      return limit;
    }
    nextMs = nowMs + EVERY_MS;
    return 0;
  };
}

/** Two queries, because the open and the unknown deliveries have an index each. */
const findRetired = prepared((db, { beforeMs }: { readonly beforeMs: number }) => {
  const open = db.selectFrom('delivery').select('delivery.rule').where(isOpen('delivery'));
  const unknown = db
    .selectFrom('delivery')
    .select('delivery.rule')
    .where(sql<SqlBool>`delivery.state = 'unknown'`);
  return db
    .selectFrom('rule_state')
    .select('rule')
    .where('retired_ms', '<', beforeMs)
    .where('rule', 'not in', open)
    .where('rule', 'not in', unknown)
    .limit(1);
});

interface Some {
  readonly rule: string;
  readonly beforeMs: number;
  readonly limit: number;
}

/** Deletes a chunk of episodes, then of decisions, and last the state, by which an interrupted deletion continues. */
async function dropSome(db: Kysely<Tables>, { rule, beforeMs, limit }: Some): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockRule(trx, rule);
    const state = trx.selectFrom('rule_state').select('rule').where('rule', '=', rule).where('retired_ms', '<', beforeMs);
    // The rule may have returned since it was found.
    if (!(await state.executeTakeFirst())) return;
    for (const [table, key] of [
      ['episode', 'id'],
      ['decision', 'seq'],
    ] as const) {
      const some = sql`select ${sql.ref(key)} from ${sql.table(table)} where rule = ${rule} limit ${limit}`;
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where rule = ${rule} and ${sql.ref(key)} in (${some})`.execute(trx);
      if (numAffectedRows > 0n) return;
    }
    for (const table of ['decision_count', 'paused_rule', 'planned_pause', 'rule_state'] as const)
      await trx.deleteFrom(table).where('rule', '=', rule).execute();
  });
}

/** Notes that deleted rules returned, so that their state stays even if they do not run for months. */
export async function noteReturned(db: Kysely<Tables>, rules: readonly string[]): Promise<void> {
  await db.updateTable('rule_state').set({ retired_ms: null }).where('retired_ms', 'is not', null).where(isOneOf('rule', rules)).execute();
}
