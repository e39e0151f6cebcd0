import type { Kysely } from 'kysely';
import type { StandingMessages } from '#src/clients/chat/chat.ts';
import { WantedStatus, type StatusStore } from '#src/clients/chat/wanted-status.ts';
import type { Tables } from './tables.ts';
import type { WatchList } from '#src/clients/social/providers.ts';
import type { SpentSums } from '#src/clients/operation/spending.ts';
import { chunks } from './columns.ts';

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

/** No account and no message has an empty name, so this row is free for the status of the bot. */
const STATUS_ROW = { account: '', name: '' } as const;

/** The status of the bot, in the table of standing messages: it stands too, and needs no table of one row. */
export function createBotStatus(messages: StandingMessages): StatusStore {
  const { account, name } = STATUS_ROW;
  return {
    async find() {
      const json = await messages.find(account, name);
      return json === undefined ? undefined : WantedStatus.safeParse(JSON.parse(json)).data;
    },
    keep: (status) => messages.keep(account, name, JSON.stringify(status)),
  };
}

export function createWatchLists(db: Kysely<Tables>): (account: string) => WatchList {
  return (account) => ({
    async all() {
      const rows = await db
        .selectFrom('watched_user')
        .selectAll()
        .where('account', '=', account)
        .orderBy('since_ms')
        .orderBy('user')
        .execute();
      return rows.map(({ user, since_ms }) => ({ id: user, since: new Date(since_ms) }));
    },
    async add({ id, since }) {
      await db
        .insertInto('watched_user')
        .values({ account, user: id, since_ms: since.getTime() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async remove(id) {
      await db.deleteFrom('watched_user').where('account', '=', account).where('user', '=', id).execute();
    },
  });
}

/** The spending and the billed rows of accounts. Several processes add to one sum. */
export function createSpentSums(db: Kysely<Tables>): SpentSums {
  async function sumOf(account: string, month: string): Promise<number> {
    const rows = db.selectFrom('spent').select('micro_usd').where('account', '=', account).where('month', '=', month);
    return (await rows.executeTakeFirst())?.micro_usd ?? 0;
  }

  return {
    async add({ account, month, microUsd, most = Number.MAX_SAFE_INTEGER }) {
      await db
        .insertInto('spent')
        .values({ account, month, micro_usd: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      // One statement checks and adds, so no other process adds in between.
      const added = await db
        .updateTable('spent')
        .set((eb) => ({ micro_usd: eb('micro_usd', '+', microUsd) }))
        .where('account', '=', account)
        .where('month', '=', month)
        .where((eb) => eb(eb('micro_usd', '+', microUsd), '<=', most))
        .returning('micro_usd')
        .executeTakeFirst();
      return added ? { added: true, sum: added.micro_usd } : { added: false, sum: await sumOf(account, month) };
    },
    sum: sumOf,

    async addRows({ account, day, rows }) {
      await db.deleteFrom('billed_row').where('account', '=', account).where('day', '<', day).execute();
      let added = 0;
      // In one order, so that no two processes wait for each other's rows.
      for (const some of chunks(rows.toSorted())) {
        const values = some.map((row) => ({ account, day, row }));
        const fresh = db
          .insertInto('billed_row')
          .values(values)
          .onConflict((conflict) => conflict.doNothing());
        added += (await fresh.returning('row').execute()).length;
      }
      return added;
    },
  };
}

/** The length limits that servers stated, by address, for commands that work offline. */
export interface StatedLimits {
  all(): Promise<ReadonlyMap<string, number>>;
  keep(server: string, most: number): Promise<void>;
}

/** The limits in the database. */
export function createStatedLimits(db: Kysely<Tables>): StatedLimits {
  return {
    async all() {
      const rows = await db.selectFrom('text_limit').select(['server', 'most']).execute();
      return new Map(rows.map(({ server, most }) => [server, most]));
    },
    async keep(server, most) {
      const row = { server, most };
      await db
        .insertInto('text_limit')
        .values(row)
        .onConflict((conflict) => conflict.column('server').doUpdateSet(row))
        .execute();
    },
  };
}
