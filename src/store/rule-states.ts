import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { RuleMemory, StateChange } from '#src/rules/episode.ts';
import { ReplacedRule, type Commit, type RuleStates } from '#src/scheduler/rule-states.ts';
import { chunks, toText } from './columns.ts';
import { commitFiring } from './commit-firing.ts';
import { commitDecisions } from './decision-log.ts';
import { groupCommit, type Write } from './group-commit.ts';
import { openAccounts, type LaneJobs } from './lane-jobs.ts';
import { stateLoader } from './load-states.ts';
import { findPauses, findPausedBy, pauseRule, withResetFuse, resumeRule } from './pauses.ts';
import { renameRule } from './rename-rule.ts';
import { statement } from './statement.ts';
import { isPostgres, lockRule, rowsPerStatement, withPlaceholders } from './dialect.ts';
import { inTransaction } from './transaction.ts';
import { findWithdrawnRules, keepReturned, withdraw, withdrawForPause, withdrawStopped } from './withdraw.ts';
import type { Tables } from './tables.ts';

export interface RuleStatesOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly write?: Write | undefined;
  /** Runs before each commit. */
  readonly prune: () => Promise<void>;
  readonly laneJobs?: LaneJobs | undefined;
}

/**
 * The rule states in the database.
 *
 * In PostgreSQL, each statement of a commit is a round trip, except `begin`: 2 for a slot without changes, 5 with changed episodes and a
 * decision, and 11 with a firing. Episodes, deliveries and needs are written many rows at a time.
 */
