import { sql, type Kysely, type Insertable, type Selectable, type SqlBool, type Transaction } from 'kysely';
import { MOST_DECISIONS, type DecisionLog } from '#src/rules/decision-log.ts';
import { OUTCOMES, type Decision } from '#src/rules/decision.ts';
import { reasonColumns, fromOptionalText, toText } from './columns.ts';
import { eachOf, isOneOf } from './json-list.ts';
import { LIMIT, seqOf, stated, toListing } from './listing.ts';
import { prepared, preparedInsert } from './prepared.ts';
import type { Tables } from './tables.ts';
import { likeIn, patternOf } from './text-pattern.ts';

/** The decisions in the database. */
export function createDecisionLog(db: Kysely<Tables>): DecisionLog {
  return {
    async list({ cursor, limit = LIMIT, text, ...filter } = {}) {
      const rows = await db
        .selectFrom('decision')
        .selectAll()
        .where((eb) => eb.and(stated(filter)))
        .$if(text !== undefined, (query) => query.where(sql<SqlBool>`message ${likeIn(db)} ${patternOf(text ?? '')}`))
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
        from ${eachOf(OUTCOMES)} as one`;
      const rows = await db
        .selectFrom('decision')
        .selectAll()
        .where(sql<SqlBool>`seq in (select (${newest}) from ${eachOf(rules)} as its)`)
        .execute();
      return new Map(rows.map((row) => [row.rule, toDecision(row)]));
    },

    counts(rules) {
      const counts = db.selectFrom('decision_count').selectAll().where('count', '>', 0);
      return (rules === undefined ? counts : counts.where(isOneOf('rule', rules))).execute();
    },
  };
}

const insertDecisions = preparedInsert((db, rows: readonly Insertable<Tables['decision']>[]) => db.insertInto('decision').values(rows));

const deleteSurplus = prepared(
  (_, { rule, outcome }: Pick<Decision, 'rule' | 'outcome'>) => sql`
    delete from decision where rule = ${rule} and outcome = ${outcome} and seq <= (
      select seq from decision where rule = ${rule} and outcome = ${outcome} order by seq desc limit 1 offset ${sql.lit(MOST_DECISIONS)})`,
);

/** Stores decisions and deletes the surplus. */
export async function commitDecisions(trx: Transaction<Tables>, decisions: readonly Decision[]): Promise<void> {
  const rows = decisions.map((one) => ({
    rule: one.rule,
    at_ms: one.atMs,
    outcome: one.outcome,
    item: one.item ?? null,
    episode: one.episode ?? null,
    ...reasonColumns(one),
    details: toText(one.details),
  }));
  await insertDecisions(trx, rows);
  const lists = new Map(decisions.map((one) => [JSON.stringify([one.rule, one.outcome]), one]));
  for (const { rule, outcome } of lists.values()) await deleteSurplus(trx, { rule, outcome });
}

function toDecision({ rule, at_ms, outcome, item, episode, message, reason, details }: Selectable<Tables['decision']>): Decision {
  return {
    rule,
    atMs: at_ms,
    outcome,
    item: item ?? undefined,
    episode: episode ?? undefined,
    message,
    reason: fromOptionalText(reason),
    details: fromOptionalText(details),
  };
}
