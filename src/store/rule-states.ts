import { sql, type Insertable, type Kysely, type Transaction } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { RuleMemory, StateChange } from '#src/rules/episode.ts';
import type { FirstAttempt } from '#src/engine/delivery/first-attempt.ts';
import { ReplacedRule, type Commit, type RuleStates } from '#src/engine/scheduler/rule-states.ts';
import { changeDelivery } from './change-delivery.ts';
import { chunks, toText } from './columns.ts';
import { commitFiring } from './commit-firing.ts';
import { commitDecisions } from './decision-log.ts';
import { groupCommit, type Write, type WriteOptions } from './group-commit.ts';
import { openAccounts, type LaneJobs } from './lane-jobs.ts';
import { stateLoader } from './load-states.ts';
import { findMutes, muteEpisode, withdrawMuted } from './mutes.ts';
import { changePauses, withResetFuse } from './change-pauses.ts';
import { findPausedBy, findPauses } from './pauses.ts';
import { beginDuePauses, findPlanned, nextPlannedMs } from './planned-pauses.ts';
import { isReceived, storeReceived } from './received-webhooks.ts';
import { renameRule } from './rename-rule.ts';
import { doubtfulRestores } from './restores.ts';
import { noteReturned } from './retired-rules.ts';
import { isOneOf } from './json-list.ts';
import { prepared, preparedInsert } from './prepared.ts';
import { isPostgres, lockRule } from './dialect.ts';
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
 * decision, 11 with a firing, and 12 with one about an item that an earlier slot saw. Episodes, deliveries and needs are written many rows at a time.
 */
export function createRuleStates({ db, clock, write = groupCommit(db), prune, laneJobs }: RuleStatesOptions): RuleStates {
  /** Runs work in a separate transaction. */
  const alone: Write = (work) => inTransaction(db, work);
  const announcing = createAnnouncing(laneJobs);

  async function stop(rule: string, kind: 'ruleDeleted' | 'ruleDisabled'): Promise<void> {
    const nowMs = clock.nowMs();
    await announcing(
      alone,
      (trx) => stopRule(trx, rule, { kind, nowMs }),
      (trx) => openAccounts(trx, rule),
    );
  }

  return {
    load: stateLoader(db, clock),

    lastSlots: () => findLastSlots(db),
    retire: (rule) => stop(rule, 'ruleDeleted'),
    disable: (rule) => stop(rule, 'ruleDisabled'),

    async reinstate(rules) {
      const withdrawn = await findWithdrawnRules(db);
      for (const rule of rules.filter((id) => withdrawn.has(id))) {
        await announcing(
          alone,
          (trx) => keepReturned(trx, rule, clock.nowMs()),
          (trx) => openAccounts(trx, rule),
        );
      }
      await noteReturned(db, rules);
    },
    keep: (rules) => noteReturned(db, rules),

    rename: ({ from, to }) =>
      announcing(
        alone,
        (trx) => renameRule(trx, { from, to }),
        (trx) => openAccounts(trx, to),
      ),

    paused: () => findPauses(db, clock.nowMs()),
    mute: (rule, episode, by) =>
      announcing(
        alone,
        (trx) => muteEpisode(trx, { rule, episode, by, atMs: clock.nowMs() }),
        (trx) => openAccounts(trx, rule),
      ),
    planned: () => findPlanned(db, clock.nowMs()),
    changePauses: (rules, change, seen) =>
      announcing(
        alone,
        (trx) => changePauses(trx, rules, { change, seen, nowMs: clock.nowMs() }),
        async (trx, changed = []) => ('pause' in change ? openAccountsOf(trx, changed) : []),
      ),
    async beginPlanned() {
      const nowMs = clock.nowMs();
      const dueMs = await nextPlannedMs(db);
      if (dueMs === undefined || dueMs > nowMs) return { rules: [], nextMs: dueMs };
      const rules = await announcing(alone, (trx) => beginDuePauses(trx, nowMs), openAccountsOf);
      return { rules, nextMs: await nextPlannedMs(db) };
    },

    async commit(commit) {
      await prune();
      const { rule, firings, withdrawals } = commit;
      return announcing(
        write,
        (trx) => commitSlot(trx, commit, clock),
        async (trx, isTaken) => {
          if (!isTaken) return [];
          const accounts = firings.flatMap(({ steps }) => steps.map(({ account }) => account));
          return withdrawals.length === 0 ? accounts : [...accounts, ...(await openAccounts(trx, rule))];
        },
        { mayBeLost: commit.mayBeLost },
      );
    },
  };
}

