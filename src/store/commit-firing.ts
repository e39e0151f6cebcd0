import type { Insertable, Transaction } from 'kysely';
import { canonical } from '#src/clients/operation/json.ts';
import { toNeeded } from '#src/engine/delivery/prepare.ts';
import { hash, type Firing, type PlannedStep } from '#src/rules/firing.ts';
import { episodeReads, needsOf, waitsOf, type Needed } from '#src/rules/needs.ts';
import type { Step } from '#src/rules/step.ts';
import { chunks, fromText, toFlag } from './columns.ts';
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

/** A withdrawn delivery may be decided again. The new ones are inserted again behind it, in the order of their steps. */
const deleteDecidedAgain = prepared((db, { keys, added }: { readonly keys: readonly string[]; readonly added: readonly string[] }) =>
  db
    .deleteFrom('delivery')
    .where(isOneOf('id', keys))
    .where((eb) => eb.or([eb('state', '=', 'skipped'), isOneOf('id', added)])),
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
  decided: Firing,
  { nowMs, restores }: { readonly nowMs: number; readonly restores: readonly DoubtfulRestore[] },
): Promise<ReadonlySet<string>> {
  const { id, rule, episode, section, atMs, scope, names, sees } = decided;
  const inserted = await insertFirings(trx, [
    { id, rule, episode, section, at_ms: atMs, scope: JSON.stringify(scope), names: JSON.stringify(names) },
  ]);
  if (inserted.length === 0 || decided.steps.length === 0) return new Set();

  const steps = await withFirstKeys(trx, decided);
  const firing = { ...decided, steps };
  const searchMs = searchSinceMs(firing, restores);
  // A step that was withdrawn, or had nothing to say the last time, may be decided again under its old key.
  const seen = await findSeen(trx, sees);
  const read = episodeReads(firing);
  const earlier = read.length === 0 ? [] : (await findOfEpisode(trx, firing, read)).map(toNeeded);
  const needed = needsOf(firing, seen, earlier);
  const waits = waitsOf(needed, [...seen, ...earlier]);
  const deliveries = steps.map((step) => {
    const row = newDeliveryRow(step, firing, { nowMs, waitsUntilMs: waits.get(step.key) });
    return { ...row, ...settledColumn(trx, row), search_ms: searchMs };
  });
  let added = await insertDeliveries(trx, deliveries);
  if (added.length < steps.length) {
    const keys = steps.map(({ key }) => key);
    await deleteDecidedAgain(trx, { keys, added: added.map((row) => row.id) });
    added = await insertDeliveries(trx, deliveries);
    await restoreWithdrawn(trx, { keys });
  }
  const fresh = new Set(added.map((row) => row.id));
  const needs = needed.filter(({ delivery }) => fresh.has(delivery));
  const rows = needs.map((need) => ({ ...need, reads: toFlag(need.reads), stops: toFlag(need.stops) }));
  for (const some of chunks(rows)) await trx.insertInto('need').values(some).execute();
  return fresh;
}

/**
 * The steps with the keys that they had when their episode ended for the first time. The rule may have another id since then, and its steps other
 * positions and names, and they create nothing a second time. A new step has a new key, even in the position of another one.
 */
async function withFirstKeys(
  trx: Transaction<Tables>,
  { rule, episode, section, occasion, steps }: Firing,
): Promise<readonly PlannedStep[]> {
  const creating = steps.filter(({ step }) => step.creates);
  if (section !== 'finally' || occasion === '1' || creating.length === 0) return steps;
  const rows = await trx
    .selectFrom('delivery')
    .select(['id', 'step', 'account', 'plan'])
    .where((eb) => eb.and({ rule, episode, section, creates: 1, element: '' }))
    .where('after', 'is', null)
    .orderBy('seq')
    .execute();
  const first = rows.map(({ plan, ...row }) => ({ ...row, plan: fromText<Step>(plan) }));
  const keys = new Map<PlannedStep, string>();
  const taken = new Set<string>();
  const take = (isSame: (row: (typeof first)[number], planned: PlannedStep) => boolean): void => {
    for (const planned of creating.filter((one) => !keys.has(one))) {
      const row = first.find((one) => !taken.has(one.id) && one.account === planned.account && isSame(one, planned));
      if (!row) continue;
      keys.set(planned, row.id);
      taken.add(row.id);
    }
  };
  // An id names a step for good, but its position is that of another step after an edit.
  take((row, { step }) => row.step === step.id);
  take(({ plan }, { step }) => contentOf(plan) === contentOf(step));
  take((row, { step, index }) => row.step === (step.id ?? String(index)));
  // A step that was moved and edited cannot be told from a new one, and a post too few is better than a second one.
  take(({ plan }, { step }) => plan.id === undefined && step.id === undefined && plan.do === step.do);
  return steps.map((planned) => {
    const { key } = planned;
    return { ...planned, key: keys.get(planned) ?? (taken.has(key) ? hash(key, occasion) : key) };
  });
}

/** What a step creates. */
function contentOf({ do: verb, with: params, forEach }: Step): string {
  return canonical([verb, params, forEach ?? null]);
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
