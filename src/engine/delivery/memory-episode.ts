import { lastOfEpisode, type Needed } from '#src/rules/needs.ts';
import { MOST_EARLIER } from './delivery-rows.ts';
import type { Delivery } from './delivery.ts';
import { toWaitsUntilMs, type MemoryDelivery } from './memory-delivery.ts';
import { toNeeded } from './prepare.ts';

/** Those of the deliveries of an episode that `DeliveryRows.ofEpisode` returns. */
export function lastInMemory(
  rows: ReadonlySet<MemoryDelivery>,
  { rule }: Pick<Delivery, 'rule'>,
  steps: readonly string[],
): readonly MemoryDelivery[] {
  return steps.flatMap((wanted) => {
    const its = [...rows].filter(({ delivery: { rule: of, section, step, after, state } }) => {
      return of === rule && section === 'then' && step === wanted && after === undefined && state !== 'skipped' && state !== 'failed';
    });
    const newestFirst = its.toSorted((a, b) => b.seq - a.seq).slice(0, MOST_EARLIER);
    return lastOfEpisode(newestFirst.map((row) => ({ row, ...row.delivery }))).map(({ row }) => row);
  });
}

/** Deliveries as `needsOf` takes them. */
export function neededRows(rows: readonly MemoryDelivery[]): readonly Needed[] {
  return rows.map((row) => toNeeded({ ...row.delivery, waitsUntilMs: toWaitsUntilMs(row) }));
}
