import { sql, type Kysely, type Transaction } from 'kysely';
import { deliveryBecause } from '#src/outbox/reason.ts';
import type { PausedBy, RuleMemory } from '#src/rules/episode.ts';
import type { Pause } from '#src/scheduler/rule-states.ts';
import { becauseColumns, fromOptionalText } from './columns.ts';
import type { Tables } from './tables.ts';

/** The rules that say nothing until they are resumed. */
export async function findPauses(db: Kysely<Tables>): Promise<ReadonlyMap<string, Pause>> {
  const blownMs = sql<number | null>`memory ->> '$.blownMs'`;
  const blown = await db
    .selectFrom('rule_state')
    .select(['rule', blownMs.as('blown_ms')])
    .where(blownMs, 'is not', null)
    .execute();
  const pauses = new Map<string, Pause>(blown.map(({ rule, blown_ms }) => [rule, { blownMs: blown_ms ?? undefined }]));
  for (const { rule, person, at_ms } of await db.selectFrom('paused_rule').selectAll().execute()) {
    pauses.set(rule, { ...pauses.get(rule), person: { by: person, atMs: at_ms } });
  }
  return pauses;
}

/** Who paused a rule; undefined: nobody did, whatever became of its fuse. */
export async function findPerson(db: Kysely<Tables>, rule: string): Promise<PausedBy | undefined> {
  const row = await db.selectFrom('paused_rule').select(['person', 'at_ms']).where('rule', '=', rule).executeTakeFirst();
  return row && toPausedBy(row);
}

/** As a row says it that may be of a rule nobody paused. */
export function toPausedBy({ person, at_ms }: { readonly person: string | null; readonly at_ms: number | null }): PausedBy | undefined {
  return person === null || at_ms === null ? undefined : { by: person, atMs: at_ms };
}

/** Writes down that somebody paused a rule, and takes back what it was about to say; false: somebody did before. */
export async function pauseRule(trx: Transaction<Tables>, rule: string, { by, atMs }: PausedBy): Promise<boolean> {
  const { numInsertedOrUpdatedRows: added } = await trx
    .insertInto('paused_rule')
    .values({ rule, person: by, at_ms: atMs })
    .onConflict((conflict) => conflict.column('rule').doNothing())
    .executeTakeFirstOrThrow();
  if (added === 0n) return false;
  await silence(trx, rule, by);
  return true;
}

/**
 * Takes back all that a rule would say anew and that was not begun; what stands is still edited.
 *
 * A thread is sent to its end.
 */
export async function silence(trx: Transaction<Tables>, rule: string, by: string): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ state: 'skipped', ...becauseColumns(deliveryBecause({ kind: 'pausedBy', by })) })
    .where('rule', '=', rule)
    .where('state', '=', 'pending')
    .where('after', 'is', null)
    .where((eb) => eb.or([eb('section', 'in', ['then', 'quiet']), eb('creates', '=', 1)]))
    .execute();
}

/** Lets a rule speak again; false: nothing kept it from that. */
export async function resumeRule(trx: Transaction<Tables>, rule: string): Promise<boolean> {
  const { numDeletedRows: lifted } = await trx.deleteFrom('paused_rule').where('rule', '=', rule).executeTakeFirstOrThrow();
  const row = await trx.selectFrom('rule_state').select(['memory', 'resumes']).where('rule', '=', rule).executeTakeFirst();
  const memory = fromOptionalText<RuleMemory>(row?.memory ?? null);
  if (!row || memory?.blownMs === undefined) return lifted > 0n;
  const resumes = row.resumes + 1;
  await trx
    .updateTable('rule_state')
    .set({ memory: JSON.stringify(rested(memory, resumes)), resumes })
    .where('rule', '=', rule)
    .execute();
  return true;
}

/** With a fuse that counts from nothing. */
export function rested(memory: RuleMemory, resumes: number): RuleMemory {
  return { ...memory, blownMs: undefined, fusedMs: [], resumes };
}
