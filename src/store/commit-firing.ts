import type { Transaction } from 'kysely';
import type { Firing, Withdrawal } from '#src/rules/firing.ts';
import { newDeliveryRow } from './delivery-row.ts';
import { needsOf } from './needs.ts';
import type { Tables } from './tables.ts';

/** Writes a firing down with a delivery for each step that was not decided before. */
export async function commitFiring(trx: Transaction<Tables>, firing: Firing, nowMs: number): Promise<void> {
  const { id, rule, episode, section, atMs, scope, names, sees, steps } = firing;
  const { numInsertedOrUpdatedRows: inserted } = await trx
    .insertInto('firing')
    .values({ id, rule, episode, section, at_ms: atMs, scope: JSON.stringify(scope), names: JSON.stringify(names) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  if (inserted === 0n || steps.length === 0) return;

  // A step that was withdrawn, or had nothing to say the last time, may be decided again under its old key.
  const keys = steps.map(({ key }) => key);
  await trx.deleteFrom('delivery').where('id', 'in', keys).where('state', '=', 'skipped').execute();
  const added = await trx
    .insertInto('delivery')
    .values(steps.map((step) => newDeliveryRow(step, firing, nowMs)))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();

  const seen =
    sees.length > 0 ? await trx.selectFrom('delivery').select(['id', 'step', 'account']).where('firing', 'in', sees).execute() : [];
  const fresh = new Set(added.map((row) => row.id));
  const needs = needsOf(firing, seen).filter(({ delivery }) => fresh.has(delivery));
  if (needs.length > 0) await trx.insertInto('need').values(needs).execute();
}

/** Takes back what nothing has come of yet; what is being sent stays. */
export async function withdraw(trx: Transaction<Tables>, { rule, episode, section, reason }: Withdrawal): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ state: 'skipped', reason })
    .where('rule', '=', rule)
    .where('episode', '=', episode)
    .where('section', '=', section)
    .where('state', '=', 'pending')
    .execute();
}