export function createRuleStates({ db, clock, write = groupCommit(db), prune, laneJobs }: RuleStatesOptions): RuleStates {
  /** Runs work in a separate transaction. */
  const alone: Write = (work) => inTransaction(db, work);

  /** Runs work on a rule that withdraws or creates deliveries, and brings their accounts to the attention of the workers. */
  async function announcing<T>(
    run: Write,
    work: (trx: Transaction<Tables>) => Promise<T>,
    accountsOf: (trx: Transaction<Tables>, result: T) => Promise<readonly string[]>,
  ): Promise<T> {
    if (!laneJobs) return run(work);
    const { result, accounts } = await run(async (trx) => {
      const made = await work(trx);
      const its = await accountsOf(trx, made);
      await laneJobs.create(trx, its);
      return { result: made, accounts: its };
    });
    laneJobs.announce(accounts);
    return result;
  }

  async function stop(rule: string, kind: 'retired' | 'disabled'): Promise<void> {
    const end = async (trx: Transaction<Tables>): Promise<void> => {
      await lockRule(trx, rule);
      const nowMs = clock.nowMs();
      if (kind === 'retired') await trx.updateTable('rule_state').set({ retired_ms: nowMs }).where('rule', '=', rule).execute();
      await withdrawStopped(trx, rule, { kind, nowMs });
    };
    await announcing(alone, end, (trx) => openAccounts(trx, rule));
  }

  return {
    load: stateLoader(db),

    async lastSlots() {
      const rows = await db.selectFrom('rule_state').select(['rule', 'slot_ms', 'wake_ms', 'retired_ms']).execute();
      return new Map(
        rows.map(({ rule, slot_ms: slotMs, wake_ms, retired_ms }) => [
          rule,
          { slotMs, wakeMs: wake_ms ?? undefined, retiredMs: retired_ms ?? undefined },
        ]),
      );
    },

    retire: (rule) => stop(rule, 'retired'),
    disable: (rule) => stop(rule, 'disabled'),

    async reinstate(rules) {
      const withdrawn = await findWithdrawnRules(db);
      for (const rule of rules.filter((id) => withdrawn.has(id))) {
        const keep = async (trx: Transaction<Tables>): Promise<void> => {
          await lockRule(trx, rule);
          await keepReturned(trx, rule, clock.nowMs());
        };
        await announcing(alone, keep, (trx) => openAccounts(trx, rule));
      }
    },

    rename: ({ from, to }) =>
      announcing(
        alone,
        (trx) => renameRule(trx, { from, to }),
        (trx) => openAccounts(trx, to),
      ),

    paused: () => findPauses(db),
    pause: (rule, by) =>
      announcing(
        alone,
        (trx) => pauseRule(trx, rule, { by, atMs: clock.nowMs() }),
        (trx) => openAccounts(trx, rule),
      ),
    resume: (rule) => inTransaction(db, (trx) => resumeRule(trx, rule)),

    async commit(commit) {
      await prune();
      const { rule, change, firings, withdrawals, decisions } = commit;
      const take = async (trx: Transaction<Tables>): Promise<boolean> => {
        if ((await hasFired(trx, commit)) || !(await takeSlot(trx, commit))) return false;
        if (change) await changeEpisodes(trx, rule, change);
        // Withdrawals concern earlier slots, so they come before the firings of this slot.
        for (const withdrawal of withdrawals) await withdraw(trx, withdrawal);
        const nowMs = clock.nowMs();
        for (const firing of firings) await commitFiring(trx, firing, nowMs);
        // A person may have paused the rule while the slot ran.
        const pause = firings.length > 0 ? await findPausedBy(trx, rule) : undefined;
        if (pause) await withdrawForPause(trx, rule, pause.by);
        await commitDecisions(trx, decisions);
        return true;
      };
      return announcing(write, take, async (trx, isTaken) => {
        if (!isTaken) return [];
        const accounts = firings.flatMap(({ steps }) => steps.map(({ account }) => account));
        return withdrawals.length === 0 ? accounts : [...accounts, ...(await openAccounts(trx, rule))];
      });
    },
  };
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

const putSlot = statement(`
  insert into rule_state (rule, slot_ms, wake_ms, memory) values (?, ?, ?, ?)
  on conflict (rule) do update set
    slot_ms = excluded.slot_ms, wake_ms = excluded.wake_ms, retired_ms = null, memory = coalesce(excluded.memory, rule_state.memory)
  where rule_state.slot_ms < excluded.slot_ms and rule_state.slot_ms = coalesce(?, rule_state.slot_ms)`);

/** The same, if the file of the rule is in force. The lock lets no publication replace the file before this commit. */
const putPublishedSlot = statement(`-- put_published_slot
  with in_force as materialized (select 1 from rule_file where hash = ? and until is null limit 1 for share)
  insert into rule_state (rule, slot_ms, wake_ms, memory)
  select cast(? as text), cast(? as bigint), cast(? as bigint), cast(? as text) from in_force
  on conflict (rule) do update set
    slot_ms = excluded.slot_ms, wake_ms = excluded.wake_ms, retired_ms = null, memory = coalesce(excluded.memory, rule_state.memory)
  where rule_state.slot_ms < excluded.slot_ms and rule_state.slot_ms = coalesce(cast(? as bigint), rule_state.slot_ms)`);
const findPublished = statement(`select 1 from rule_file where hash = ? and until is null`);

/** Takes the slot; false if this slot or a later one, or one after the state of this commit, is already committed. */
async function takeSlot(trx: Transaction<Tables>, { rule, slotMs, afterMs, change, wakeMs, published }: Commit): Promise<boolean> {
  const memory = change && (await asResumed(trx, rule, change.memory));
  const row = [rule, slotMs, wakeMs ?? null, toText(memory), afterMs ?? null] as const;
  const { numAffectedRows } = published === undefined ? await putSlot(trx, ...row) : await putPublishedSlot(trx, published, ...row);
  if (numAffectedRows !== 0n) return true;
  if (published !== undefined && (await findPublished(trx, published)).rows.length === 0) throw new ReplacedRule(rule);
  return false;
}

/** The memory to store. If the slot began before the rule was resumed, its fuse counts from the resumption. */
async function asResumed(trx: Transaction<Tables>, rule: string, memory: RuleMemory): Promise<RuleMemory> {
  if (memory.blownMs === undefined) return memory;
  const row = await trx
    .selectFrom('rule_state')
    .select('resumes')
    .where('rule', '=', rule)
    .$if(isPostgres(trx), (query) => query.forUpdate())
    .executeTakeFirst();
  return row && row.resumes > (memory.resumes ?? 0) ? withResetFuse(memory, row.resumes) : memory;
}

function putEpisodes(rows: number): string {
  const values = Array.from({ length: rows }, () => '(?, ?, ?)').join(', ');
  return `insert into episode (rule, id, body) values ${values} on conflict (rule, id) do update set body = excluded.body`;
}

async function changeEpisodes(trx: Transaction<Tables>, rule: string, { put, drop, past = [] }: StateChange): Promise<void> {
  for (const ids of chunks(drop)) await trx.deleteFrom('episode').where('rule', '=', rule).where('id', 'in', ids).execute();
  for (const some of chunks(put, rowsPerStatement(trx))) {
    const parameters = some.flatMap((one) => [rule, one.id, JSON.stringify(one)]);
    await trx.executeQuery(CompiledQuery.raw(withPlaceholders(trx, putEpisodes(some.length)), parameters));
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
