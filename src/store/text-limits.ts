import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** How long a post may be on servers that state it, by their addresses: for commands that work offline. */
export interface StatedLimits {
  all(): Promise<ReadonlyMap<string, number>>;
  keep(server: string, most: number): Promise<void>;
}

/** The limits in the database. */
export function createStatedLimits(db: Kysely<Tables>): StatedLimits {
  return {
    async all() {
      const rows = await db.selectFrom('text_limit').select(['server', 'most']).execute();
      return new Map(rows.map(({ server, most }) => [server, most]));
    },
    async keep(server, most) {
      const row = { server, most };
      await db
        .insertInto('text_limit')
        .values(row)
        .onConflict((conflict) => conflict.column('server').doUpdateSet(row))
        .execute();
    },
  };
}
