import { sql, type Kysely, type SqlBool } from 'kysely';
import type { DeliverySelection, LoggedDelivery, SentLog } from '#src/clients/history/delivery-log.ts';
import { deliveryTexts, mainText } from '#src/engine/delivery/delivery-texts.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { StepNames } from '#src/rules/step.ts';
import { chunks, fromText } from './columns.ts';
import { listDeliveries } from './delivery-list.ts';
import { isRuleOrInstance } from './episode-log.ts';
import type { Tables } from './tables.ts';

/** The condition of the index of open deliveries, without questions. */
const MAY_BEGIN = sql<SqlBool>`state in ('pending', 'sending', 'asked') and state <> 'asked'`;
/** The number of deliveries that one statement reads. */
const PAGE = 500;
/** The number of statements for the deliveries of one rule. */
const MOST_PAGES = 20;

/** The deliveries in the database, for rules. */
export function createSentLog(db: Kysely<Tables>): SentLog {
  return {
    async unfinishedSince({ rule, key }, { before, nowMs }) {
      const own = db.selectFrom('delivery').select('firing').where('id', '=', before);
      const row = await db
        .selectFrom('delivery')
        .select('created_ms')
        .where(MAY_BEGIN)
        .where('item', '=', key)
        .where(isRuleOrInstance(rule))
        .where('begins_ms', '<=', nowMs)
        .where(
          'seq',
          '<',
          db
            .selectFrom('delivery')
            .select(({ fn }) => fn.min('seq').as('first'))
            .where('firing', '=', own),
        )
        .orderBy('seq')
        .limit(1)
        .executeTakeFirst();
      return row?.created_ms;
    },

    async select({ rule, ...selection }) {
      const rules = rule === undefined ? [undefined] : await instancesOf(db, rule);
      const found: Delivery[] = [];
      for (const one of rules) found.push(...(await deliveriesOf(db, { ...selection, rule: one })));
      const newest = rules.length === 1 ? found : found.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
      return withWatches(db, newest.slice(0, selection.limit));
    },
  };
}

/** The ids of a rule and its instances that have run. Without a run, the id of the rule. */
async function instancesOf(db: Kysely<Tables>, rule: string): Promise<readonly string[]> {
  const rows = await db.selectFrom('rule_state').select('rule').where(isRuleOrInstance(rule)).execute();
  const names = rows.map((row) => row.rule);
  return names.length === 0 ? [rule] : names;
}

async function deliveriesOf(
  db: Kysely<Tables>,
  { rule, key: item, step, account, state, sinceMs, accepts, limit }: DeliverySelection,
): Promise<readonly Delivery[]> {
  const found: Delivery[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const listing = await listDeliveries(db, { rule, item, account, state, sinceMs, cursor, limit: Math.min(PAGE, limit) });
    found.push(...listing.items.filter((one) => (step === undefined || one.step === step) && accepts(one)));
    ({ cursor } = listing);
    if (cursor === undefined || found.length >= limit) break;
  }
  return found.slice(0, limit);
}

async function withWatches(db: Kysely<Tables>, deliveries: readonly Delivery[]): Promise<readonly LoggedDelivery[]> {
  const watched = new Map<string, string | undefined>();
  for (const ids of chunks([...new Set(deliveries.map(({ firing }) => firing))])) {
    const rows = await db.selectFrom('firing').select(['id', 'names']).where('id', 'in', ids).execute();
    for (const { id, names } of rows) watched.set(id, fromText<StepNames>(names).watch);
  }
  return deliveries.map((delivery) => ({ ...delivery, text: mainText(deliveryTexts(delivery)), watches: watched.get(delivery.firing) }));
}
