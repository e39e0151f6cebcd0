import type { Kysely } from 'kysely';
import type { StandingMessages } from '#src/chat/standing-messages.ts';
import type { Tables } from './tables.ts';

/** Which message each standing one is, in the database. */
export function createStandingMessages(db: Kysely<Tables>): StandingMessages {
  return {
    async find(account, name) {
      const kept = db.selectFrom('standing_message').select('message').where('account', '=', account).where('name', '=', name);
      return (await kept.executeTakeFirst())?.message;
    },

    async keep(account, name, message) {
      await db
        .insertInto('standing_message')
        .values({ account, name, message })
        .onConflict((conflict) => conflict.columns(['account', 'name']).doUpdateSet((eb) => ({ message: eb.ref('excluded.message') })))
        .execute();
    },
  };
}