/** Creates the function that runs work on a rule that withdraws or creates deliveries, and brings their accounts to the attention of the workers. */
function createAnnouncing(laneJobs: LaneJobs | undefined) {
  return async <T>(
    run: Write,
    work: (trx: Transaction<Tables>) => Promise<T>,
    accountsOf: (trx: Transaction<Tables>, result: T) => Promise<readonly string[]>,
    options?: WriteOptions,
  ): Promise<T> => {
    if (!laneJobs) return run(work, options);
    const { result, accounts } = await run(async (trx) => {
      const made = await work(trx);
      const its = await accountsOf(trx, made);
      await laneJobs.create(trx, its);
      return { result: made, accounts: its };
    }, options);
    laneJobs.announce(accounts);
    return result;
  };
}

/** Stores the effects of a slot; false: it is already committed. */
async function commitSlot(trx: Transaction<Tables>, commit: Commit, clock: Clock): Promise<boolean> {
  const { rule, change, firings, withdrawals, decisions, received } = commit;
  if (received && (await isReceived(trx, rule, received.key))) return false;
  if (await hasFired(trx, commit)) return false;
  const nowMs = clock.nowMs();
  const restores = firings.length > 0 ? await doubtfulRestores(trx, rule, nowMs) : [];
  if (!(await takeSlot(trx, commit))) return false;
  // A person may have muted an item, or paused the rule, while the slot ran.
  const mutes = await findMutes(trx, commit);
  if (change) await changeEpisodes(trx, rule, change);
  // Withdrawals concern earlier slots, so they come before the firings of this slot.
  for (const withdrawal of withdrawals) await withdraw(trx, withdrawal);
  if (received) await storeReceived(trx, commit, received);
  let added: ReadonlySet<string> = new Set();
  for (const firing of firings) added = added.union(await commitFiring(trx, firing, { nowMs, restores }));
  await withdrawMuted(trx, firings, mutes);
  const pause = firings.length > 0 ? await findPausedBy(trx, rule, nowMs) : undefined;
  if (pause) await withdrawForPause(trx, rule, pause);
  else await beginAttempts(trx, commit.begun?.filter(({ delivery }) => added.has(delivery.id)) ?? [], nowMs);
  await commitDecisions(trx, decisions);
  return true;
}

/** Begins the attempts at new deliveries whose accounts have nothing else to do. */
async function beginAttempts(trx: Transaction<Tables>, attempts: readonly FirstAttempt[], nowMs: number): Promise<void> {
  for (const { delivery, change, token } of attempts) await changeDelivery(trx, delivery, change, { token, ifAlone: { nowMs } });
}

async function openAccountsOf(trx: Transaction<Tables>, rules: readonly string[]): Promise<readonly string[]> {
  const accounts: string[] = [];
  for (const rule of rules) accounts.push(...(await openAccounts(trx, rule)));
  return accounts;
}

async function findLastSlots(db: Kysely<Tables>): ReturnType<RuleStates['lastSlots']> {
  const rows = await db.selectFrom('rule_state').select(['rule', 'slot_ms', 'wake_ms', 'retired_ms']).execute();
  return new Map(
    rows.map(({ rule, slot_ms: slotMs, wake_ms, retired_ms }) => [
      rule,
      { slotMs, wakeMs: wake_ms ?? undefined, retiredMs: retired_ms ?? undefined },
    ]),
  );
}

/** Withdraws what a rule that was deleted or turned off has not sent. */
async function stopRule(
  trx: Transaction<Tables>,
  rule: string,
  { kind, nowMs }: { readonly kind: 'ruleDeleted' | 'ruleDisabled'; readonly nowMs: number },
): Promise<void> {
  await lockRule(trx, rule);
  if (kind === 'ruleDeleted') await trx.updateTable('rule_state').set({ retired_ms: nowMs }).where('rule', '=', rule).execute();
  await withdrawStopped(trx, rule, { kind, nowMs });
}

