import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Selectable } from 'kysely';
import {
  NOTICE_CLAIM_MS,
  SERVER_ABILITIES,
  type ExpectedRoles,
  type Notice,
  type NoticeStore,
  type ServerSettings,
  type ServerStore,
} from '#src/admin/servers/server-store.ts';
import type { Clock } from '#src/clock.ts';
import { fromText, toDate, toText } from './columns.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

type Stored = Omit<ServerSettings, 'id' | 'name' | 'joinedAt' | 'leftAt'>;

const NOTHING: Stored = { roles: {} };

/** The servers of the bot, in the database. */
export function createServerStore(db: Kysely<Tables>, clock: Pick<Clock, 'nowMs'>): ServerStore {
  return {
    async list() {
      return (await db.selectFrom('discord_server').selectAll().orderBy('id').execute()).map(toSettings);
    },

    async find(id) {
      const row = await db.selectFrom('discord_server').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toSettings(row);
    },

    join: ({ id, name, joinedAt }) =>
      inTransaction(db, async (trx) => {
        const values = { name, joined_ms: joinedAt.getTime(), left_ms: null };
        const added = await trx
          .insertInto('discord_server')
          .values({ id, body: JSON.stringify(NOTHING), ...values })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (added) return true;
        const back = trx.updateTable('discord_server').set(values).where('id', '=', id).where('left_ms', 'is not', null);
        if ((await back.executeTakeFirstOrThrow()).numUpdatedRows > 0n) {
          await trx.deleteFrom('discord_notice').where('server', '=', id).execute();
          return true;
        }
        await trx.updateTable('discord_server').set({ name }).where('id', '=', id).where('name', '<>', name).execute();
        return false;
      }),

    change: (id, change, expected = {}) =>
      inTransaction(db, async (trx) => {
        // The empty change locks the row, so that two changes at once do not lose one.
        await trx.updateTable('discord_server').set({ id }).where('id', '=', id).execute();
        const row = await trx.selectFrom('discord_server').selectAll().where('id', '=', id).executeTakeFirst();
        if (!row) return undefined;
        const before = toSettings(row);
        if (!isExpected(before, expected)) return 'unexpected';
        const roles = Object.entries({ ...before.roles, ...change.roles }).filter(([, ids]) => ids.length > 0);
        const merged = Object.entries({ ...fromText<Stored>(row.body), ...change, roles: Object.fromEntries(roles) }).filter(
          ([, value]) => value !== '' && value !== undefined,
        );
        const body = toText(Object.fromEntries(merged)) ?? '';
        await trx.updateTable('discord_server').set({ body }).where('id', '=', id).execute();
        return { before, after: toSettings({ ...row, body }) };
      }),

    async leave(id) {
      const there = db.updateTable('discord_server').set({ left_ms: clock.nowMs() }).where('id', '=', id).where('left_ms', 'is', null);
      return (await there.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
    },

    removeLeft: (before) =>
      inTransaction(db, async (trx) => {
        const gone = trx.deleteFrom('discord_server').where('left_ms', '<=', before.getTime()).returning('id');
        const ids = (await gone.execute()).map(({ id }) => id).toSorted();
        for (const id of ids) await trx.deleteFrom('discord_notice').where('server', '=', id).execute();
        return ids;
      }),
  };
}

function isExpected({ pings = [], roles }: ServerSettings, expected: ExpectedRoles): boolean {
  if (expected.pings && !isDeepStrictEqual(pings, expected.pings)) return false;
  return SERVER_ABILITIES.every((each) => !expected.roles?.[each] || isDeepStrictEqual(roles[each] ?? [], expected.roles[each]));
}

/** The notices of servers, in the database. */
export function createNoticeStore(db: Kysely<Tables>, clock: Pick<Clock, 'nowMs'>): NoticeStore {
  return {
    async list(server) {
      const rows = await db.selectFrom('discord_notice').selectAll().where('server', '=', server).orderBy('key').execute();
      return rows.map(toNotice);
    },

    async startingWith(key) {
      const rows = await db
        .selectFrom('discord_notice')
        .selectAll()
        .where((eb) => eb(eb.fn<string>('substr', ['key', eb.val(1), eb.val(key.length)]), '=', key))
        .orderBy('server')
        .orderBy('key')
        .execute();
      return rows.map(toNotice);
    },

    async begin({ server, key, channel }) {
      const nowMs = clock.nowMs();
      const begun = await db
        .insertInto('discord_notice')
        .values({ server, key, channel, message: null, shown: '', at_ms: nowMs, begun_ms: nowMs })
        .onConflict((conflict) =>
          conflict
            .columns(['server', 'key'])
            .doUpdateSet({ channel, begun_ms: nowMs })
            .where('discord_notice.message', 'is', null)
            .where('discord_notice.begun_ms', '<=', nowMs - NOTICE_CLAIM_MS),
        )
        .returning('key')
        .executeTakeFirst();
      return begun !== undefined;
    },

    async keep({ server, key, channel, message, shown }) {
      await db.updateTable('discord_notice').set({ channel, message, shown }).where('server', '=', server).where('key', '=', key).execute();
    },

    async remove({ server, key }) {
      await db.deleteFrom('discord_notice').where('server', '=', server).where('key', '=', key).execute();
    },
  };
}

function toSettings({ id, name, body, joined_ms, left_ms }: Selectable<Tables['discord_server']>): ServerSettings {
  const leftAt = toDate(left_ms);
  return { ...fromText<Stored>(body), id, name, joinedAt: new Date(joined_ms), ...(leftAt && { leftAt }) };
}

function toNotice({ server, key, channel, message, shown, at_ms }: Selectable<Tables['discord_notice']>): Notice {
  return { server, key, channel, shown, at: new Date(at_ms), ...(message !== null && { message }) };
}
