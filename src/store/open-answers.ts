import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** An answer of the assistant that is being made, and how to reach who waits for it should the program end meanwhile. */
export interface OpenAnswer {
  /** The id of the question. */
  readonly id: string;
  readonly channel: string;
  /** Gives access to the answer to a command; absent: a message was asked with. */
  readonly token?: string | undefined;
  /** The last message that was written for it. */
  readonly message?: string | undefined;
  /** The language of who asked. */
  readonly locale: string;
  readonly askedAt: Date;
}

/** The answers that are being made. */
export interface OpenAnswers {
  /** Writes one down, or how it stands now. */
  keep(answer: OpenAnswer): Promise<void>;
  close(id: string): Promise<void>;
  list(): Promise<readonly OpenAnswer[]>;
}

/** Those in the database. */
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
      return rows.map(({ id, channel, token, message, locale, asked_ms }) => ({
        id,
        channel,
        token: token ?? undefined,
        message: message ?? undefined,
        locale,
        askedAt: new Date(asked_ms),
      }));
    },
  };
}
