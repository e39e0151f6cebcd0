import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { SavedViews } from '#src/admin/queries/saved-views.ts';
import type { Tables } from './tables.ts';

const MOST_AGE_MS = 30 * 24 * 60 * 60_000;
const MOST = 5_000;
/** 96 bits in base64url. */
const ID_LENGTH = 16;

/** Saved views in the database. */
export function createSavedViews(db: Kysely<Tables>, clock: Clock): SavedViews {
  return {
    async keep({ command, options }) {
      const id = hash('sha256', JSON.stringify([command, options]), 'base64url').slice(0, ID_LENGTH);
      const nowMs = clock.nowMs();
      await db
        .insertInto('saved_view')
        .values({ id, command, options, made_ms: nowMs })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ made_ms: nowMs }))
        .execute();
      await dropOldViews(db, nowMs);
      return id;
    },

    find: (id) =>
      db
        .selectFrom('saved_view')
        .select(['command', 'options'])
        .where('id', '=', id)
        .where('made_ms', '>', clock.nowMs() - MOST_AGE_MS)
        .executeTakeFirst(),
  };
}

/** Deletes views that were not used for a long time. */
export async function dropOldViews(db: Kysely<Tables>, nowMs: number): Promise<void> {
  const first = await db.selectFrom('saved_view').select('made_ms').orderBy('made_ms', 'desc').offset(MOST).limit(1).executeTakeFirst();
  await db
    .deleteFrom('saved_view')
    .where('made_ms', '<=', Math.max(nowMs - MOST_AGE_MS, first?.made_ms ?? 0))
    .execute();
}
