import type { Transaction } from 'kysely';
import type { Delivery, Part } from '#src/outbox/delivery.ts';
import { chunks } from './chunks.ts';
import { toText } from './columns.ts';
import type { Tables } from './tables.ts';

/** More than a thread has parts: between two elements of a list there is room for the threads that they become. */
const ROOM = 100;

type ElementPart = Extract<Part, { readonly element: unknown }>;
type Tail = Extract<Part, { readonly after: unknown }>;

/** Puts deliveries in the place of one, or behind it: whatever waits for that one waits for them, too. */
export async function insertParts(trx: Transaction<Tables>, delivery: Delivery, parts: readonly Part[]): Promise<void> {
  // One that was withdrawn may be decided again under its old key; what was sent stays.
  for (const keys of chunks(keysOf(parts)))
    await trx.deleteFrom('delivery').where('id', 'in', keys).where('state', '=', 'skipped').execute();
  const { seq: _seq, turn, part, ...whole } = await findWhole(trx, delivery.id);
  const rows = parts.map((one, index) => ({
    ...whole,
    head: turn,
    state: 'pending' as const,
    attempts: 0,
    since_ms: null,
    attempted_ms: null,
    lost_ms: null,
    give_up_ms: null,
    omitted: null,
    fault: null,
    message: null,
    reason: null,
    why: null,
    ...('element' in one ? elementColumns(one, part + (index + 1) * ROOM) : tailColumns(one, part + index + 1)),
  }));
  for (const some of chunks(rows)) {
    await trx
      .insertInto('delivery')
      .values(some)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
  await needLikeWhole(
    trx,
    delivery.id,
    parts.filter((one) => 'element' in one),
  );
  await needAfter(
    trx,
    delivery.id,
    parts.filter((one) => 'after' in one),
  );
}

function findWhole(trx: Transaction<Tables>, id: string) {
  return trx.selectFrom('delivery').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

function elementColumns({ id, element: { key, ...element } }: ElementPart, part: number) {
  return { id, part, element: key, it: JSON.stringify(element), params: null };
}

/** It goes out however late: the thread has begun. */
function tailColumns({ id, params, after }: Tail, part: number) {
  return { id, part, after, it: null, params: toText(params), expires_ms: null };
}

/** An element needs what the whole does, and is needed by whoever needs that; from now on it says itself whether it is sent afresh. */
async function needLikeWhole(trx: Transaction<Tables>, whole: string, elements: readonly ElementPart[]): Promise<void> {
  for (const keys of chunks(keysOf(elements))) {
    await trx
      .insertInto('need')
      .columns(['delivery', 'needed', 'reads', 'stops'])
      .expression((eb) =>
        eb
          .selectFrom('need')
          .innerJoin('delivery as part', (join) => join.on('part.id', 'in', keys))
          .select(['part.id', 'need.needed', 'need.reads', 'need.stops'])
          .where('need.delivery', '=', whole)
          .unionAll(
            eb
              .selectFrom('need')
              .innerJoin('delivery as part', (join) => join.on('part.id', 'in', keys))
              .select(['need.delivery as id', 'part.id as needed', 'need.reads', 'need.stops'])
              .where('need.needed', '=', whole),
          ),
      )
      .onConflict((conflict) => conflict.columns(['delivery', 'needed']).doNothing())
      .execute();
  }
  if (elements.length > 0) await trx.updateTable('delivery').set({ afresh: 0 }).where('id', '=', whole).execute();
}

/** A later post needs the one before it; it is waited for by whoever waits for the whole, but not by who only reads what that gives. */
async function needAfter(trx: Transaction<Tables>, whole: string, tails: readonly Tail[]): Promise<void> {
  if (tails.length === 0) return;
  const waiting = await trx
    .selectFrom('need')
    .select(['delivery', 'stops'])
    .where('needed', '=', whole)
    .where((eb) => eb.or([eb('reads', '=', 0), eb('stops', '=', 1)]))
    .execute();
  const needs = tails.flatMap(({ id, after }) => [
    { delivery: id, needed: after, reads: 1 as const, stops: 0 as const },
    ...waiting.map(({ delivery, stops }) => ({ delivery, needed: id, reads: 0 as const, stops })),
  ]);
  for (const some of chunks(needs)) {
    await trx
      .insertInto('need')
      .values(some)
      .onConflict((conflict) => conflict.columns(['delivery', 'needed']).doNothing())
      .execute();
  }
}

function keysOf(parts: readonly Part[]): readonly string[] {
  return parts.map(({ id }) => id);
}
