import { type Kysely, type Transaction } from 'kysely';
import type { PausedBy, RuleMemory } from '#src/rules/episode.ts';
import type { Pause } from '#src/scheduler/rule-states.ts';
import { fromOptionalText } from './columns.ts';
import { lockRule, lockTable } from './dialect.ts';
import type { Tables } from './tables.ts';
import { withdrawForPause } from './withdraw.ts';

/** The paused rules, and those whose fuse blew. */
export async function findPauses(db: Kysely<Tables>): Promise<ReadonlyMap<string, Pause>> {
  const blown = await db.selectFrom('rule_state').select(['rule', 'blown_ms']).where('blown_ms', 'is not', null).execute();
  const pauses = new Map<string, Pause>(blown.map(({ rule, blown_ms }) => [rule, { blownMs: blown_ms ?? undefined }]));
  for (const { rule, person, at_ms } of await db.selectFrom('paused_rule').selectAll().execute()) {
    pauses.set(rule, { ...pauses.get(rule), person: { by: person, atMs: at_ms } });
  }
  return pauses;
}

/** The person who paused a rule; undefined: no person did. */
export async function findPausedBy(db: Kysely<Tables>, rule: string): Promise<PausedBy | undefined> {
  const row = await db.selectFrom('paused_rule').select(['person', 'at_ms']).where('rule', '=', rule).executeTakeFirst();
  return row && toPausedBy(row);
}

/** The pause in a row; undefined: the row has none. */
export function toPausedBy({ person, at_ms }: { readonly person: string | null; readonly at_ms: number | null }): PausedBy | undefined {
  return person === null || at_ms === null ? undefined : { by: person, atMs: at_ms };
}

/** Pauses a rule, and withdraws its new deliveries; false: it was paused before. */
export async function pauseRule(trx: Transaction<Tables>, rule: string, { by, atMs }: PausedBy): Promise<boolean> {
  // A slot that is being committed would not see the pause, and its deliveries would not be withdrawn.
  await lockTable(trx, 'rule_state');
  // Neither would the elements of a list that are being stored.
  await lockRule(trx, rule);
  const { numInsertedOrUpdatedRows: added } = await trx
    .insertInto('paused_rule')
    .values({ rule, person: by, at_ms: atMs })
    .onConflict((conflict) => conflict.column('rule').doNothing())
    .executeTakeFirstOrThrow();
  if (added === 0n) return false;
  await withdrawForPause(trx, rule, by);
  return true;
}

/** Resumes a rule; false: it was neither paused nor was its fuse blown. */
export async function resumeRule(trx: Transaction<Tables>, rule: string): Promise<boolean> {
  await lockTable(trx, 'rule_state');
  const { numDeletedRows: lifted } = await trx.deleteFrom('paused_rule').where('rule', '=', rule).executeTakeFirstOrThrow();
  const row = await trx.selectFrom('rule_state').select(['memory', 'resumes']).where('rule', '=', rule).executeTakeFirst();
  const memory = fromOptionalText<RuleMemory>(row?.memory ?? null);
  if (!row || memory?.blownMs === undefined) return lifted > 0n;
  const resumes = row.resumes + 1;
  await trx
    .updateTable('rule_state')
    .set({ memory: JSON.stringify(withResetFuse(memory, resumes)), resumes })
    .where('rule', '=', rule)
    .execute();
  return true;
}

/** The memory with a fuse that starts to count again. */
export function withResetFuse(memory: RuleMemory, resumes: number): RuleMemory {
  return { ...memory, blownMs: undefined, fusedMs: [], resumes };
}
