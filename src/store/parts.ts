import type { Transaction } from 'kysely';
import { needsOfParts, partsOf } from '#src/engine/delivery/new-delivery.ts';
import type { Part } from '#src/engine/delivery/delivery.ts';
import { chunks, toFlag, toMs } from './columns.ts';
import { toColumns } from './delivery-change-columns.ts';
import { toDelivery, toNeed } from './delivery-row.ts';
import { settledColumn } from './settled-column.ts';
import type { Tables } from './tables.ts';

/** Stores the parts of a delivery, with what they need and what needs them. */
export async function insertParts(trx: Transaction<Tables>, id: string, parts: readonly Part[]): Promise<void> {
  // A part that was withdrawn may be decided again under its old key. A part that was sent stays.
  for (const some of chunks(parts)) {
    const keys = some.map((part) => part.id);
    await trx.deleteFrom('delivery').where('id', 'in', keys).where('state', '=', 'skipped').execute();
  }
  const whole = await trx.selectFrom('delivery').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { seq: _seq, params_message: _message, position, part: first, ...row } = whole;
  const rows = partsOf(toDelivery(whole), first, parts).map(({ delivery, part, element }) => {
    const { key, ...it } = element ?? {};
    return Object.assign({}, row, toColumns(delivery), settledColumn(trx, delivery), {
      id: delivery.id,
      head: position,
      part,
      after: delivery.after ?? null,
      element: key ?? row.element,
      element_value: element ? JSON.stringify(it) : null,
      expires_ms: toMs(delivery.expiresAt),
    });
  });
  for (const some of chunks(rows)) {
    await trx
      .insertInto('delivery')
      .values(some)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
  const needs = needsOfParts(parts, {
    needs: (await trx.selectFrom('need').selectAll().where('delivery', '=', id).execute()).map(toNeed),
    dependents: (await trx.selectFrom('need').selectAll().where('needed', '=', id).execute()).map(toNeed),
  });
  for (const some of chunks(needs.map((need) => ({ ...need, reads: toFlag(need.reads), stops: toFlag(need.stops) })))) {
    await trx
      .insertInto('need')
      .values(some)
      .onConflict((conflict) => conflict.columns(['delivery', 'needed']).doNothing())
      .execute();
  }
  // From now on, each element has to be sent in any case, and not the list.
  if (parts.some((part) => 'element' in part))
    await trx.updateTable('delivery').set({ even_if_unchanged: 0 }).where('id', '=', id).execute();
}
