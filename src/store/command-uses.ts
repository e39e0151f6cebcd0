import type { Kysely } from 'kysely';
import type { CommandUses } from '#src/clients/chat/chat.ts';
import type { Clock } from '#src/clock.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

/** How long Discord accepts the answer to a command. */
const ANSWERED_WITHIN_MS = 15 * 60_000;

/** The uses of slash commands that can be answered, in the database. Older ones are deleted with the next use, or within an hour. */
export function createCommandUses(db: Kysely<Tables>, clock: Pick<Clock, 'nowMs'>): CommandUses {
  return {
    async find(id) {
      const row = await db
        .selectFrom('command_use')
        .selectAll()
        .where('id', '=', id)
        .where('until_ms', '>', clock.nowMs())
        .executeTakeFirst();
      return row && { id, application: row.application, token: row.token, locale: row.locale };
    },

    keep: (use) =>
      inTransaction(db, async (trx) => {
        const nowMs = clock.nowMs();
        await dropExpiredUses(trx, nowMs);
        await trx
          .insertInto('command_use')
          .values({ ...use, until_ms: nowMs + ANSWERED_WITHIN_MS })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
      }),
  };
}

/** Deletes uses that Discord accepts no answer to. */
export async function dropExpiredUses(db: Kysely<Tables>, nowMs: number): Promise<void> {
  await db.deleteFrom('command_use').where('until_ms', '<=', nowMs).execute();
}
