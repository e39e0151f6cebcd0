import type { Transaction } from 'kysely';
import { isWithdrawn, isWithdrawnByPause } from '#src/delivery/ordering.ts';
import { toNeeded } from '#src/delivery/prepare.ts';
import { withDeliveryMessage, type DeliveryReason } from '#src/delivery/reason.ts';
import type { Firing, Withdrawal } from '#src/rules/firing.ts';
import { needsOf, type Needed } from '#src/rules/needs.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';
import { chunks, reasonColumns, toFlag } from './columns.ts';
import { isOpen } from './delivery-needs.ts';
import { newDeliveryRow } from './delivery-row.ts';
import { searchSinceMs } from './restores.ts';
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

  const searchMs = await searchSinceMs(trx, firing, nowMs);
  // A step that was withdrawn, or had nothing to say the last time, may be decided again under its old key.
  const keys = steps.map(({ key }) => key);
  await trx.deleteFrom('delivery').where('id', 'in', keys).where('state', '=', 'skipped').execute();
  const added = await trx
    .insertInto('delivery')
    .values(steps.map((step) => ({ ...newDeliveryRow(step, firing, nowMs), search_ms: searchMs })))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();

  const fresh = new Set(added.map((row) => row.id));
  const needs = needsOf(firing, await findSeen(trx, sees)).filter(({ delivery }) => fresh.has(delivery));
  const rows = needs.map((need) => ({ ...need, reads: toFlag(need.reads), stops: toFlag(need.stops) }));
  for (const some of chunks(rows)) await trx.insertInto('need').values(some).execute();
}

/** The deliveries of the firings that another one sees, by position. */
async function findSeen(trx: Transaction<Tables>, firings: readonly string[]): Promise<readonly Needed[]> {
  if (firings.length === 0) return [];
  const seen = trx.selectFrom('delivery').select(['id', 'step', 'account', 'after']).where('firing', 'in', firings);
  const rows = await seen.orderBy('turn').orderBy('part').execute();
  return rows.map(({ after, ...row }) => toNeeded({ ...row, after: after ?? undefined }));
}

/** Withdraws the deliveries of a section that are not begun. */
export async function withdraw(
  trx: Transaction<Tables>,
  { rule, of, section, ...because }: Pick<Withdrawal, 'rule' | 'of' | 'section'> & Explained<DeliveryReason>,
): Promise<void> {
  const deliveries = await pendingOf(trx, rule)
    .where((eb) => eb.and(of))
    .where('section', '=', section)
    .execute();
  await skip(
    trx,
    deliveries.filter((row) => isWithdrawn({ ...row, after: row.after ?? undefined })),
    because,
  );
}

/** Withdraws everything new that a paused rule has not begun. */
export async function withdrawForPause(trx: Transaction<Tables>, rule: string, by: string): Promise<void> {
  const deliveries = await pendingOf(trx, rule).execute();
  const withdrawn = deliveries.filter((row) => isWithdrawnByPause({ ...row, after: row.after ?? undefined, creates: row.creates === 1 }));
  await skip(trx, withdrawn, withDeliveryMessage({ kind: 'pausedBy', by }));
}

function pendingOf(trx: Transaction<Tables>, rule: string) {
  const columns = ['id', 'state', 'after', 'section', 'creates'] as const;
  return trx.selectFrom('delivery').select(columns).where('rule', '=', rule).where(isOpen('delivery')).where('state', '=', 'pending');
}

async function skip(trx: Transaction<Tables>, rows: readonly { readonly id: string }[], because: Explained<DeliveryReason>): Promise<void> {
  for (const some of chunks(rows)) {
    const ids = some.map(({ id }) => id);
    await trx
      .updateTable('delivery')
      .set({ state: 'skipped', ...reasonColumns(because) })
      .where('id', 'in', ids)
      // Another process may have begun to send it.
      .where('state', '=', 'pending')
      .execute();
  }
}
