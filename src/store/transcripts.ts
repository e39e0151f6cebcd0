import type { Kysely } from 'kysely';
import type { Transcripts } from '#src/assistant/transcript.ts';
import type { Tables } from './tables.ts';

/** The turns of conversations, in the database. */
export function createTranscripts(db: Kysely<Tables>): Transcripts {
  return {
    async append(conversation, { id, role, text, createdAt }) {
      await db
        .insertInto('transcript')
        .values({ conversation, id, role, text, created_ms: createdAt.getTime() })
        .onConflict((conflict) => conflict.columns(['conversation', 'id']).doNothing())
        .execute();
    },

    async read(conversation, { limit = Number.MAX_SAFE_INTEGER } = {}) {
      const newest = await db
        .selectFrom('transcript')
        .select(['id', 'role', 'text', 'created_ms'])
        .where('conversation', '=', conversation)
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute();
      return newest.toReversed().map(({ id, role, text, created_ms }) => ({ id, role, text, createdAt: new Date(created_ms) }));
    },

    async forget(conversation) {
      await db.deleteFrom('transcript').where('conversation', '=', conversation).execute();
    },
  };
}
