import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely';
import type { Pauses, PlannedPause } from '#src/engine/scheduler/rule-states.ts';
import { lockRule, lockTable } from './dialect.ts';
import { findPausedBy, storePause } from './pauses.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './tables.ts';
import { withdrawForPause } from './withdraw.ts';

/** The pauses that have not begun, by rule. */
export async function findPlanned(db: Kysely<Tables>, nowMs: number): Promise<Pauses['planned']> {
  const rows = await db.selectFrom('planned_pause').selectAll().where('from_ms', '>', nowMs).orderBy('from_ms').execute();
  const planned = new Map<string, PlannedPause[]>();
  for (const { rule, ...row } of rows) {
    const pauses = planned.get(rule) ?? [];
    pauses.push(toPlanned(row));
    planned.set(rule, pauses);
  }
  return planned;
}

/** Plans a pause; it replaces one with the same begin. False: there is the same plan. */
export async function planPause(trx: Transaction<Tables>, rule: string, { by, atMs, fromMs, untilMs }: PlannedPause): Promise<boolean> {
  const same = trx.selectFrom('planned_pause').select('until_ms').where('rule', '=', rule).where('from_ms', '=', fromMs);
  const before = await same.executeTakeFirst();
  if (before && before.until_ms === (untilMs ?? null)) return false;
  const pause = { person: by, at_ms: atMs, until_ms: untilMs ?? null };
  await trx
    .insertInto('planned_pause')
    .values({ rule, from_ms: fromMs, ...pause })
    .onConflict((conflict) => conflict.columns(['rule', 'from_ms']).doUpdateSet(pause))
    .execute();
  return true;
}

/** Cancels the pauses that have not begun; false: there were none. */
export async function cancelPlanned(trx: Transaction<Tables>, rule: string, nowMs: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('planned_pause')
    .where('rule', '=', rule)
    .where('from_ms', '>', nowMs)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Plans the pauses again that began, or passed, by a clock that was ahead. */
export async function planEarlyPauses(trx: Transaction<Tables>, nowMs: number): Promise<void> {
  const early = await trx.selectFrom('paused_rule').selectAll().where('planned_ms', 'is not', null).where('at_ms', '>', nowMs).execute();
  for (const { rule, person, at_ms, until_ms, planned_ms } of early) {
    await trx.deleteFrom('paused_rule').where('rule', '=', rule).execute();
    const atMs = Math.min(planned_ms ?? nowMs, nowMs);
    await planPause(trx, rule, { by: person, fromMs: at_ms, untilMs: until_ms ?? undefined, atMs });
  }
}

/** Begins the pauses whose time has come, and withdraws the new deliveries of their rules. Resolves with their rules. */
export async function beginDuePauses(trx: Transaction<Tables>, nowMs: number): Promise<readonly string[]> {
  // See `changePauses`.
  await lockTable(trx, 'rule_state');
  const due = await trx.selectFrom('planned_pause').selectAll().where('from_ms', '<=', nowMs).orderBy('from_ms').execute();
  for (const { rule, ...row } of due) {
    await lockRule(trx, rule);
    const { by, fromMs, untilMs, atMs } = toPlanned(row);
    await trx.deleteFrom('planned_pause').where('rule', '=', rule).where('from_ms', '=', fromMs).execute();
    const other = await findPausedBy(trx, rule, nowMs);
    // The pause that lasts longer stays. A pause that passed while no process ran only withdraws, but the clock may be ahead.
    const lastsLonger = (untilMs ?? Infinity) > (other ? (other.untilMs ?? Infinity) : 0);
    if (lastsLonger) await storePause(trx, rule, { by, atMs: fromMs, untilMs, plannedMs: atMs });
    await withdrawForPause(trx, rule, { by, createdBeforeMs: untilMs });
  }
  return [...new Set(due.map(({ rule }) => rule))];
}

/** When the next planned pause begins; in the past if its time has come. */
export async function nextPlannedMs(db: Kysely<Tables>): Promise<number | undefined> {
  return (await findNext(db, {})).rows[0]?.next_ms ?? undefined;
}

const findNext = prepared((db) => db.selectFrom('planned_pause').select(({ fn }) => fn.min<number | null>('from_ms').as('next_ms')));

/** Whether no pause of the rule of a delivery is about to begin. Deliveries wait for it, because most of them are withdrawn then. */
export function isNotAboutToPause(nowMs: number) {
  return sql<SqlBool>`not exists (select 1 from planned_pause where planned_pause.rule = delivery.rule and from_ms <= ${nowMs})`;
}

function toPlanned({
  person,
  at_ms,
  from_ms,
  until_ms,
}: {
  readonly person: string;
  readonly at_ms: number;
  readonly from_ms: number;
  readonly until_ms: number | null;
}): PlannedPause {
  return { by: person, atMs: at_ms, fromMs: from_ms, ...(until_ms !== null && { untilMs: until_ms }) };
}
