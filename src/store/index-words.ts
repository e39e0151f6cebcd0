import { sql, type Kysely } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Tables } from './tables.ts';

/** The deliveries in one transaction, which takes some milliseconds. */
export const INDEXED_AT_ONCE = 500;

/** Renews the entries of some deliveries in the index of words. Resolves with their number. PostgreSQL keeps its index itself. */
export async function indexWords(db: Kysely<Tables>, limit = INDEXED_AT_ONCE): Promise<number> {
  if (isPostgres(db)) return 0;
  return db.transaction().execute(async (trx) => {
    const first = sql`select seq from unindexed_delivery order by seq limit ${limit}`;
    const { rows } = await sql<{ readonly count: number; readonly last: number | null }>`
      select count(*) as count, max(seq) as last from (${first})`.execute(trx);
    const [{ count, last } = { count: 0, last: null }] = rows;
    if (last === null) return 0;
    const some = sql`select seq from unindexed_delivery where seq <= ${last}`;
    await sql`delete from delivery_words where rowid in (${some})`.execute(trx);
    await sql`insert into delivery_words (rowid, words)
      select seq, words from delivery where seq in (${some}) and words is not null order by seq`.execute(trx);
    await sql`delete from unindexed_delivery where seq <= ${last}`.execute(trx);
    return count;
  });
}
