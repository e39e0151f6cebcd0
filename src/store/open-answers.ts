import type { Kysely } from 'kysely';
import type { OpenAnswer, OpenAnswers } from '#src/clients/assistant/conversation-state.ts';
import type { Tables } from './tables.ts';

/** Open answers in the database. */
export function createOpenAnswers(db: Kysely<Tables>): OpenAnswers {
  return {
    async keep({ id, channel, token = null, message = null, locale, askedAt }) {
      await db
        .insertInto('open_answer')
        .values({ id, channel, token, message, locale, asked_ms: askedAt.getTime() })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ message }))
        .execute();
    },

    async close(id) {
      await db.deleteFrom('open_answer').where('id', '=', id).execute();
    },

    async list() {
      const rows = await db.selectFrom('open_answer').selectAll().orderBy('asked_ms').execute();
      return rows.map(toOpenAnswer);
    },
  };
}

/** The record of a row. */
export function toOpenAnswer({ id, channel, token, message, locale, asked_ms }: Tables['open_answer']): OpenAnswer {
  return { id, channel, token: token ?? undefined, message: message ?? undefined, locale, askedAt: new Date(asked_ms) };
}
