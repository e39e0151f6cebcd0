import type { Kysely } from 'kysely';
import type { OutageStore } from '#src/engine/outages.ts';
import type { Fault } from '#src/errors.ts';
import { fromText } from './columns.ts';
import type { Tables } from './tables.ts';

/** The outages of accounts, in the database. */
export function createOutages(db: Kysely<Tables>): OutageStore {
  return {
    async all() {
      const rows = await db.selectFrom('outage').selectAll().orderBy('since_ms').orderBy('account').execute();
      return rows.map(({ account, access, since_ms, seen_ms, fault, problem }) => ({
        account,
        access,
        sinceMs: since_ms,
        seenMs: seen_ms,
        fault: fault as Fault, // put() writes no other texts
        problem: fromText<string>(problem),
      }));
    },

    async put({ account, access, sinceMs, seenMs, fault, problem }) {
      const last = { seen_ms: seenMs, fault, problem: JSON.stringify(problem) };
      await db
        .insertInto('outage')
        .values({ account, access, since_ms: sinceMs, ...last })
        .onConflict((conflict) => conflict.columns(['account', 'access']).doUpdateSet(last))
        .execute();
    },

    async end({ account, access }) {
      await db.deleteFrom('outage').where('account', '=', account).where('access', '=', access).execute();
    },

    async drop(beforeMs) {
      await db.deleteFrom('outage').where('seen_ms', '<', beforeMs).execute();
    },
  };
}
