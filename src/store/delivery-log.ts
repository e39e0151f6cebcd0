import { sql, type ExpressionBuilder, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import { FOLLOWED_KEYS, followedKeys, type ServerDeliveries } from '#src/engine/delivery/server-deliveries.ts';
import { firingOutcome } from '#src/engine/delivery/firing-outcome.ts';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import { FAILS_WITHIN_MS } from '#src/engine/delivery/retry.ts';
import { POST_RULE } from '#src/engine/posting/posts.ts';
import { chunks } from './columns.ts';
import { listDeliveries } from './delivery-list.ts';
import { DELIVERY_COLUMNS, toDelivery, toOutcome } from './delivery-row.ts';
import { countDeliveries, inStates, WRITES } from './delivery-states.ts';
import { eachOf, isOneOf } from './json-list.ts';
import { isUnsettled } from './settled-column.ts';
import type { Tables } from './tables.ts';

const MOST_ATTEMPTS = 50;
/** A short name lists this number of ids. */
const NAMED = 5;
const LAST_CHARACTER = '\u{10FFFF}';

/** An edit of a live card that was sent or failed: one of many. */
const IS_EDIT = sql<SqlBool>`(section = 'while' and state in ('sent', 'failed') and creates = 0)`;

/** Whether a delivery waits for no other one, for example for the answer to a question. */
const IS_FREE = sql<SqlBool>`not exists (select 1 from need join delivery as needed on needed.id = need.needed
  where need.delivery = delivery.id
    and (needed.state in ('pending', 'sending', 'asked') or (needed.state = 'unknown' and need.reads = 1)))`;

/** A delivery behind a wait is wanted at its end, any other at its slot. */
const WANTED_MS = sql<number>`case when delivery.begins_ms = delivery.created_ms then firing.at_ms else delivery.begins_ms end`;

/** The deliveries in the database, newest first. */
export function createDeliveryLog(db: Kysely<Tables>): DeliveryLog {
  return { ...createLists(db), ...createSums(db), counts: () => countDeliveries(db) };
}

function createLists(db: Kysely<Tables>): Pick<DeliveryLog, 'list' | 'failedAttempts' | 'named' | 'latest' | 'of'> {
  return {
    list: (filter = {}) => listDeliveries(db, filter),

    async failedAttempts(id) {
      const newest = await db
        .selectFrom('failed_attempt')
        .select(['at_ms', 'fault', 'error'])
        .where('delivery', '=', id)
        .orderBy('at_ms', 'desc')
        .limit(MOST_ATTEMPTS)
        .execute();
      return newest.toReversed().map(({ at_ms, fault, error }) => ({ atMs: at_ms, fault, message: error }));
    },

    async named(name) {
      const rows = await db
        .selectFrom('delivery')
        .select(DELIVERY_COLUMNS)
        .where(sql<string>`substr(ltrim(id, '-'), 1, ${name.length})`, '=', name)
        // The ranges select the index of the ids. Few ids begin with a hyphen.
        .where(sql<SqlBool>`(id >= ${name} and id < ${name + LAST_CHARACTER} or id >= '-' and id < '.')`)
        .orderBy('seq')
        .limit(NAMED)
        .execute();
      return rows.map(toDelivery);
    },

    latest: (selection) => findLatest(db, selection),

    async of(record) {
      const rows = await db
        .selectFrom('delivery')
        .innerJoin('firing', 'firing.id', 'delivery.firing')
        .select(DELIVERY_COLUMNS.map((column) => `delivery.${column}` as const))
        .select(['firing.at_ms', WANTED_MS.as('wanted_ms')])
        .where('delivery.record', '=', record)
        .where(WRITES)
        .orderBy('delivery.seq')
        .execute();
      return rows.map(({ at_ms, wanted_ms, ...row }) => ({ delivery: toDelivery(row), slotMs: at_ms, wantedMs: wanted_ms }));
    },
  };
}

function createSums(
  db: Kysely<Tables>,
): Pick<DeliveryLog, 'undelivered' | 'outcomesOf' | 'announcements' | 'slotsMs' | 'lagsMs' | 'dueByAccount' | 'failuresOf'> {
  return {
    undelivered: (sinceMs) => countUndelivered(db, sinceMs),

    async outcomesOf(firings) {
      const rows = await db
        .selectFrom('delivery')
        .select(['seq', 'firing', 'verb', 'state', 'message', 'reason', 'fault', 'error'])
        .where(isOneOf('firing', firings))
        .execute();
      const inOrder = rows.toSorted((a, b) => a.seq - b.seq);
      const byFiring = Map.groupBy(inOrder, ({ firing }) => firing);
      return new Map([...byFiring].map(([firing, all]) => [firing, firingOutcome(all.map(toOutcome))]));
    },

    async announcements({ fromMs, untilMs }) {
      const rows = await db
        .selectFrom('firing')
        .select(({ fn }) => ['rule', fn.countAll<number>().as('count')])
        .where('at_ms', '>=', fromMs)
        .where('at_ms', '<', untilMs)
        .where('section', 'not in', ['while', 'finally'])
        .groupBy('rule')
        .execute();
      return new Map(rows.map(({ rule, count }) => [rule, Number(count)]));
    },

    async slotsMs(firings) {
      const found = new Map<string, number>();
      for (const ids of chunks(firings)) {
        const rows = await db.selectFrom('firing').select(['id', 'at_ms']).where('id', 'in', ids).execute();
        for (const { id, at_ms } of rows) found.set(id, at_ms);
      }
      return found;
    },

    async lagsMs(count) {
      const rows = await db
        .selectFrom('delivery')
        .innerJoin('firing', 'firing.id', 'delivery.firing')
        .select(['delivery.sent_ms', WANTED_MS.as('wanted_ms')])
        .where('delivery.record', 'is not', null)
        .where(WRITES)
        .orderBy('delivery.seq', 'desc')
        .limit(count)
        .execute();
      return rows.flatMap(({ sent_ms, wanted_ms }) => (sent_ms === null ? [] : [sent_ms - wanted_ms]));
    },

    async dueByAccount(nowMs) {
      const rows = await db
        .selectFrom('delivery')
        .select(({ fn }) => ['account', fn.countAll<number>().as('count'), fn.min('due_ms').as('oldest_ms')])
        .where(isUnsettled(db))
        .where('due_ms', '<=', nowMs)
        .where(IS_FREE)
        .groupBy('account')
        .execute();
      return rows.map(({ account, count, oldest_ms }) => ({ account, count: Number(count), oldestMs: Number(oldest_ms) }));
    },

    failuresOf: (rules, sinceMs) => findFailures(db, rules, sinceMs),
  };
}

async function countUndelivered(db: Kysely<Tables>, sinceMs: number): ReturnType<DeliveryLog['undelivered']> {
  const all = db.selectFrom('delivery').select(({ fn }) => fn.countAll<number>().as('count'));
  const [isFailed, isUnknown] = [inStates(['failed']), inStates(['unknown'])];
  const failed = await all
    .select(isFailed.rule.as('rule'))
    .where(isFailed.condition)
    .where(failedSince(sinceMs))
    .groupBy(isFailed.rule)
    .execute();
  const unknown = await all.select(isUnknown.rule.as('rule')).where(isUnknown.condition).groupBy(isUnknown.rule).execute();
  return [
    ...failed.map(({ rule, count }) => ({ rule, state: 'failed' as const, count: Number(count) })),
    ...unknown.map(({ rule, count }) => ({ rule, state: 'unknown' as const, count: Number(count) })),
  ];
}

/**
 * Whether a failed delivery was decided since an instant, or failed since then after its retries. No row is read: the index of failures has both
 * instants.
 */
function failedSince(sinceMs: number): RawBuilder<SqlBool> {
  return sql`(created_ms >= ${sinceMs} or (created_ms >= ${sinceMs - FAILS_WITHIN_MS} and settled_ms >= ${sinceMs}))`;
}

/** Steps that their rule did not want in this case, for example a role for a streamer who is no member. Each stream has several of them. */
const NOTHING_TO_DO: readonly DeliveryReason['kind'][] = ['stepIf', 'emptyParameter', 'emptyList', 'forEachDone'];
const HAD_NOTHING_TO_DO = sql<SqlBool>`(state = 'skipped' and coalesce(${sql.join(
  NOTHING_TO_DO.map((kind) => sql`reason like ${sql.lit(`{"kind":"${kind}"%`)}`),
  sql` or `,
)}, false))`;

async function findLatest(
  db: Kysely<Tables>,
  { states, rule, of: server, except = [], limit }: Parameters<DeliveryLog['latest']>[0],
): ReturnType<DeliveryLog['latest']> {
  const found = inStates(states);
  let latest = db
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
    .where(found.condition)
    .where(rule === undefined && states.length > 1 ? sql<SqlBool>`not ${HAD_NOTHING_TO_DO}` : sql<SqlBool>`true`)
    .where((eb) => eb.not(eb.and([eb('rule', '=', POST_RULE), eb('episode', 'in', postsOf(eb, except))])))
    .where((eb) =>
      eb.or([eb.not(IS_EDIT), eb.not(eb.exists(editsOfItsCard(eb).select('edit.seq').whereRef('edit.seq', '>', 'delivery.seq')))]),
    );
  if (rule !== undefined) latest = latest.where(found.rule, '=', rule);
  if (server) latest = latest.where((eb) => ofServer(eb, server));
  const rows = await latest.orderBy(found.seq, 'desc').limit(limit).execute();
  return rows.map(({ times, ...row }) => ({ delivery: toDelivery(row), times: Number(times) }));
}

/** The newest failed delivery of each rule, if its step did not succeed since then. */
async function findFailures(db: Kysely<Tables>, rules: readonly string[], sinceMs: number): Promise<ReadonlyMap<string, Delivery>> {
  const failed = inStates(['failed']);
  const newest = db
    .selectFrom('delivery')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where(failed.condition)
    .where(failedSince(sinceMs))
    .where(sql<SqlBool>`${failed.rule} in (select value from ${eachOf(rules)})`)
    .groupBy(failed.rule);
  const rows = await db
    .selectFrom('delivery')
    .select(DELIVERY_COLUMNS)
    .where('seq', 'in', newest)
    .where((eb) => eb.not(eb.exists(laterSuccess(eb))))
    .execute();
  return new Map(rows.map((row) => [row.rule, toDelivery(row)]));
}

/** The deliveries of a server: see `isOfServer`. */
function ofServer(eb: ExpressionBuilder<Tables, 'delivery'>, of: ServerDeliveries) {
  const keys = followedKeys(of);
  const isOfNoEntry = eb.or([eb('item', 'is', null), eb('item', '<', FOLLOWED_KEYS), eb('item', '>=', FOLLOWED_KEYS + LAST_CHARACTER)]);
  return eb.or([
    eb.and([isOneOf('delivery.account', of.accounts ?? []), isOfNoEntry]),
    eb.and([eb('item', '>=', keys), eb('item', '<', keys + LAST_CHARACTER)]),
  ]);
}

/** The posts that people of these servers made. */
function postsOf(eb: ExpressionBuilder<Tables, 'delivery'>, servers: readonly string[]) {
  return eb.selectFrom('post').select('post.id').where(isOneOf('post.server', servers));
}

/** A later delivery of the same step through the same account that was sent. */
function laterSuccess(eb: ExpressionBuilder<Tables, 'delivery'>) {
  return eb
    .selectFrom('delivery as later')
    .select('later.seq')
    .where((of) =>
      of.and((['rule', 'section', 'step', 'account'] as const).map((same) => of(`later.${same}`, '=', of.ref(`delivery.${same}`)))),
    )
    .where('later.state', '=', 'sent')
    .whereRef('later.seq', '>', 'delivery.seq');
}

/** All edits of the same card by the same step with the same outcome. */
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
    .whereRef('edit.state', '=', 'delivery.state')
    .where('edit.creates', '=', 0);
}
