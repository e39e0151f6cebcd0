import { sql, type ExpressionBuilder, type Kysely, type SqlBool } from 'kysely';
import type { Delivery, DeliveryState } from '#src/outbox/delivery.ts';
import { POST_RULE } from '#src/outbox/posts.ts';
import { chunks } from './chunks.ts';
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

/** A delivery that made or changed a record, and since when it was wanted. */
export interface Origin {
  readonly delivery: Delivery;
  /** The instant of the slot that decided it, in milliseconds since 1970. */
  readonly slotMs: number;
  /** The end of its wait, or the slot where it had none. */
  readonly wantedMs: number;
}

interface LatestFilter {
  readonly states: readonly DeliveryState[];
  readonly rule?: string | undefined;
  /** Servers whose people's posts are left out. */
  readonly except?: readonly string[] | undefined;
  readonly limit: number;
}

/** A delivery, and how many of those that are kept it stands for, itself included. */
export interface Latest {
  readonly delivery: Delivery;
  readonly times: number;
}

/** How many deliveries of a rule did not arrive, or may not have arrived. */
export interface Undelivered {
  readonly rule: string;
  readonly state: 'failed' | 'unknown';
  readonly count: number;
}

/** What was decided to be sent, and what became of it. */
export interface DeliveryLog {
  /** The deliveries that failed and were decided since an instant, and those of any age that are unknown, by rule. */
  undelivered(sinceMs: number): Promise<readonly Undelivered[]>;
  /** How many deliveries of a firing failed or are unknown. */
  undeliveredOf(firing: string): Promise<number>;
  /** What made and changed a record, in this order; of what repeats itself for long the last is kept. */
  of(record: string): Promise<readonly Origin[]>;
  /** How long the last ones took from the slot, or the end of their wait, until they were there. */
  lagsMs(count: number): Promise<readonly number[]>;
  list(filter?: DeliveryFilter): Promise<Listing<Delivery>>;
  /** The instants of the slots that decided firings, in milliseconds since 1970, by the firings' ids. */
  slotsMs(firings: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Those whose ids begin with `name`; hyphens at the beginning of an id do not count. */
  named(name: string): Promise<readonly Delivery[]>;
  /** The newest in these states; of the edits that a step of `while` made of one card the last stands for all. */
  latest(filter: LatestFilter): Promise<readonly Latest[]>;
  /** How many are kept in each state that there is, but for those that had nothing to do. */
  counts(): Promise<readonly { readonly state: DeliveryState; readonly count: number }[]>;
}

/** So many ids are told where a name is short. */
const NAMED = 5;

/** A step of `while` without a change, or whose `if` is false, comes with every poll and says nothing to anybody. */
const IS_IDLE = sql<SqlBool>`(section = 'while' and state = 'skipped' and since_ms is null)`;

/** An edit of a live card that is done: one of many. */
const IS_EDIT = sql<SqlBool>`(section = 'while' and state = 'sent' and creates = 0)`;

/** One behind a wait begins at its end; any other was wanted at its slot, and written down a moment later. */
const WANTED_MS = sql<number>`iif(delivery.begins_ms = delivery.created_ms, firing.at_ms, delivery.begins_ms)`;

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

    async undelivered(sinceMs) {
      const all = db.selectFrom('delivery').select(({ fn }) => ['rule', fn.countAll<number>().as('count')]);
      const failed = await all.where('state', '=', 'failed').where('created_ms', '>=', sinceMs).groupBy('rule').execute();
      const unknown = await all
        .where(sql<SqlBool>`state = 'unknown'`)
        .groupBy('rule')
        .execute();
      return [
        ...failed.map(({ rule, count }) => ({ rule, state: 'failed' as const, count: Number(count) })),
        ...unknown.map(({ rule, count }) => ({ rule, state: 'unknown' as const, count: Number(count) })),
      ];
    },

    async undeliveredOf(firing) {
      const found = db.selectFrom('delivery').select(({ fn }) => fn.countAll<number>().as('count'));
      const row = await found.where('firing', '=', firing).where('state', 'in', ['failed', 'unknown']).executeTakeFirst();
      return Number(row?.count ?? 0);
    },

    async slotsMs(firings) {
      const found = new Map<string, number>();
      for (const ids of chunks(firings)) {
        const rows = await db.selectFrom('firing').select(['id', 'at_ms']).where('id', 'in', ids).execute();
        for (const { id, at_ms } of rows) found.set(id, at_ms);
      }
      return found;
    },

    async named(name) {
      const rows = await db
        .selectFrom('delivery')
        .select(DELIVERY_COLUMNS)
        .where(sql<string>`substr(ltrim(id, '-'), 1, ${name.length})`, '=', name)
        .orderBy('seq')
        .limit(NAMED)
        .execute();
      return rows.map(toDelivery);
    },

    async latest({ states, rule, except = [], limit }) {
      const rows = await db
        .selectFrom('delivery')
        .select(DELIVERY_COLUMNS)
        .select((eb) =>
          eb
            .case()
            .when(IS_EDIT)
            .then(editsOfItsCard(eb).select(eb.fn.countAll<number>().as('count')))
            .else(1)
            .end()
            .as('times'),
        )
        .where('state', 'in', states)
        .where((eb) => eb.and(stated({ rule })))
        .where((eb) => eb.not(eb.and([eb('rule', '=', POST_RULE), eb('episode', 'in', postsOf(eb, except))])))
        .where((eb) => eb.not(IS_IDLE))
        .where((eb) =>
          eb.or([eb.not(IS_EDIT), eb.not(eb.exists(editsOfItsCard(eb).select('edit.seq').whereRef('edit.seq', '>', 'delivery.seq')))]),
        )
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ times, ...row }) => ({ delivery: toDelivery(row), times: Number(times) }));
    },

    async of(record) {
      const rows = await db
        .selectFrom('delivery')
        .innerJoin('firing', 'firing.id', 'delivery.firing')
        .select(DELIVERY_COLUMNS.map((column) => `delivery.${column}` as const))
        .select(['firing.at_ms', WANTED_MS.as('wanted_ms')])
        .where('delivery.record', '=', record)
        .orderBy('delivery.seq')
        .execute();
      return rows.map(({ at_ms, wanted_ms, ...row }) => ({ delivery: toDelivery(row), slotMs: at_ms, wantedMs: wanted_ms }));
    },

    async lagsMs(count) {
      const rows = await db
        .selectFrom('delivery')
        .innerJoin('firing', 'firing.id', 'delivery.firing')
        .select(['delivery.sent_ms', WANTED_MS.as('wanted_ms')])
        .where('delivery.record', 'is not', null)
        .orderBy('delivery.seq', 'desc')
        .limit(count)
        .execute();
      return rows.flatMap(({ sent_ms, wanted_ms }) => (sent_ms === null ? [] : [sent_ms - wanted_ms]));
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

/** The posts of people of these servers. */
function postsOf(eb: ExpressionBuilder<Tables, 'delivery'>, servers: readonly string[]) {
  return eb.selectFrom('post').select('post.id').where('post.server', 'in', servers);
}

/** All edits that are done by the same step of the same card. */
function editsOfItsCard(eb: ExpressionBuilder<Tables, 'delivery'>) {
  return eb
    .selectFrom('delivery as edit')
    .where((of) =>
      of.and(
        (['rule', 'episode', 'section', 'step', 'account', 'element'] as const).map((same) =>
          of(`edit.${same}`, '=', of.ref(`delivery.${same}`)),
        ),
      ),
    )
    .where('edit.state', '=', 'sent')
    .where('edit.creates', '=', 0);
}
