import type { Kysely } from 'kysely';
import type { MemberState, MemberStates } from '#src/clients/chat/chat.ts';
import type { Clock } from '#src/clock.ts';
import { fromText } from './columns.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

/** The states of members, in the database. A state that is no longer complete is deleted with the next write. */
export function createMemberStates(db: Kysely<Tables>, clock: Pick<Clock, 'nowMs'>): MemberStates {
  return {
    async find(server, kind) {
      const row = await db
        .selectFrom('member_state')
        .select('body')
        .where('server', '=', server)
        .where('kind', '=', kind)
        .where('until_ms', '>', clock.nowMs())
        .executeTakeFirst();
      return row && fromText<Readonly<Record<string, MemberState>>>(row.body);
    },

    keep: (server, kind, states, untilMs) =>
      inTransaction(db, async (trx) => {
        await trx.deleteFrom('member_state').where('until_ms', '<=', clock.nowMs()).execute();
        const row = { body: JSON.stringify(states), until_ms: untilMs };
        await trx
          .insertInto('member_state')
          .values({ server, kind, ...row })
          .onConflict((conflict) => conflict.columns(['server', 'kind']).doUpdateSet(row))
          .execute();
      }),

    async known() {
      const rows = await db.selectFrom('member_state').select(['server', 'kind']).where('until_ms', '>', clock.nowMs()).execute();
      return new Set(rows.map(({ server, kind }) => `${server} ${kind}`));
    },

    async forget(server, kind, untilMs) {
      const own = db.deleteFrom('member_state').where('server', '=', server).where('kind', '=', kind);
      await own.where('until_ms', '=', untilMs).execute();
    },
  };
}
