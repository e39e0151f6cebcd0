import type { Transaction } from 'kysely';
import type { Delivery, DeliveryChange, Reopening } from '#src/engine/delivery/delivery.ts';
import { isAnnouncement } from '#src/engine/delivery/ordering.ts';
import { changeDelivery } from './change-delivery.ts';
import { lockTable } from './dialect.ts';
import { isOneOf } from './json-list.ts';
import { findPausedBy } from './pauses.ts';
import { settledColumn } from './settled-column.ts';
import type { Tables } from './tables.ts';

/** See `DeliveryRows.reopen`. */
export async function reopenDelivery(
  trx: Transaction<Tables>,
  delivery: Delivery,
  change: DeliveryChange,
  { planned, reads = [], continues = [] }: Reopening,
): Promise<boolean> {
  // A pause that is being stored would miss the delivery.
  await lockTable(trx, 'rule_state');
  const { id, rule } = delivery;
  const nowMs = change.dueAt?.getTime() ?? 0;
  if ((await isStopped(trx, rule, nowMs)) || (await isMuted(trx, delivery)) || !(await changeDelivery(trx, delivery, change))) return false;
  if (planned) {
    const columns = { plan: JSON.stringify(planned.step), names: JSON.stringify(planned.names) };
    await trx.updateTable('delivery').set(columns).where('id', '=', id).execute();
  }
  for (const needed of reads) {
    await trx
      .insertInto('need')
      .values({ delivery: id, needed, reads: 1, stops: 0 })
      .onConflict((conflict) => conflict.columns(['delivery', 'needed']).doUpdateSet({ reads: 1 }))
      .execute();
  }
  if (continues.length > 0) {
    await trx
      .updateTable('delivery')
      .set({ state: 'pending', due_ms: nowMs, settled_ms: null, message: null, reason: null, ...settledColumn(trx, { state: 'pending' }) })
      .where(isOneOf('id', continues))
      .where('state', '=', 'skipped')
      .execute();
  }
  return true;
}

/** Whether a mute takes a delivery back. */
async function isMuted(trx: Transaction<Tables>, delivery: Delivery): Promise<boolean> {
  if (!isAnnouncement(delivery)) return false;
  const { rule, episode: id } = delivery;
  const muted = trx.selectFrom('episode').select('id').where('rule', '=', rule).where('id', '=', id).where('muted_ms', 'is not', null);
  return (await muted.where('closed_ms', 'is', null).executeTakeFirst()) !== undefined;
}

/** Whether a rule is paused or deleted. */
async function isStopped(trx: Transaction<Tables>, rule: string, nowMs: number): Promise<boolean> {
  if (await findPausedBy(trx, rule, nowMs)) return true;
  const state = trx.selectFrom('rule_state').select('rule').where('rule', '=', rule).where('retired_ms', 'is not', null);
  return (await state.executeTakeFirst()) !== undefined;
}
