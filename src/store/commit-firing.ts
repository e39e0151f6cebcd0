import type { Insertable, Transaction } from 'kysely';
import { toNeeded } from '#src/engine/delivery/prepare.ts';
import type { Firing } from '#src/rules/firing.ts';
import { episodeReads, needsOf, waitsOf, type Needed } from '#src/rules/needs.ts';
import { chunks, toFlag } from './columns.ts';
import { newDeliveryRow, waitsUntilMs } from './delivery-row.ts';
import { findOfEpisode } from './delivery-steps.ts';
import { isOneOf } from './json-list.ts';
import { prepared, preparedInsert } from './prepared.ts';
import { searchSinceMs, type DoubtfulRestore } from './restores.ts';
import { settledColumn } from './settled-column.ts';
import type { Tables } from './tables.ts';

const insertFirings = preparedInsert((db, rows: readonly Insertable<Tables['firing']>[]) =>
  db
    .insertInto('firing')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id'),
);

const deleteSkipped = prepared((db, { keys }: { readonly keys: readonly string[] }) =>
  db.deleteFrom('delivery').where(isOneOf('id', keys)).where('state', '=', 'skipped'),
);

/** An attempt that was withdrawn while it ran is decided again. */
const restoreWithdrawn = prepared((db, { keys }: { readonly keys: readonly string[] }) =>
  db
    .updateTable('delivery')
    .set({ withdrawn: null })
    .where(isOneOf('id', keys))
    .where('state', '=', 'sending')
    .where('withdrawn', 'is not', null),
);

const insertDeliveries = preparedInsert((db, rows: readonly Insertable<Tables['delivery']>[]) =>
  db
    .insertInto('delivery')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id'),
);

/** Writes a firing down with a delivery for each step that was not decided before. Resolves with the ids of these deliveries. */
export async function commitFiring(
  trx: Transaction<Tables>,
  firing: Firing,
  { nowMs, restores }: { readonly nowMs: number; readonly restores: readonly DoubtfulRestore[] },
): Promise<ReadonlySet<string>> {
  const { id, rule, episode, section, atMs, scope, names, sees, steps } = firing;
  const inserted = await insertFirings(trx, [
    { id, rule, episode, section, at_ms: atMs, scope: JSON.stringify(scope), names: JSON.stringify(names) },
  ]);
  if (inserted.length === 0 || steps.length === 0) return new Set();

  const searchMs = searchSinceMs(firing, restores);
  // A step that was withdrawn, or had nothing to say the last time, may be decided again under its old key.
  const seen = await findSeen(trx, sees);
  const read = episodeReads(firing);
  const earlier = read.length === 0 ? [] : (await findOfEpisode(trx, firing, read)).map(toNeeded);
  const needed = needsOf(firing, seen, earlier);
  const waits = waitsOf(needed, [...seen, ...earlier]);
  const keys = steps.map(({ key }) => key);
  await deleteSkipped(trx, { keys });
  const added = await insertDeliveries(
    trx,
    steps.map((step) => {
      const row = newDeliveryRow(step, firing, { nowMs, waitsUntilMs: waits.get(step.key) });
      return { ...row, ...settledColumn(trx, row), search_ms: searchMs };
    }),
  );

  if (added.length < keys.length) await restoreWithdrawn(trx, { keys });
  const fresh = new Set(added.map((row) => row.id));
  const needs = needed.filter(({ delivery }) => fresh.has(delivery));
  const rows = needs.map((need) => ({ ...need, reads: toFlag(need.reads), stops: toFlag(need.stops) }));
  for (const some of chunks(rows)) await trx.insertInto('need').values(some).execute();
  return fresh;
}

/** The deliveries of the firings that another one sees, by position. */
async function findSeen(trx: Transaction<Tables>, firings: readonly string[]): Promise<readonly Needed[]> {
  if (firings.length === 0) return [];
  const seen = trx
    .selectFrom('delivery')
    .select(['id', 'step', 'account', 'after', 'state', 'created_ms', 'begins_ms'])
    .where('firing', 'in', firings);
  const rows = await seen.orderBy('position').orderBy('part').execute();
  return rows.map(({ after, ...row }) => toNeeded({ ...row, after: after ?? undefined, waitsUntilMs: waitsUntilMs(row) }));
}
