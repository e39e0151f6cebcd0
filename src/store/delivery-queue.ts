import { sql, type Kysely, type SqlBool } from 'kysely';
import type { DeliveryRows } from '#src/engine/delivery/delivery-rows.ts';
import type { OpenDelivery } from '#src/engine/delivery/ordering.ts';
import { dependentsOf, isOpen, waitingNeeds } from './delivery-needs.ts';
import { DELIVERY_COLUMNS, ORDER_COLUMNS, toDelivery, toNeedState, toOpenDelivery } from './delivery-row.ts';
import { isOneOf } from './json-list.ts';
import { isNotAboutToPause } from './planned-pauses.ts';
import { prepared } from './prepared.ts';
import { isUnsettled } from './settled-column.ts';
import type { Tables } from './tables.ts';

type Queue = Pick<
  DeliveryRows,
  'accounts' | 'begun' | 'candidates' | 'ahead' | 'behind' | 'needs' | 'waitingNeeds' | 'dependents' | 'hasOpen' | 'nextDueMs'
>;

/** The queries for the order of attempts. */
export function createQueue(db: Kysely<Tables>): Queue {
  return {
    async accounts() {
      const rows = await db.selectFrom('delivery').select('account').distinct().where(isUnsettled(db)).execute();
      return rows.map(({ account }) => account);
    },

    async begun(account) {
      const begun = db.selectFrom('delivery').select(DELIVERY_COLUMNS).where(IS_SENDING).where('account', '=', account);
      return (await begun.orderBy('position').orderBy('part').execute()).map(toDelivery);
    },

    async candidates(account, { nowMs, after, heldQueues, limit }) {
      const begun = after ? [] : (await findBegun(db, { account, nowMs, limit })).rows;
      const left = limit - begun.length;
      const from = after ?? { order: 0, part: 0 };
      const others = left > 0 ? (await findNotBegun(db, { account, nowMs, ...from, heldQueues, limit: left })).rows : [];
      return [...begun, ...others].map(toOpenDelivery);
    },

    async ahead({ account, queue, order, part }, { after, limit }) {
      let ahead = db
        .selectFrom('delivery')
        .select(ORDER_COLUMNS)
        .where(sql<SqlBool>`state in ('pending', 'sending')`)
        .where('account', '=', account)
        .where('queue', '=', queue)
        .where(sql<SqlBool>`(position, part) < (${order}, ${part})`);
      if (after) ahead = ahead.where(isBehind(after));
      return (await ahead.orderBy('position').orderBy('part').limit(limit).execute()).map(toOpenDelivery);
    },

    needs: async (ids) => (await findNeeds(db, { ids })).rows.map(toNeedState),
    behind: async (ids) => new Set((await findBehind(db, { ids })).rows.map(({ id }) => id)),
    waitingNeeds: () => waitingNeeds(db),
    dependents: (ids) => dependentsOf(db, ids),

    async hasOpen({ rule, episode, section }) {
      const open = db
        .selectFrom('delivery')
        .select('id')
        .where((eb) => eb.and({ rule, episode, section }));
      return (await open.where(isOpen('delivery')).limit(1).executeTakeFirst()) !== undefined;
    },

    async nextDueMs(account, nowMs) {
      const [row] = (await findNextDue(db, { account, nowMs })).rows;
      return row?.next_ms ?? undefined;
    },
  };
}

/** The due deliveries of an account. */
interface DueValues {
  readonly account: string;
  readonly nowMs: number;
  readonly limit: number;
}

function dueOf(db: Kysely<Tables>, { account, nowMs }: DueValues) {
  return db.selectFrom('delivery').select(ORDER_COLUMNS).where('account', '=', account).where('due_ms', '<=', nowMs);
}

/** SQLite uses the index only for these words. */
export const IS_SENDING = sql<SqlBool>`state = 'sending'`;

function isBehind({ order, part }: Pick<OpenDelivery, 'order' | 'part'>) {
  return sql<SqlBool>`(position, part) > (${order}, ${part})`;
}

const findBegun = prepared((db, values: DueValues) =>
  dueOf(db, values).where(IS_SENDING).orderBy('position').orderBy('part').limit(values.limit),
);

const findNotBegun = prepared((db, values: DueValues & Pick<OpenDelivery, 'order' | 'part'> & { readonly heldQueues: readonly string[] }) =>
  dueOf(db, values)
    .where(isUnsettled(db))
    .where('state', 'in', ['pending', 'asked'])
    // The range selects the index, so that SQLite does not sort.
    .where(isBehind(values))
    .where(isNotAboutToPause(values.nowMs))
    .where((eb) => eb.or([eb('state', '!=', 'pending'), eb('expires_ms', '<', values.nowMs), eb.not(isOneOf('queue', values.heldQueues))]))
    .orderBy('position')
    .orderBy('part')
    .limit(values.limit),
);

const findNextDue = prepared((db, { account, nowMs }: Pick<DueValues, 'account' | 'nowMs'>) =>
  db
    .selectFrom('delivery')
    .select(({ fn }) => fn.min('due_ms').as('next_ms'))
    .where(isUnsettled(db))
    .where('account', '=', account)
    .where('due_ms', '>', nowMs),
);

const findNeeds = prepared((db, { ids }: { readonly ids: readonly string[] }) =>
  db
    .selectFrom('need')
    .innerJoin('delivery', 'delivery.id', 'need.needed')
    .select(['need.delivery', 'need.needed', 'need.reads', 'need.stops', 'delivery.state', 'delivery.settled_ms'])
    .where(isOneOf('need.delivery', ids)),
);

const findBehind = prepared((db, { ids }: { readonly ids: readonly string[] }) =>
  db
    .selectFrom('delivery')
    .select('id')
    .where(isOneOf('id', ids))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('delivery as ahead')
          .select('ahead.seq')
          .where(sql<SqlBool>`ahead.state in ('pending', 'sending')`)
          .whereRef('ahead.account', '=', 'delivery.account')
          .whereRef('ahead.queue', '=', 'delivery.queue')
          .where(sql<SqlBool>`(ahead.position, ahead.part) < (delivery.position, delivery.part)`),
      ),
    ),
);