/** Whether the rule already fired at this slot, because the clock showed the instant twice. */
async function hasFired(trx: Transaction<Tables>, { firings, slotMs }: Commit): Promise<boolean> {
  if (firings.length === 0) return false;
  return (await findFired(trx, { ids: firings.map(({ id }) => id), slotMs })).rows.length > 0;
}

const findFired = prepared((db, { ids, slotMs }: { readonly ids: readonly string[]; readonly slotMs: number }) =>
  db.selectFrom('firing').select('id').where(isOneOf('id', ids)).where('at_ms', '=', slotMs).limit(1),
);

interface SlotValues {
  readonly rule: string;
  readonly slotMs: number;
  readonly wakeMs: number | null;
  readonly memory: string | null;
  readonly afterMs: number | null;
}

const orLater = ({ afterMs }: SlotValues) => sql`
  on conflict (rule) do update set
    slot_ms = excluded.slot_ms, wake_ms = excluded.wake_ms, retired_ms = null, memory = coalesce(excluded.memory, rule_state.memory)
  where rule_state.slot_ms < excluded.slot_ms and rule_state.slot_ms = coalesce(cast(${afterMs} as bigint), rule_state.slot_ms)`;

const putSlot = prepared((_, row: SlotValues) => {
  const { rule, slotMs, wakeMs, memory } = row;
  return sql`insert into rule_state (rule, slot_ms, wake_ms, memory) values (${rule}, ${slotMs}, ${wakeMs}, ${memory})${orLater(row)}`;
});

/** The same, if the file of the rule is in force. The lock lets no publication replace the file before this commit. */
const putPublishedSlot = prepared((_, row: SlotValues & { readonly published: string }) => {
  const { rule, slotMs, wakeMs, memory, published } = row;
  return sql`
    with in_force as materialized (select 1 from rule_file where hash = ${published} and until is null limit 1 for share)
    insert into rule_state (rule, slot_ms, wake_ms, memory)
    select cast(${rule} as text), cast(${slotMs} as bigint), cast(${wakeMs} as bigint), cast(${memory} as text) from in_force${orLater(row)}`;
});

const findPublished = prepared(
  (_, { published }: { readonly published: string }) => sql`select 1 from rule_file where hash = ${published} and until is null`,
);

/** Takes the slot; false if this slot or a later one, or one after the state of this commit, is already committed. */
async function takeSlot(trx: Transaction<Tables>, { rule, slotMs, afterMs, change, wakeMs, published }: Commit): Promise<boolean> {
  const memory = change && (await asResumed(trx, rule, change.memory));
  const row = { rule, slotMs, wakeMs: wakeMs ?? null, memory: toText(memory), afterMs: afterMs ?? null };
  const { numAffectedRows } = published === undefined ? await putSlot(trx, row) : await putPublishedSlot(trx, { ...row, published });
  if (numAffectedRows !== 0n) return true;
  if (published !== undefined && (await findPublished(trx, { published })).rows.length === 0) throw new ReplacedRule(rule);
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

const putEpisodes = preparedInsert((db, rows: readonly Insertable<Tables['episode']>[]) =>
  db
    .insertInto('episode')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['rule', 'id']).doUpdateSet((eb) => ({ body: eb.ref('excluded.body') }))),
);

const dropEpisodes = prepared((db, { rule, ids }: { readonly rule: string; readonly ids: readonly string[] }) =>
  db.deleteFrom('episode').where('rule', '=', rule).where(isOneOf('id', ids)),
);

const putPast = preparedInsert((db, rows: readonly Insertable<Tables['past_episode']>[]) =>
  db
    .insertInto('past_episode')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['rule', 'id']).doNothing()),
);

async function changeEpisodes(trx: Transaction<Tables>, rule: string, { put, drop, past = [] }: StateChange): Promise<void> {
  for (const ids of chunks(drop)) await dropEpisodes(trx, { rule, ids });
  // The texts of many thousand episodes would be in memory at once.
  for (const some of chunks(put))
    await putEpisodes(
      trx,
      some.map((one) => ({ rule, id: one.id, body: JSON.stringify(one) })),
    );
  for (const some of chunks(past)) {
    await putPast(
      trx,
      some.map((one) => ({
        rule,
        id: one.id,
        started_ms: one.startedMs,
        closed_ms: one.closedMs ?? one.lastSeenMs,
        body: JSON.stringify(one),
      })),
    );
  }
}
