import { sql, type Kysely, type Transaction } from 'kysely';
import type { PausedBy } from '#src/rules/episode.ts';
import type { Pause, Pauses } from '#src/engine/scheduler/rule-states.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './tables.ts';

/** A pause in force. A planned one is in force from its time on, even if `beginDuePauses` has not run. */
export interface PauseRow {
  readonly person: string;
  readonly at_ms: number;
  readonly until_ms: number | null;
  readonly planned_ms: number | null;
}

export function toPausedBy({ person, at_ms, until_ms, planned_ms }: PauseRow): PausedBy {
  return {
    by: person,
    atMs: at_ms,
    ...(until_ms !== null && { untilMs: until_ms }),
    ...(planned_ms !== null && { plannedMs: planned_ms }),
  };
}

/** The paused rules, and those that were paused automatically. */
export async function findPauses(db: Kysely<Tables>, nowMs: number): Promise<Pauses['paused']> {
  const blown = await db.selectFrom('rule_state').select(['rule', 'blown_ms']).where('blown_ms', 'is not', null).execute();
  const pauses = new Map<string, Pause>(blown.map(({ rule, blown_ms }) => [rule, { blownMs: blown_ms ?? undefined }]));
  for (const { rule, ...row } of (await findInForce(db, { nowMs })).rows) {
    pauses.set(rule, { ...pauses.get(rule), person: toPausedBy(row) });
  }
  return pauses;
}

const findInForce = prepared(
  (_, { nowMs }: { readonly nowMs: number }) => sql<PauseRow & { readonly rule: string }>`
    select rule, person, from_ms as at_ms, until_ms, at_ms as planned_ms from planned_pause
      where from_ms <= ${nowMs} and (until_ms is null or until_ms > ${nowMs})
    union all
    select rule, person, at_ms, until_ms, planned_ms from paused_rule where until_ms is null or until_ms > ${nowMs}`,
);

/** The person who paused a rule; undefined: no person did, or the pause is over. */
export async function findPausedBy(db: Kysely<Tables>, rule: string, nowMs: number): Promise<PausedBy | undefined> {
  const [row] = (await findOneInForce(db, { rule, nowMs })).rows;
  return row && toPausedBy(row);
}

const findOneInForce = prepared(
  (_, { rule, nowMs }: { readonly rule: string; readonly nowMs: number }) => sql<PauseRow>`
    select person, at_ms, until_ms, planned_ms from paused_rule where rule = ${rule} and (until_ms is null or until_ms > ${nowMs})
    union all
    select person, from_ms, until_ms, at_ms from planned_pause
      where rule = ${rule} and from_ms <= ${nowMs} and (until_ms is null or until_ms > ${nowMs})
    limit 1`,
);

/** Stores the pause that is in force. */
export async function storePause(trx: Transaction<Tables>, rule: string, { by, atMs, untilMs, plannedMs }: PausedBy): Promise<void> {
  const pause = { person: by, at_ms: atMs, until_ms: untilMs ?? null, planned_ms: plannedMs ?? null };
  await trx
    .insertInto('paused_rule')
    .values({ rule, ...pause })
    .onConflict((conflict) => conflict.column('rule').doUpdateSet(pause))
    .execute();
}
