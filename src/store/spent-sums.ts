import type { Kysely } from 'kysely';
import type { SpentSums } from '#src/operation/spending.ts';
import { chunks } from './chunks.ts';
import type { Tables } from './tables.ts';

/** What accounts have spent, and on which rows today, in the database: several processes add to one sum. */
export function createSpentSums(db: Kysely<Tables>): SpentSums {
  async function sumOf(account: string, month: string): Promise<number> {
    const rows = db.selectFrom('spent').select('micro_usd').where('account', '=', account).where('month', '=', month);
    return (await rows.executeTakeFirst())?.micro_usd ?? 0;
  }

  return {
    async add({ account, month, microUsd, most = Number.MAX_SAFE_INTEGER }) {
      await db
        .insertInto('spent')
        .values({ account, month, micro_usd: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      // One statement: nobody adds between the question and its answer.
      const added = await db
        .updateTable('spent')
        .set((eb) => ({ micro_usd: eb('micro_usd', '+', microUsd) }))
        .where('account', '=', account)
        .where('month', '=', month)
        .where((eb) => eb(eb('micro_usd', '+', microUsd), '<=', most))
        .returning('micro_usd')
        .executeTakeFirst();
      return added ? { added: true, sum: added.micro_usd } : { added: false, sum: await sumOf(account, month) };
    },
    sum: sumOf,

    async addRows({ account, day, rows }) {
      await db.deleteFrom('billed_row').where('account', '=', account).where('day', '<', day).execute();
      let added = 0;
      for (const some of chunks(rows)) {
        const values = some.map((row) => ({ account, day, row }));
        const fresh = db
          .insertInto('billed_row')
          .values(values)
          .onConflict((conflict) => conflict.doNothing());
        added += (await fresh.returning('row').execute()).length;
      }
      return added;
    },
  };
}
