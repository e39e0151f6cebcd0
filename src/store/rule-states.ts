import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely';
import { findWaitingForOperator } from '#src/delivery/due.ts';
import type { Clock } from '#src/clock.ts';
import { RETIRED } from '#src/delivery/question.ts';
import { NEW_STATE, type Episode, type RuleMemory, type StateChange } from '#src/rules/episode.ts';
import type { Commit, RuleStates } from '#src/scheduler/rule-states.ts';
import { chunks, reasonColumns, fromOptionalText, fromText, toText } from './columns.ts';
import { commitFiring, withdraw, withdrawForPause } from './commit-firing.ts';
import { commitDecisions } from './decision-log.ts';
import { dependentsOf, isOpen, waitingNeeds } from './delivery-needs.ts';
import { groupCommit, type Write } from './group-commit.ts';
import { findPauses, findPausedBy, toPausedBy, pauseRule, withResetFuse, resumeRule } from './pauses.ts';
import type { Tables } from './tables.ts';

export interface RuleStatesOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly write?: Write | undefined;
  /** Runs before each commit. */
  readonly prune: () => Promise<void>;
}

/** The rule states in the database. */
export function createRuleStates({ db, clock, write = groupCommit(db), prune }: RuleStatesOptions): RuleStates {
  return {
    async load(rule) {
      const row = await db
        .selectFrom('rule_state')
        .leftJoin('paused_rule', 'paused_rule.rule', 'rule_state.rule')
        .select(['memory', 'person', 'at_ms'])
        .where('rule_state.rule', '=', rule)
        .executeTakeFirst();
      const paused = row ? toPausedBy(row) : await findPausedBy(db, rule);
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
      const columns = reasonColumns(RETIRED);
      await db.transaction().execute(async (trx) => {
        const its = trx.updateTable('delivery').where('rule', '=', rule).where(isOpen('delivery'));
        await its
          .set({ state: 'skipped', ...columns })
          .where('state', '=', 'pending')
          .execute();
        // The question is still visible, so the delivery engine closes it.
        await its
          .set({ due_ms: clock.nowMs(), ...columns })
          .where('state', '=', 'asked')
          .execute();
        await trx.updateTable('rule_state').set({ retired_ms: clock.nowMs() }).where('rule', '=', rule).execute();
      });
    },

    paused: () => findPauses(db),
    pause: (rule, by) => db.transaction().execute((trx) => pauseRule(trx, rule, { by, atMs: clock.nowMs() })),
    resume: (rule) => db.transaction().execute((trx) => resumeRule(trx, rule)),

    async commit(commit) {
      await prune();
      return write(async (trx) => {
        if ((await hasFired(trx, commit)) || !(await takeSlot(trx, commit))) return false;
        const { rule, change, firings, withdrawals, decisions } = commit;
        if (change) await changeEpisodes(trx, rule, change);
        // Withdrawals concern earlier slots, so they come before the firings of this slot.
        for (const withdrawal of withdrawals) await withdraw(trx, withdrawal);
        for (const firing of firings) await commitFiring(trx, firing, clock.nowMs());
        // A person may have paused the rule while the slot ran.
        const pause = firings.length > 0 ? await findPausedBy(trx, rule) : undefined;
        if (pause) await withdrawForPause(trx, rule, pause.by);
        await commitDecisions(trx, decisions);
        return true;
      });
    },
  };
}

/** The number of firings of `then` with open deliveries, by queue; without deliveries that wait for the operator, who may never resolve them. */
async function countDelivering(db: Kysely<Tables>, rule: string): Promise<ReadonlyMap<string, number>> {
  const open = db.selectFrom('delivery').where('rule', '=', rule).where('section', '=', 'then').where(isOpen('delivery'));
  // Most rules have no open delivery: this costs less than finding who waits for whom.
  if (!(await open.select('id').limit(1).executeTakeFirst())) return new Map();
  const waiting = await findWaitingForOperator({ waitingNeeds: () => waitingNeeds(db), dependents: (ids) => dependentsOf(db, ids) });
  const rows = await open
    .select((eb) => ['queue', eb.fn.count<number>('firing').distinct().as('firings')])
    .where(sql<SqlBool>`id not in (select value from json_each(${JSON.stringify([...waiting])}))`)
    .groupBy('queue')
    .execute();
  return new Map(rows.map(({ queue, firings }) => [queue, Number(firings)]));
}

/** Whether the rule already fired at this slot, because the clock showed the instant twice. */
async function hasFired(trx: Transaction<Tables>, { firings, slotMs }: Commit): Promise<boolean> {
  if (firings.length === 0) return false;
  const ids = firings.map(({ id }) => id);
  for (const some of chunks(ids)) {
    const same = trx.selectFrom('firing').select('id').where('id', 'in', some).where('at_ms', '=', slotMs);
    if (await same.limit(1).executeTakeFirst()) return true;
  }
  return false;
}

/** Takes the slot; false if this slot or a later one is already committed. */
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

/** The memory to store. If the slot began before the rule was resumed, its fuse counts from the resumption. */
async function asResumed(trx: Transaction<Tables>, rule: string, memory: RuleMemory): Promise<RuleMemory> {
  if (memory.blownMs === undefined) return memory;
  const row = await trx.selectFrom('rule_state').select('resumes').where('rule', '=', rule).executeTakeFirst();
  return row && row.resumes > (memory.resumes ?? 0) ? withResetFuse(memory, row.resumes) : memory;
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
