import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { PausedBy, RuleMemory } from '#src/rules/episode.ts';
import type { Pause, SeenChange } from '#src/engine/scheduler/rule-states.ts';
import { fromOptionalText } from './columns.ts';
import { lockRule, lockTable } from './dialect.ts';
import type { Tables } from './tables.ts';
import { withdrawForPause } from './withdraw.ts';

/** The paused rules, and those that were paused automatically. */
export async function findPauses(db: Kysely<Tables>, nowMs: number): Promise<ReadonlyMap<string, Pause>> {
  const blown = await db.selectFrom('rule_state').select(['rule', 'blown_ms']).where('blown_ms', 'is not', null).execute();
  const pauses = new Map<string, Pause>(blown.map(({ rule, blown_ms }) => [rule, { blownMs: blown_ms ?? undefined }]));
  for (const { rule, ...row } of await pausesInForce(db, nowMs).selectAll().execute()) {
    pauses.set(rule, { ...pauses.get(rule), person: toPausedBy(row) });
  }
  return pauses;
}

/** The person who paused a rule; undefined: no person did, or the pause is over. */
export async function findPausedBy(db: Kysely<Tables>, rule: string, nowMs: number): Promise<PausedBy | undefined> {
  const row = await pausesInForce(db, nowMs).select(['person', 'at_ms', 'until_ms']).where('rule', '=', rule).executeTakeFirst();
  return row && toPausedBy(row);
}

/** The pauses by people that are not over. */
function pausesInForce(db: Kysely<Tables>, nowMs: number) {
  return db.selectFrom('paused_rule').where((eb) => eb.or([eb('until_ms', 'is', null), eb('until_ms', '>', nowMs)]));
}

/** The pause in a row. */
export function toPausedBy({ person, at_ms, until_ms }: Omit<Selectable<Tables['paused_rule']>, 'rule'>): PausedBy {
  return { by: person, atMs: at_ms, ...(until_ms !== null && { untilMs: until_ms }) };
}

/** Pauses a rule, and withdraws its new deliveries; false: it was paused with the same end before. */
export async function pauseRule(trx: Transaction<Tables>, rule: string, { by, atMs, untilMs }: PausedBy): Promise<boolean> {
  // A slot that is being committed would not see the pause, and its deliveries would not be withdrawn.
  await lockTable(trx, 'rule_state');
  // Neither would the elements of a list that are being stored.
  await lockRule(trx, rule);
  const before = await findPausedBy(trx, rule, atMs);
  if (before && before.untilMs === untilMs) return false;
  const pause = { person: by, at_ms: atMs, until_ms: untilMs ?? null };
  await trx
    .insertInto('paused_rule')
    .values({ rule, ...pause })
    .onConflict((conflict) => conflict.column('rule').doUpdateSet(pause))
    .execute();
  await withdrawForPause(trx, rule, by);
  return true;
}

/** Resumes a rule; false: it was neither paused nor was its fuse blown. */
export async function resumeRule(trx: Transaction<Tables>, rule: string, nowMs: number): Promise<boolean> {
  await lockTable(trx, 'rule_state');
  const isPaused = (await findPausedBy(trx, rule, nowMs)) !== undefined;
  await trx.deleteFrom('paused_rule').where('rule', '=', rule).execute();
  const row = await trx.selectFrom('rule_state').select(['memory', 'resumes']).where('rule', '=', rule).executeTakeFirst();
  const memory = fromOptionalText<RuleMemory>(row?.memory ?? null);
  if (!row || memory?.blownMs === undefined) return isPaused;
  const resumes = row.resumes + 1;
  await trx
    .updateTable('rule_state')
    .set({ memory: JSON.stringify(withResetFuse(memory, resumes)), resumes })
    .where('rule', '=', rule)
    .execute();
  return true;
}

/** Pauses or resumes rules whose pauses are as a person saw them; undefined: they are not. */
export async function changeSeen(
  trx: Transaction<Tables>,
  rules: readonly string[],
  { seen, pause, nowMs }: SeenChange & { readonly nowMs: number },
): Promise<readonly string[] | undefined> {
  // Other changes of pauses wait for this one.
  await lockTable(trx, 'rule_state');
  const pauses = await findPauses(trx, nowMs);
  if (!rules.every((rule) => isDeepStrictEqual(pauses.get(rule), seen.get(rule)))) return undefined;
  const changed: string[] = [];
  for (const rule of rules) {
    const isChanged = pause ? await pauseRule(trx, rule, { ...pause, atMs: nowMs }) : await resumeRule(trx, rule, nowMs);
    if (isChanged) changed.push(rule);
  }
  return changed;
}

/** The memory with a fuse that starts to count again. */
export function withResetFuse(memory: RuleMemory, resumes: number): RuleMemory {
  return { ...memory, blownMs: undefined, fusedMs: [], resumes };
}
