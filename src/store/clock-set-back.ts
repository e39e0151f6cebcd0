import { sql, type Kysely, type SqlBool, type Transaction, type Updateable } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { ClockSetBack, Episode, RuleMemory } from '#src/rules/episode.ts';
import { monthAt } from '#src/clients/operation/spending.ts';
import { episodeNotAfter, memoryNotAfter } from '#src/rules/evaluate/clock-set-back.ts';
import { fromOptionalText, fromText, toText } from './columns.ts';
import { isOpen } from './delivery-needs.ts';
import { lockTable } from './dialect.ts';
import { planEarlyPauses } from './planned-pauses.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

/** How far back the search for a lost record goes if no earlier delivery bounds it. */
const SEARCHED_MS = 7 * 86_400_000;
const DAY_MS = 86_400_000;

/** Corrects stored instants after the clock was ahead. */
export interface StoredClock {
  /** How far the last slot of a rule is in the future; 0 if it is not. */
  aheadMs(): Promise<number>;
  /**
   * Moves stored instants from the future to now, so that they block no rule and no delivery.
   *
   * Resolves with the distance of the last slot. It must run before any other work of this process on the state.
   */
  continueFromNow(): Promise<number>;
  /** The last correction; undefined if there was none. */
  lastSetBack(): Promise<ClockSetBack | undefined>;
}

/** The stored instants in the database. */
export function createStoredClock(db: Kysely<Tables>, clock: Clock): StoredClock {
  return {
    aheadMs: () => findAheadMs(db, clock.nowMs()),

    continueFromNow: () =>
      inTransaction(db, async (trx) => {
        // Other processes that still have the earlier time wait, and continue the state again when they restart.
        await lockTable(trx, 'rule_state');
        await lockTable(trx, 'delivery');
        const nowMs = clock.nowMs();
        const aheadMs = await findAheadMs(trx, nowMs);
        await setRulesBack(trx, nowMs);
        await planEarlyPauses(trx, nowMs);
        await setDeliveriesBack(trx, nowMs);
        await setSpendingBack(trx, nowMs);
        // Otherwise, a request that a killed process began would run until the earlier time.
        await trx.updateTable('repeated_request').set({ at_ms: nowMs }).where('at_ms', '>', nowMs).execute();
        await trx.updateTable('watched_user').set({ since_ms: nowMs }).where('since_ms', '>', nowMs).execute();
        await trx.updateTable('counted_question').set({ asked_ms: nowMs }).where('asked_ms', '>', nowMs).execute();
        await trx.updateTable('open_answer').set({ asked_ms: nowMs }).where('asked_ms', '>', nowMs).execute();
        return aheadMs;
      }),

    async lastSetBack() {
      const rows = await db.selectFrom('rule_state').select('clock_set_back').where('clock_set_back', 'is not', null).execute();
      const all = rows.flatMap(({ clock_set_back }) => fromOptionalText<ClockSetBack>(clock_set_back) ?? []);
      return all.toSorted((a, b) => a.atMs - b.atMs).at(-1);
    },
  };
}

async function findAheadMs(db: Kysely<Tables>, nowMs: number): Promise<number> {
  const row = await db
    .selectFrom('rule_state')
    .select(({ fn }) => fn.max('slot_ms').as('last_ms'))
    .executeTakeFirst();
  return Math.max(0, (row?.last_ms ?? 0) - nowMs);
}

async function setRulesBack(trx: Transaction<Tables>, nowMs: number): Promise<void> {
  const states = await trx.selectFrom('rule_state').select(['rule', 'slot_ms', 'wake_ms', 'memory']).where('slot_ms', '>', nowMs).execute();
  for (const { rule, slot_ms, wake_ms, memory } of states) {
    const known = fromOptionalText<RuleMemory>(memory);
    const continued = known && memoryNotAfter(known, { nowMs, byMs: slot_ms - nowMs });
    await trx
      .updateTable('rule_state')
      // The awaited instant may have passed, so the rule runs at once.
      .set({ slot_ms: nowMs, wake_ms: wake_ms === null ? null : nowMs + 1, memory: toText(continued) })
      .where('rule', '=', rule)
      .execute();
    for (const { id, body } of await trx.selectFrom('episode').select(['id', 'body']).where('rule', '=', rule).execute()) {
      const changed = JSON.stringify(episodeNotAfter(fromText<Episode>(body), nowMs));
      if (changed !== body) await trx.updateTable('episode').set({ body: changed }).where('rule', '=', rule).where('id', '=', id).execute();
    }
  }
}

