import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '#src/clock.ts';
import { RETIRED } from '#src/outbox/question.ts';
import { NEW_STATE, type Episode, type RuleMemory, type StateChange } from '#src/rules/episode.ts';
import type { Commit, RuleStates } from '#src/scheduler/rule-states.ts';
import { chunks } from './chunks.ts';
import { becauseColumns, fromOptionalText, fromText, toText } from './columns.ts';
import { commitFiring, withdraw } from './commit-firing.ts';
import { commitDecisions } from './decision-log.ts';
import { isOpen } from './due.ts';
import { grouped } from './grouped.ts';
import { findPauses, findPerson, toPausedBy, pauseRule, rested, resumeRule, silence } from './pauses.ts';
import type { Tables } from './tables.ts';
import { waiting } from './waiting.ts';

export interface RuleStatesOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Comes before each commit. */
  readonly tidy: () => Promise<void>;
}

/** The state of the rules, in the database. */
export function createRuleStates({ db, clock, tidy }: RuleStatesOptions): RuleStates {
  const write = grouped(db);
  return {
    async load(rule) {
      const row = await db
        .selectFrom('rule_state')
        .leftJoin('paused_rule', 'paused_rule.rule', 'rule_state.rule')
        .select(['memory', 'person', 'at_ms'])
        .where('rule_state.rule', '=', rule)
        .executeTakeFirst();
      const paused = row ? toPausedBy(row) : await findPerson(db, rule);
      const delivering = await countDelivering(db, rule);
      const episodes = await db.selectFrom('episode').select(['id', 'body']).where('rule', '=', rule).execute();
      return {
        memory: fromOptionalText<RuleMemory>(row?.memory ?? null) ?? NEW_STATE.memory,
        episodes: new Map(episodes.map(({ id, body }) => [id, fromText<Episode>(body)])),
        ...(delivering.size > 0 && { delivering }),
        ...(paused && { paused }),
      };
    },

    async lastSlots() {
      const rows = await db.selectFrom('rule_state').select(['rule', 'slot_ms', 'wake_ms']).execute();
      return new Map(rows.map(({ rule, slot_ms, wake_ms }) => [rule, { slotMs: slot_ms, wakeMs: wake_ms ?? undefined }]));
    },

    async retire(rule) {
      const because = becauseColumns(RETIRED);
      await db.transaction().execute(async (trx) => {
        const its = trx.updateTable('delivery').where('rule', '=', rule);
        await its
          .set({ state: 'skipped', ...because })
          .where('state', '=', 'pending')
          .execute();
        // The question stands where it was asked: the outbox closes it.
        await its
          .set({ due_ms: clock.nowMs(), ...because })
          .where('state', '=', 'asked')
          .execute();
        await trx.updateTable('rule_state').set({ retired_ms: clock.nowMs() }).where('rule', '=', rule).execute();
      });
    },

    paused: () => findPauses(db),
    pause: (rule, by) => db.transaction().execute((trx) => pauseRule(trx, rule, { by, atMs: clock.nowMs() })),
    resume: (rule) => db.transaction().execute((trx) => resumeRule(trx, rule)),

    async commit(commit) {
      await tidy();
      return write(async (trx) => {
        if ((await hasFired(trx, commit)) || !(await takeSlot(trx, commit))) return false;
        const { rule, change, firings, withdrawals, decisions } = commit;
        if (change) await changeEpisodes(trx, rule, change);
        // What is taken back is of earlier slots: the firings of this one come after it.
        for (const withdrawal of withdrawals) await withdraw(trx, withdrawal);
        for (const firing of firings) await commitFiring(trx, firing, clock.nowMs());
        // The slot may have begun before somebody paused the rule.
        const pause = firings.length > 0 ? await findPerson(trx, rule) : undefined;
        if (pause) await silence(trx, rule, pause.by);
        await commitDecisions(trx, decisions);
        return true;
      });
    },
  };
}

