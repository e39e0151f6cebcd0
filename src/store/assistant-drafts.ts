import { sql, type Kysely, type Selectable } from 'kysely';
import type { Draft, StoredDrafts } from '#src/clients/assistant/drafts.ts';
import type { Clock } from '#src/clock.ts';
import { fromText } from './columns.ts';
import { NO_LIMIT } from './listing.ts';
import type { Tables } from './tables.ts';

/** The time to decide about a draft. */
const KEPT_MS = 7 * 24 * 60 * 60_000;
/** The number of drafts that are kept. */
const MOST_DRAFTS = 1_000;
/** The number of open drafts of one person. Older ones are deleted. */
const MOST_OPEN = 20;

export function createAssistantDrafts(db: Kysely<Tables>, clock: Clock): StoredDrafts {
  const firstKeptMs = (): number => clock.nowMs() - KEPT_MS;

  async function keepBounds(by: string | undefined): Promise<void> {
    await dropExpiredDrafts(db, clock.nowMs());
    const tooMany = db.selectFrom('draft').select('id').orderBy('made_ms', 'desc').orderBy('id').limit(NO_LIMIT).offset(MOST_DRAFTS);
    await db.deleteFrom('draft').where('id', 'in', tooMany).execute();
    const theirs = db
      .selectFrom('draft')
      .select('id')
      .where('state', '=', sql.lit('open'))
      .where('asker', by === undefined ? 'is' : '=', by ?? null)
      .orderBy('made_ms', 'desc')
      .orderBy('id')
      .limit(NO_LIMIT)
      .offset(MOST_OPEN);
    await db.deleteFrom('draft').where('id', 'in', theirs).execute();
  }

  return {
    async add({ id, content, by, conversation, state, madeAt }) {
      await db
        .insertInto('draft')
        .values({
          id,
          content: JSON.stringify(content),
          asker: by ?? null,
          conversation,
          state,
          made_ms: madeAt.getTime(),
          decided_by: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await keepBounds(by);
    },

    async find(id) {
      const query = db.selectFrom('draft').selectAll().where('id', '=', id).where('made_ms', '>=', firstKeptMs());
      const row = await query.executeTakeFirst();
      return row && toDraft(row);
    },

    async decide(id, { state, by }) {
      // The action of an approval comes before its record, and another process may drop the draft in between.
      const before = state === 'approved' ? (['open', 'dropped'] as const) : (['open'] as const);
      const query = db.updateTable('draft').set({ state, decided_by: by }).where('id', '=', id).where('state', 'in', before);
      return (await query.executeTakeFirst()).numUpdatedRows > 0n;
    },

    async forget(conversation) {
      await db.deleteFrom('draft').where('conversation', '=', conversation).execute();
    },
  };
}

/** Deletes drafts whose time is over. */
export async function dropExpiredDrafts(db: Kysely<Tables>, nowMs: number): Promise<void> {
  await db
    .deleteFrom('draft')
    .where('made_ms', '<', nowMs - KEPT_MS)
    .execute();
}

function toDraft(row: Selectable<Tables['draft']>): Draft {
  return {
    id: row.id,
    content: fromText<Draft['content']>(row.content),
    by: row.asker ?? undefined,
    conversation: row.conversation,
    state: row.state,
    madeAt: new Date(row.made_ms),
    decidedBy: row.decided_by ?? undefined,
  };
}
