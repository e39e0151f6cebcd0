import { sql, type Kysely, type SqlBool, type Selectable, type Transaction } from 'kysely';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import { OUTCOMES, type Decision } from '#src/rules/decision.ts';
import { chunks, reasonColumns, fromOptionalText, toText } from './columns.ts';
import { LIMIT, seqOf, stated, toListing } from './listing.ts';
import type { Tables } from './tables.ts';

/** The number of decisions kept per rule and outcome, so that frequent outcomes do not displace rare ones. */
const KEPT = 50;

/** The decisions in the database. */
export function createDecisionLog(db: Kysely<Tables>): DecisionLog {
  return {
    async list({ cursor, limit = LIMIT, ...filter } = {}) {
      const rows = await db
        .selectFrom('decision')
        .selectAll()
        .where((eb) => eb.and(stated(filter)))
        .where('seq', '<', seqOf(cursor))
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute();
      return toListing(rows, limit, toDecision);
    },

    async latestOf(rules) {
      // The index has the decisions of a rule by outcome, so the newest of each outcome takes one step in it.
      const newest = sql`
        select max((select max(seq) from decision where decision.rule = its.value and decision.outcome = one.value))
        from json_each(${JSON.stringify(OUTCOMES)}) as one`;
      const rows = await db
        .selectFrom('decision')
        .selectAll()
        .where(sql<SqlBool>`seq in (select (${newest}) from json_each(${JSON.stringify(rules)}) as its)`)
        .execute();
      return new Map(rows.map((row) => [row.rule, toDecision(row)]));
    },

    counts(rule) {
      const counts = db.selectFrom('decision_count').selectAll().where('count', '>', 0);
      return (rule === undefined ? counts : counts.where('rule', '=', rule)).execute();
    },
  };
}

/** Stores decisions and deletes the surplus. */
export async function commitDecisions(trx: Transaction<Tables>, decisions: readonly Decision[]): Promise<void> {
  for (const some of chunks(decisions)) await trx.insertInto('decision').values(some.map(toRow)).execute();
  const lists = new Map(decisions.map((one) => [JSON.stringify([one.rule, one.outcome]), one]));
  for (const { rule, outcome } of lists.values()) {
    await trx
      .deleteFrom('decision')
      .where('rule', '=', rule)
      .where('outcome', '=', outcome)
      .where('seq', '<=', (eb) =>
        eb
          .selectFrom('decision')
          .select('seq')
          .where('rule', '=', rule)
          .where('outcome', '=', outcome)
          .orderBy('seq', 'desc')
          .offset(KEPT)
          .limit(1),
      )
      .execute();
  }
}

function toRow({ rule, atMs, outcome, item, episode, details, ...cause }: Decision) {
  const about = { rule, at_ms: atMs, outcome, item: item ?? null, episode: episode ?? null };
  return { ...about, ...reasonColumns(cause), details: toText(details) };
}

function toDecision({ rule, at_ms, outcome, item, episode, reason, why, details }: Selectable<Tables['decision']>): Decision {
  return {
    rule,
    atMs: at_ms,
    outcome,
    item: item ?? undefined,
    episode: episode ?? undefined,
    message: reason,
    reason: fromOptionalText(why),
    details: fromOptionalText(details),
  };
}
