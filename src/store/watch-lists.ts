import type { Kysely } from 'kysely';
import type { WatchList } from '#src/social/providers.ts';
import type { Tables } from './tables.ts';

/** The watch lists of accounts, in the database. */
export function createWatchLists(db: Kysely<Tables>): (account: string) => WatchList {
  return (account) => ({
    async all() {
      const rows = await db
        .selectFrom('watched_user')
        .selectAll()
        .where('account', '=', account)
        .orderBy('since_ms')
        .orderBy('user')
        .execute();
      return rows.map(({ user, since_ms }) => ({ id: user, since: new Date(since_ms) }));
    },
    async add({ id, since }) {
      await db
        .insertInto('watched_user')
        .values({ account, user: id, since_ms: since.getTime() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async remove(id) {
      await db.deleteFrom('watched_user').where('account', '=', account).where('user', '=', id).execute();
    },
  });
}
