import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely';
import { LOOKED_BACK_MS, type DeliveryRows } from '#src/delivery/delivery-rows.ts';
import { withOrdering, type DeliveryStore } from '#src/delivery/delivery-store.ts';
import { isSettled, type Delivery } from '#src/delivery/delivery.ts';
import type { OpenDelivery } from '#src/delivery/ordering.ts';
import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Element } from '#src/rules/element.ts';
import { changeDelivery } from './change-delivery.ts';
import { fromOptionalText, fromText } from './columns.ts';
import { compileOnce } from './compiled-query.ts';
import { dependentsOf, isOpen, waitingNeeds } from './delivery-needs.ts';
import { DELIVERY_COLUMNS, ORDER_COLUMNS, SEEN_COLUMNS, toDelivery, toNeedState, toOpenDelivery, toSeen } from './delivery-row.ts';
import { lockRule } from './dialect.ts';
import { groupCommit, type Write } from './group-commit.ts';
import { isOneOf } from './json-list.ts';
import { dependentAccounts, type LaneJobs } from './lane-jobs.ts';
import { insertParts } from './parts.ts';
import { isCollision } from './postgres/database-error.ts';
import type { ProcessLock } from './process-lock.ts';
import { reopenDelivery } from './reopen-delivery.ts';
import type { Tables } from './tables.ts';
import { inTransaction } from './transaction.ts';

export interface DeliveriesOptions {
  readonly db: Kysely<Tables>;
  readonly sender: Pick<ProcessLock, 'claim'>;
  readonly write?: Write | undefined;
  readonly laneJobs?: LaneJobs | undefined;
}

/** The deliveries in the database. */
export function createDeliveries(options: DeliveriesOptions): DeliveryStore {
  return withOrdering(createRows(options));
}

