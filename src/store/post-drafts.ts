import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { StoredDraft, StoredPostDrafts } from '#src/engine/posting/posts.ts';
import { fromText } from './columns.ts';
import { NO_LIMIT } from './listing.ts';
import type { Tables } from './tables.ts';
import { inTransaction } from './transaction.ts';

const LIFE_MS = 24 * 60 * 60_000;
/** The number of open drafts of one person. */
const MOST_OF_ONE = 50;

/** Drafts of posts in the database. */
export function createPostDrafts(db: Kysely<Tables>, clock: Clock): StoredPostDrafts {
  const alive = () =>
    db
      .selectFrom('post_draft')
      .select(['id', 'owner', 'body'])
      .where('kept_ms', '>', clock.nowMs() - LIFE_MS);
  return {
    async keep({ id, owner, body }) {
      const columns = { owner, body: JSON.stringify(body), kept_ms: clock.nowMs() };
      await inTransaction(db, async (trx) => {
        await trx
          .insertInto('post_draft')
          .values({ id, ...columns })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
          .execute();
        await dropExpiredPostDrafts(trx, clock.nowMs());
        const tooMany = trx.selectFrom('post_draft').select('id').where('owner', '=', owner).orderBy('kept_ms', 'desc');
        await trx.deleteFrom('post_draft').where('id', 'in', tooMany.limit(NO_LIMIT).offset(MOST_OF_ONE)).execute();
      });
    },

    async find(id) {
      const row = await alive().where('id', '=', id).executeTakeFirst();
      return row && toDraft(row);
    },

    async drop(id) {
      return (await db.deleteFrom('post_draft').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n;
    },

    all: async () => (await alive().execute()).map(toDraft),
  };
}

/** Deletes drafts that were not sent in time. */
export async function dropExpiredPostDrafts(db: Kysely<Tables>, nowMs: number): Promise<void> {
  await db
    .deleteFrom('post_draft')
    .where('kept_ms', '<=', nowMs - LIFE_MS)
    .execute();
}

function toDraft({ id, owner, body }: Pick<Selectable<Tables['post_draft']>, 'id' | 'owner' | 'body'>): StoredDraft {
  return { id, owner, body: fromText(body) };
}
