import type { Kysely } from 'kysely';
import type { SpentSums } from '#src/operation/spending.ts';
import type { Tables } from './tables.ts';

/** What accounts have spent, in the database: several processes add to one sum. */
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
  };
}
