import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { KeptDraft, KeptDrafts } from '#src/outbox/posts.ts';
import { fromText } from './columns.ts';
import type { Tables } from './tables.ts';

const LIFE_MS = 24 * 60 * 60_000;
/** So many one person can have open at once. */
const MOST_OF_ONE = 50;

/** What people write and have not sent, in the database. */
export function createPostDrafts(db: Kysely<Tables>, clock: Clock): KeptDrafts {
  const alive = () =>
    db
      .selectFrom('post_draft')
      .select(['id', 'owner', 'body'])
      .where('kept_ms', '>', clock.nowMs() - LIFE_MS);
  return {
    async keep({ id, owner, body }) {
      const columns = { owner, body: JSON.stringify(body), kept_ms: clock.nowMs() };
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('post_draft')
          .values({ id, ...columns })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
          .execute();
        await trx
          .deleteFrom('post_draft')
          .where('kept_ms', '<=', clock.nowMs() - LIFE_MS)
          .execute();
        const tooMany = trx.selectFrom('post_draft').select('id').where('owner', '=', owner).orderBy('kept_ms', 'desc');
        await trx.deleteFrom('post_draft').where('id', 'in', tooMany.limit(1_000_000).offset(MOST_OF_ONE)).execute();
      });
    },

    async find(id) {
      const row = await alive().where('id', '=', id).executeTakeFirst();
      return row && toDraft(row);
    },

    async drop(id) {
      await db.deleteFrom('post_draft').where('id', '=', id).execute();
    },

    all: async () => (await alive().execute()).map(toDraft),
  };
}

function toDraft({ id, owner, body }: Pick<Selectable<Tables['post_draft']>, 'id' | 'owner' | 'body'>): KeptDraft {
  return { id, owner, body: fromText(body) };
}