/** Counts the spending of future months as spending of this month, in which the platform bills it. */
async function setSpendingBack(trx: Transaction<Tables>, nowMs: number): Promise<void> {
  const month = monthAt(nowMs);
  // The clocks of several processes differ a little around the start of a month.
  const future = await trx
    .deleteFrom('spent')
    .where('month', '>', monthAt(nowMs + DAY_MS))
    .returning(['account', 'micro_usd'])
    .execute();
  for (const { account, micro_usd } of future) {
    await trx
      .insertInto('spent')
      .values({ account, month, micro_usd })
      .onConflict((conflict) =>
        conflict.columns(['account', 'month']).doUpdateSet((eb) => ({ micro_usd: eb('spent.micro_usd', '+', micro_usd) })),
      )
      .execute();
  }
}

/** Keeps the waiting times of deliveries, counted from now. */
async function setDeliveriesBack(trx: Transaction<Tables>, nowMs: number): Promise<void> {
  const open = await aheadOf(trx, nowMs).where(isOpen('delivery')).execute();
  // Each condition has an index, and SQLite uses it only if the conditions are in different statements.
  const unknown = await aheadOf(trx, nowMs)
    .where(sql<SqlBool>`delivery.state = 'unknown'`)
    .execute();
  // Earlier deliveries still bound the creation time.
  const rows = [...open, ...unknown].toSorted((a, b) => b.seq - a.seq);
  for (const { seq, at_ms, created_ms, begins_ms, due_ms, expires_ms, since_ms, attempted_ms, lost_ms, give_up_ms } of rows) {
    const createdMs = Math.max(0, created_ms - nowMs);
    const attemptedMs = Math.max(0, (attempted_ms ?? 0) - nowMs);
    const columns: Updateable<Tables['delivery']> = { created_ms: created_ms - createdMs };
    // A person chose the time of a scheduled post, so a wrong clock does not change it.
    const isScheduled = at_ms > created_ms;
    if (!isScheduled) {
      columns.begins_ms = begins_ms - createdMs;
      columns.expires_ms = expires_ms === null ? null : expires_ms - createdMs;
    }
    if (attempted_ms !== null) {
      columns.attempted_ms = attempted_ms - attemptedMs;
      columns.due_ms = due_ms - attemptedMs;
    } else if (!isScheduled) {
      columns.due_ms = due_ms - createdMs;
    }
    if (lost_ms !== null && lost_ms > nowMs) columns.lost_ms = nowMs;
    if (since_ms !== null && since_ms > nowMs) {
      columns.since_ms = await findBefore(trx, { seq, nowMs });
      columns.give_up_ms = give_up_ms === null ? null : give_up_ms - (since_ms - nowMs);
    }
    await trx.updateTable('delivery').set(columns).where('seq', '=', seq).execute();
  }
}

/** Deliveries with an instant in the future. */
function aheadOf(trx: Transaction<Tables>, nowMs: number) {
  return trx
    .selectFrom('delivery')
    .innerJoin('firing', 'firing.id', 'delivery.firing')
    .select([
      'delivery.seq',
      'firing.at_ms',
      'created_ms',
      'begins_ms',
      'due_ms',
      'expires_ms',
      'since_ms',
      'attempted_ms',
      'lost_ms',
      'give_up_ms',
    ])
    .where((eb) => eb.or([eb('created_ms', '>', nowMs), eb('attempted_ms', '>', nowMs), eb('since_ms', '>', nowMs)]));
}

/** An instant before the beginning of a delivery, for the search for its record. The stored beginning came from the wrong clock. */
async function findBefore(trx: Transaction<Tables>, { seq, nowMs }: { readonly seq: number; readonly nowMs: number }): Promise<number> {
  const earlier = await trx
    .selectFrom('delivery')
    .select('created_ms')
    .where('seq', '<', seq)
    .where('created_ms', '<=', nowMs)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return earlier?.created_ms ?? nowMs - SEARCHED_MS;
}
