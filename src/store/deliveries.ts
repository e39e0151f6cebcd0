import { sql, type Kysely } from 'kysely';
import type { Deliveries } from '#src/outbox/deliveries.ts';
import type { JsonObject } from '#src/operation/json.ts';
import { CLOCK_WRONG_MS } from '#src/operation/lost-among.ts';
import { fromOptionalText } from './columns.ts';
import { DELIVERY_COLUMNS, toColumns, toDelivery } from './delivery-row.ts';
import { findDue, isOpen } from './due.ts';
import { foresee } from './foresee.ts';
import { insertParts } from './parts.ts';
import { prepare } from './prepare.ts';
import type { SoleHolder } from './sqlite/sole-holder.ts';
import type { Tables } from './tables.ts';

/** An adapter looks back as far as a clock may be wrong, and by the clock of its platform, from which that of this machine may differ by as much. */
const LOOKED_BACK_MS = 2 * CLOCK_WRONG_MS;

/** What the outbox works on, in the database. */
export function createDeliveries(db: Kysely<Tables>, sender: Pick<SoleHolder, 'claim'>): Deliveries {
  const deliveries = db.selectFrom('delivery').select(DELIVERY_COLUMNS);
  return {
    claim: (options) => sender.claim(options),

    async accounts() {
      const rows = await db.selectFrom('delivery').select('account').distinct().where(isOpen('delivery')).execute();
      return rows.map(({ account }) => account);
    },

    async find(id) {
      const row = await deliveries.where('id', '=', id).executeTakeFirst();
      return row && toDelivery(row);
    },

    async begun(account) {
      const begun = deliveries.where(isOpen('delivery')).where('account', '=', account).where('state', '=', 'sending');
      return (await begun.orderBy('turn').orderBy('part').execute()).map(toDelivery);
    },

    async due(account, options) {
      return (await findDue(db, account, options)).map(toDelivery);
    },

    async nextDueMs(account, nowMs) {
      const row = await db
        .selectFrom('delivery')
        .select(({ fn }) => fn.min('due_ms').as('next_ms'))
        .where(isOpen('delivery'))
        .where('account', '=', account)
        .where('due_ms', '>', nowMs)
        .executeTakeFirst();
      return row?.next_ms ?? undefined;
    },

    async retryRefused({ nowMs, account }) {
      const refused = db
        .updateTable('delivery')
        .set({ due_ms: nowMs })
        .where(isOpen('delivery'))
        .where('state', 'in', ['pending', 'sending'])
        .where('fault', '=', 'unauthorized')
        .where('due_ms', '>', nowMs);
      await (account === undefined ? refused : refused.where('account', '=', account)).execute();
    },

    prepare: (delivery) => prepare(db, delivery),
    foresee: (firing) => foresee(db, firing),

    async lastSent({ id, rule, episode, section, step, account, element }) {
      const last = await db
        .selectFrom('delivery')
        .select(['state', 'params'])
        .where((eb) => eb.and({ rule, episode, section, step, account }))
        // A list that was withdrawn before it was worked out speaks for each of its elements.
        .where('element', 'in', [element ?? '', ''])
        // One that is not committed comes after all that are.
        .where('seq', '<', sql<number>`coalesce((select own.seq from delivery as own where own.id = ${id}), ${Number.MAX_SAFE_INTEGER})`)
        // One that had to be sent in any case and was not leaves that to the next.
        .where((eb) => eb.or([eb('since_ms', 'is not', null), eb('afresh', '=', 1)]))
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst();
      return last?.state === 'sent' ? fromOptionalText<JsonObject>(last.params) : undefined;
    },

    async knowsGone({ rule, episode, account, do: verb }, message) {
      const row = await db
        .selectFrom('delivery')
        .select('id')
        .where((eb) => eb.and({ rule, episode, account, verb, state: 'failed', fault: 'missing' }))
        .where(sql<string>`params ->> '$.message'`, '=', message)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async taken({ id, account, since }) {
      const rows = await db
        .selectFrom('delivery')
        .select('record')
        .where('account', '=', account)
        .where('record', 'is not', null)
        .where('sent_ms', '>=', (since?.getTime() ?? 0) - LOOKED_BACK_MS)
        .where('id', '!=', id)
        .execute();
      return new Set(rows.flatMap(({ record }) => record ?? []));
    },

    async change(delivery, change, parts = []) {
      return db.transaction().execute(async (trx) => {
        const { numUpdatedRows: updated } = await trx
          .updateTable('delivery')
          .set(toColumns(change))
          .where('id', '=', delivery.id)
          .where('state', '=', delivery.state)
          // Withdrawn and decided again in the meantime, it is another one under the same key.
          .where('firing', '=', delivery.firing)
          .executeTakeFirstOrThrow();
        if (updated === 0n) return undefined;
        if (parts.length > 0) await insertParts(trx, delivery, parts);
        // What the reason before was made from goes with it.
        return { ...delivery, ...('reason' in change && { why: undefined }), ...change };
      });
    },
  };
}