function createRows({ db, sender, write = groupCommit(db), laneJobs }: DeliveriesOptions): DeliveryRows {
  const deliveries = db.selectFrom('delivery').select(DELIVERY_COLUMNS);
  const load = compileOnce(db, () => deliveries.where(isOneOf('id', [])));
  const due = db.selectFrom('delivery').select(ORDER_COLUMNS).where('account', '=', '').where('due_ms', '<=', 0);
  const begunDue = compileOnce(db, () => due.where(IS_SENDING).orderBy('turn').orderBy('part').limit(0));
  const notBegunDue = compileOnce(db, () =>
    due
      .where(isOpen('delivery'))
      .where('state', '!=', 'sending')
      // The range selects the index, so that SQLite does not sort.
      .where(isBehind({ order: 0, part: 0 }))
      .where((eb) => eb.or([eb('state', '!=', 'pending'), eb('expires_ms', '<', 0), eb.not(isOneOf('queue', []))]))
      .orderBy('turn')
      .orderBy('part')
      .limit(0),
  );
  const needs = compileOnce(db, () =>
    db
      .selectFrom('need')
      .innerJoin('delivery', 'delivery.id', 'need.needed')
      .select(['need.delivery', 'need.needed', 'need.reads', 'need.stops', 'delivery.state', 'delivery.settled_ms'])
      .where(isOneOf('need.delivery', [])),
  );
  const behind = compileOnce(db, () =>
    db
      .selectFrom('delivery')
      .select('id')
      .where(isOneOf('id', []))
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('delivery as ahead')
            .select('ahead.seq')
            .where(sql<SqlBool>`ahead.state in ('pending', 'sending')`)
            .whereRef('ahead.account', '=', 'delivery.account')
            .whereRef('ahead.queue', '=', 'delivery.queue')
            .where(sql<SqlBool>`(ahead.turn, ahead.part) < (delivery.turn, delivery.part)`),
        ),
      ),
  );
  const plan = compileOnce(db, () =>
    db
      .selectFrom('delivery')
      .innerJoin('firing', 'firing.id', 'delivery.firing')
      .select(['plan', 'it', 'scope', (eb) => eb.fn.coalesce('delivery.names', 'firing.names').as('names'), isEpisodeOpen.as('is_open')])
      .select(hasNeeds.as('has_needs'))
      .where('delivery.id', '=', ''),
  );
  const needed = compileOnce(db, () =>
    db
      .selectFrom('need')
      .innerJoin('delivery', 'delivery.id', 'need.needed')
      .select([...SEEN_COLUMNS.map((column) => `delivery.${column}` as const), 'need.reads', 'need.stops'])
      .where('need.delivery', '=', '')
      .orderBy('delivery.turn')
      .orderBy('delivery.part'),
  );
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

    load: async (ids) => (await load(JSON.stringify(ids))).map(toDelivery),

    async begun(account) {
      const begun = deliveries.where(IS_SENDING).where('account', '=', account);
      return (await begun.orderBy('turn').orderBy('part').execute()).map(toDelivery);
    },

    async candidates(account, { nowMs, after, heldQueues, limit }) {
      const begun = after ? [] : await begunDue(account, nowMs, limit);
      const left = limit - begun.length;
      const { order, part } = after ?? { order: 0, part: 0 };
      const others =
        left > 0 ? await notBegunDue(account, nowMs, 'sending', order, part, 'pending', nowMs, JSON.stringify(heldQueues), left) : [];
      return [...begun, ...others].map(toOpenDelivery);
    },

    async ahead({ account, queue, order, part }, { after, limit }) {
      let ahead = db
        .selectFrom('delivery')
        .select(ORDER_COLUMNS)
        .where(sql<SqlBool>`state in ('pending', 'sending')`)
        .where('account', '=', account)
        .where('queue', '=', queue)
        .where(sql<SqlBool>`(turn, part) < (${order}, ${part})`);
      if (after) ahead = ahead.where(isBehind(after));
      return (await ahead.orderBy('turn').orderBy('part').limit(limit).execute()).map(toOpenDelivery);
    },

    needs: async (ids) => (await needs(JSON.stringify(ids))).map(toNeedState),
    behind: async (ids) => new Set((await behind(JSON.stringify(ids))).map(({ id }) => id)),
    waitingNeeds: () => waitingNeeds(db),
    dependents: (ids) => dependentsOf(db, ids),

    async plan({ id, element: key }) {
      const [row] = await plan(id);
      if (!row) throw new Error(`there is no delivery ${id}`);
      const { it, scope, names, is_open, has_needs } = row;
      if (scope === null) return undefined;
      const element = key === undefined || it === null ? undefined : { key, ...fromText<Omit<Element, 'key'>>(it) };
      const facts = { isEpisodeOpen: is_open !== null, hasNeeds: has_needs !== null };
      return { step: fromText(row.plan), scope: fromText(scope), names: fromText(names), element, ...facts };
    },

    needed: async (id) => (await needed(id)).map((row) => ({ ...toSeen(row), reads: row.reads === 1, stops: row.stops === 1 })),

    async ofFirings(firings) {
      if (firings.length === 0) return [];
      const rows = await db
        .selectFrom('delivery')
        .select(SEEN_COLUMNS)
        .where('firing', 'in', firings)
        .orderBy('turn')
        .orderBy('part')
        .execute();
      return rows.map(toSeen);
    },

    async hasOpen({ rule, episode, section }) {
      const open = db
        .selectFrom('delivery')
        .select('id')
        .where((eb) => eb.and({ rule, episode, section }));
      return (await open.where(isOpen('delivery')).limit(1).executeTakeFirst()) !== undefined;
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

    async lastSent({ id, rule, episode, section, step, account, element }) {
      const last = await db
        .selectFrom('delivery')
        .select(['state', 'params', 'result'])
        .where((eb) => eb.and({ rule, episode, section, step, account }))
        // A list that was withdrawn before it was rendered counts for each of its elements.
        .where('element', 'in', [element ?? '', ''])
        // A delivery that is not committed comes after all committed deliveries.
        .where('seq', '<', sql<number>`coalesce((select own.seq from delivery as own where own.id = ${id}), ${Number.MAX_SAFE_INTEGER})`)
        // A delivery that had to be sent in any case, and was not, leaves that to the next one.
        .where((eb) => eb.or([eb('since_ms', 'is not', null), eb('afresh', '=', 1)]))
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (last?.state !== 'sent') return undefined;
      return { params: fromOptionalText<JsonObject>(last.params), result: fromOptionalText<Json>(last.result) };
    },

    async isKnownMissing({ rule, episode, account, do: verb }, message) {
      const row = await db
        .selectFrom('delivery')
        .select('id')
        .where((eb) => eb.and({ rule, episode, account, verb, state: 'failed', fault: 'missing' }))
        .where('params_message', '=', message)
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

    async change(delivery, change, { parts = [], lease } = {}) {
      // A new reason replaces the data of the one before.
      const after = { ...delivery, ...('message' in change && { reason: undefined }), ...change };
      const mayFree = isSettled(after) || after.state === 'asked';
      // Most changes in a lane concern no other account, so one statement is enough.
      if (laneJobs && lease && parts.length === 0) {
        const condition = { token: lease.token, ifNoneWaits: mayFree };
        if (await withoutCollision(changeDelivery(db, delivery, change, condition))) return after;
      }
      const store = async (trx: Transaction<Tables>): Promise<Delivery | undefined> => {
        // A firing that is being committed would not see the parts.
        if (parts.length > 0) await lockRule(trx, delivery.rule);
        if (!(await changeDelivery(trx, delivery, change, { token: lease?.token }))) return undefined;
        if (parts.length > 0) await insertParts(trx, delivery.id, parts);
        return after;
      };
      if (!laneJobs) return write(store);
      const { changed, accounts } = await write(async (trx) => {
        const stored = await store(trx);
        const freed = stored && mayFree ? await dependentAccounts(trx, stored) : [];
        // The holder of the lane knows what it did.
        const affected = lease ? freed.filter((account) => account !== delivery.account) : [...freed, delivery.account];
        if (stored) await laneJobs.create(trx, affected);
        return { changed: stored, accounts: affected };
      });
      if (changed) laneJobs.announce(accounts);
      return changed;
    },

    async reopen(delivery, change, reopening) {
      const accounts = [delivery.account];
      const isReopened = await inTransaction(db, async (trx) => {
        if (!(await reopenDelivery(trx, delivery, change, reopening))) return false;
        await laneJobs?.create(trx, accounts);
        return true;
      });
      if (!isReopened) return undefined;
      laneJobs?.announce(accounts);
      return { ...delivery, ...change };
    },
  };
}

/** Whether a change is stored. It is not if it collided with another transaction, so that it can be repeated in a longer one. */
async function withoutCollision(change: Promise<boolean>): Promise<boolean> {
  try {
    return await change;
  } catch (error) {
    if (isCollision(error)) return false;
    throw error;
  }
}

/** 1, or null if the episode of a delivery is closed or deleted. */
const isEpisodeOpen = sql<
  number | null
>`(select 1 from episode where episode.rule = delivery.rule and episode.id = delivery.episode and episode.closed_ms is null)`;

/** 1, or null if a delivery needs no other one. */
const hasNeeds = sql<number | null>`(select 1 from need where need.delivery = delivery.id limit 1)`;

/** SQLite uses the index only for these words. */
const IS_SENDING = sql<SqlBool>`state = 'sending'`;

function isBehind({ order, part }: Pick<OpenDelivery, 'order' | 'part'>) {
  return sql<SqlBool>`(turn, part) > (${order}, ${part})`;
}
