import { CompiledQuery, sql, type Kysely, type SqlBool, type Selectable, type Transaction } from 'kysely';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import { OUTCOMES, type Decision } from '#src/rules/decision.ts';
import { chunks, reasonColumns, fromOptionalText, toText } from './columns.ts';
import { rowsPerStatement, withPlaceholders } from './dialect.ts';
import { eachOf } from './json-list.ts';
import { LIMIT, seqOf, stated, toListing } from './listing.ts';
import { statement } from './statement.ts';
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
        from ${eachOf(OUTCOMES)} as one`;
      const rows = await db
        .selectFrom('decision')
        .selectAll()
        .where(sql<SqlBool>`seq in (select (${newest}) from ${eachOf(rules)} as its)`)
        .execute();
      return new Map(rows.map((row) => [row.rule, toDecision(row)]));
    },

    counts(rule) {
      const counts = db.selectFrom('decision_count').selectAll().where('count', '>', 0);
      return (rule === undefined ? counts : counts.where('rule', '=', rule)).execute();
    },
  };
}

function insertDecisions(rows: number): string {
  const values = Array.from({ length: rows }, () => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ');
  return `insert into decision (rule, at_ms, outcome, item, episode, reason, why, details) values ${values}`;
}

const deleteSurplus = statement(`
  delete from decision where rule = ?1 and outcome = ?2 and seq <= (
    select seq from decision where rule = ?1 and outcome = ?2 order by seq desc limit 1 offset ${KEPT})`);

/** Stores decisions and deletes the surplus. */
export async function commitDecisions(trx: Transaction<Tables>, decisions: readonly Decision[]): Promise<void> {
  for (const some of chunks(decisions, rowsPerStatement(trx))) {
    const parameters = some.flatMap((one) => {
      const { reason, why } = reasonColumns(one);
      return [one.rule, one.atMs, one.outcome, one.item ?? null, one.episode ?? null, reason, why, toText(one.details)];
    });
    await trx.executeQuery(CompiledQuery.raw(withPlaceholders(trx, insertDecisions(some.length)), parameters));
  }
  const lists = new Map(decisions.map((one) => [JSON.stringify([one.rule, one.outcome]), one]));
  for (const { rule, outcome } of lists.values()) await deleteSurplus(trx, rule, outcome);
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
