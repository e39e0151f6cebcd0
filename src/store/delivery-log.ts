import { sql, type Kysely, type SqlBool } from 'kysely';
import type { Delivery, DeliveryState } from '#src/outbox/delivery.ts';
import { DELIVERY_COLUMNS, toDelivery } from './delivery-row.ts';
import { LIMIT, seqOf, stated, toListing, type Listing, type ListingOptions } from './listing.ts';
import type { Tables } from './tables.ts';

interface DeliveryFilter extends ListingOptions {
  readonly rule?: string | undefined;
  readonly episode?: string | undefined;
  readonly account?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** Whether those are listed, too, that had nothing to do at one of the polls at which a `while` looks. */
  readonly idle?: boolean | undefined;
}

/** What was decided to be sent, and what became of it. */
export interface DeliveryLog {
  list(filter?: DeliveryFilter): Promise<Listing<Delivery>>;
  /** How many are kept in each state that there is, but for those that had nothing to do. */
  counts(): Promise<readonly { readonly state: DeliveryState; readonly count: number }[]>;
}

/** A step of `while` without a change, or whose `if` is false, comes with every poll and says nothing to anybody. */
const IS_IDLE = sql<SqlBool>`(section = 'while' and state = 'skipped' and since_ms is null)`;

/** The deliveries in the database, newest first. */
export function createDeliveryLog(db: Kysely<Tables>): DeliveryLog {
  return {
    async list({ cursor, limit = LIMIT, idle = false, ...filter } = {}) {
      const rows = await db
        .selectFrom('delivery')
        .select(DELIVERY_COLUMNS)
        .where((eb) => eb.and(stated(filter)))
        .where((eb) => (idle ? eb.lit(true) : eb.not(IS_IDLE)))
        .where('seq', '<', seqOf(cursor))
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute();
      return toListing(rows, limit, toDelivery);
    },

    async counts() {
      const rows = await db
        .selectFrom('delivery')
        .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
        .where((eb) => eb.not(IS_IDLE))
        .groupBy('state')
        .execute();
      return rows.map(({ state, count }) => ({ state, count: Number(count) }));
    },
  };
}
