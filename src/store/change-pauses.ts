import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { RuleMemory } from '#src/rules/episode.ts';
import type { NewPause, PauseChange, Pauses } from '#src/engine/scheduler/rule-states.ts';
import { fromOptionalText } from './columns.ts';
import { lockRule, lockTable } from './dialect.ts';
import { findPausedBy, findPauses, storePause } from './pauses.ts';
import { cancelPlanned, findPlanned, planPause } from './planned-pauses.ts';
import type { Tables } from './tables.ts';
import { withdrawForPause } from './withdraw.ts';

/** Pauses or resumes rules, plans a pause, or cancels what is planned; undefined: the pauses are not those that a person saw. */
export async function changePauses(
  trx: Transaction<Tables>,
  rules: readonly string[],
  { change, seen, nowMs }: { readonly change: PauseChange; readonly seen?: Pauses | undefined; readonly nowMs: number },
): Promise<readonly string[] | undefined> {
  // Other changes of pauses wait for this one. A slot that is being committed would not see it, and its deliveries would not be withdrawn.
  await lockTable(trx, 'rule_state');
  if (seen && !(await isAsSeen(trx, rules, seen, nowMs))) return undefined;
  const changed: string[] = [];
  for (const rule of rules) if (await changePause(trx, rule, change, nowMs)) changed.push(rule);
  return changed;
}

async function isAsSeen(trx: Transaction<Tables>, rules: readonly string[], seen: Pauses, nowMs: number): Promise<boolean> {
  const [paused, planned] = [await findPauses(trx, nowMs), await findPlanned(trx, nowMs)];
  return rules.every(
    (rule) => isDeepStrictEqual(paused.get(rule), seen.paused.get(rule)) && isDeepStrictEqual(planned.get(rule), seen.planned.get(rule)),
  );
}

async function changePause(trx: Transaction<Tables>, rule: string, change: PauseChange, nowMs: number): Promise<boolean> {
  if ('resume' in change) return change.resume === 'planned' ? cancelPlanned(trx, rule, nowMs) : resumeRule(trx, rule, nowMs);
  const { fromMs, ...pause } = change.pause;
  return fromMs === undefined || fromMs <= nowMs
    ? pauseRule(trx, rule, { ...pause, atMs: nowMs })
    : planPause(trx, rule, { ...pause, fromMs, atMs: nowMs });
}

/** Pauses a rule, and withdraws its new deliveries; false: it was paused with the same end before. */
async function pauseRule(
  trx: Transaction<Tables>,
  rule: string,
  pause: Omit<NewPause, 'fromMs'> & { readonly atMs: number },
): Promise<boolean> {
  // The elements of a list that are being stored would not see the pause.
  await lockRule(trx, rule);
  const before = await findPausedBy(trx, rule, pause.atMs);
  if (before && before.untilMs === pause.untilMs) return false;
  await storePause(trx, rule, pause);
  await withdrawForPause(trx, rule, { by: pause.by });
  return true;
}

/** Resumes a rule; false: it was neither paused nor was its fuse blown. Pauses that are planned for later stay. */
async function resumeRule(trx: Transaction<Tables>, rule: string, nowMs: number): Promise<boolean> {
  const isPaused = (await findPausedBy(trx, rule, nowMs)) !== undefined;
  await trx.deleteFrom('paused_rule').where('rule', '=', rule).execute();
  await trx.deleteFrom('planned_pause').where('rule', '=', rule).where('from_ms', '<=', nowMs).execute();
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

/** The memory with a fuse that starts to count again. */
export function withResetFuse(memory: RuleMemory, resumes: number): RuleMemory {
  return { ...memory, blownMs: undefined, fusedMs: [], resumes };
}