/** How many firings of `then` have something left to do, by queue; what waits for the operator may do so for ever. */
async function countDelivering(db: Kysely<Tables>, rule: string): Promise<ReadonlyMap<string, number>> {
  const isOneOpen = db
    .selectFrom('delivery')
    .select('id')
    .where('rule', '=', rule)
    .where('section', '=', 'then')
    .where(isOpen('delivery'))
    .limit(1);
  // Of most rules nothing is under way: it costs much less to ask that than who waits for whom.
  if (!(await isOneOpen.executeTakeFirst())) return new Map();
  const rows = await waiting(db)
    .selectFrom('delivery')
    .select((eb) => ['queue', eb.fn.count<number>('firing').distinct().as('firings')])
    .where('rule', '=', rule)
    .where('section', '=', 'then')
    .where(isOpen('delivery'))
    .where('id', 'not in', (eb) => eb.selectFrom('on_operator').select('on_operator.id'))
    .groupBy('queue')
    .execute();
  return new Map(rows.map(({ queue, firings }) => [queue, Number(firings)]));
}

/** Whether the rule fired at this very slot before: the clock showed the instant a second time. */
async function hasFired(trx: Transaction<Tables>, { firings, slotMs }: Commit): Promise<boolean> {
  if (firings.length === 0) return false;
  const ids = firings.map(({ id }) => id);
  for (const some of chunks(ids)) {
    const same = trx.selectFrom('firing').select('id').where('id', 'in', some).where('at_ms', '=', slotMs);
    if (await same.limit(1).executeTakeFirst()) return true;
  }
  return false;
}

/** False: this slot of the rule, or a later one, was there already. */
async function takeSlot(trx: Transaction<Tables>, { rule, slotMs, change, wakeMs }: Commit): Promise<boolean> {
  const memory = change && (await asResumed(trx, rule, change.memory));
  const { numInsertedOrUpdatedRows: taken } = await trx
    .insertInto('rule_state')
    .values({ rule, slot_ms: slotMs, wake_ms: wakeMs ?? null, memory: toText(memory) })
    .onConflict((conflict) =>
      conflict
        .column('rule')
        .doUpdateSet((eb) => ({
          slot_ms: eb.ref('excluded.slot_ms'),
          wake_ms: eb.ref('excluded.wake_ms'),
          retired_ms: null,
          memory: eb.fn.coalesce('excluded.memory', 'rule_state.memory'),
        }))
        .whereRef('rule_state.slot_ms', '<', 'excluded.slot_ms'),
    )
    .executeTakeFirstOrThrow();
  return taken !== 0n;
}

/** The memory; of a slot that began before the operator resumed the rule, as if it had begun behind that. */
async function asResumed(trx: Transaction<Tables>, rule: string, memory: RuleMemory): Promise<RuleMemory> {
  if (memory.blownMs === undefined) return memory;
  const row = await trx.selectFrom('rule_state').select('resumes').where('rule', '=', rule).executeTakeFirst();
  return row && row.resumes > (memory.resumes ?? 0) ? rested(memory, row.resumes) : memory;
}

async function changeEpisodes(trx: Transaction<Tables>, rule: string, { put, drop, past = [] }: StateChange): Promise<void> {
  for (const ids of chunks(drop)) await trx.deleteFrom('episode').where('rule', '=', rule).where('id', 'in', ids).execute();
  for (const episodes of chunks(put)) {
    await trx
      .insertInto('episode')
      .values(episodes.map((one) => ({ rule, id: one.id, body: JSON.stringify(one) })))
      .onConflict((conflict) => conflict.columns(['rule', 'id']).doUpdateSet((eb) => ({ body: eb.ref('excluded.body') })))
      .execute();
  }
  for (const episodes of chunks(past)) {
    await trx
      .insertInto('past_episode')
      .values(
        episodes.map((one) => ({
          rule,
          id: one.id,
          started_ms: one.startedMs,
          closed_ms: one.closedMs ?? one.lastSeenMs,
          body: JSON.stringify(one),
        })),
      )
      .onConflict((conflict) => conflict.columns(['rule', 'id']).doNothing())
      .execute();
  }
}
