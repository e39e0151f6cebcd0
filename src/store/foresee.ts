import type { Kysely } from 'kysely';
import type { Prepared } from '#src/outbox/deliveries.ts';
import { isSettled } from '#src/outbox/delivery.ts';
import type { Firing } from '#src/rules/firing.ts';
import { needsOf } from '#src/rules/needs.ts';
import { resultsOf } from '#src/rules/results.ts';
import { newDelivery } from './delivery-row.ts';
import { isOpen } from './due.ts';
import { findStopper, toRead } from './prepare.ts';
import type { Tables } from './tables.ts';

/** What `Deliveries.foresee` promises. */
export async function foresee(db: Kysely<Tables>, firing: Firing): Promise<readonly Prepared[] | undefined> {
  const { rule, episode, section, sees, steps, scope, names, atMs } = firing;
  // What an earlier poll decided may be sent any moment: then it is that which is compared with.
  const open = db
    .selectFrom('delivery')
    .select('id')
    .where((eb) => eb.and({ rule, episode, section }))
    .where(isOpen('delivery'));
  if (await open.limit(1).executeTakeFirst()) return undefined;
  const seen =
    sees.length === 0
      ? []
      : await db
          .selectFrom('delivery')
          .select(['id', 'step', 'account', 'element', 'state', 'plan', 'why', 'result', 'after'])
          .where('firing', 'in', sees)
          .orderBy('turn')
          .orderBy('part')
          .execute();
  const needs = needsOf(
    firing,
    seen.map((row) => ({ ...row, isTail: row.after !== null })),
  );
  const rows = new Map(seen.map((row) => [row.id, row]));

  const prepared: Prepared[] = [];
  for (const planned of steps) {
    const { key, step } = planned;
    const its = needs.filter(({ delivery }) => delivery === key);
    const needed = its.flatMap(({ needed: id, ...how }) => {
      const row = rows.get(id);
      return row ? [{ ...how, row }] : [];
    });
    const waits = needed.length < its.length || needed.some(({ row }) => !isSettled(row) || row.state === 'unknown');
    if (waits || step.afterMs) return undefined;
    const failed = needed.find(({ stops, row }) => stops && row.state === 'failed')?.row;
    const read = needed.filter(({ reads }) => reads).map(({ row }) => toRead(row));
    prepared.push({
      due: { delivery: newDelivery(planned, firing, atMs), step, scope, names },
      results: resultsOf(read, names),
      stoppedBy: failed && (await findStopper(db, failed)),
    });
  }
  return prepared;
}
