import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '#src/clock.ts';
import { NEW_STATE, type Episode, type RuleMemory, type StateChange } from '#src/rules/episode.ts';
import type { Commit, RuleStates } from '#src/scheduler/rule-states.ts';
import { chunks } from './chunks.ts';
import { fromOptionalText, fromText } from './columns.ts';
import { commitFiring, withdraw } from './commit-firing.ts';
import { commitDecisions } from './decision-log.ts';
import type { Tables } from './tables.ts';

export interface RuleStatesOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Comes before each commit. */
  readonly tidy: () => Promise<void>;
}

/** The state of the rules, in the database. */
export function createRuleStates({ db, clock, tidy }: RuleStatesOptions): RuleStates {
  return {
    async load(rule) {
      const row = await db.selectFrom('rule_state').select('memory').where('rule', '=', rule).executeTakeFirst();
      const episodes = await db.selectFrom('episode').select(['id', 'body']).where('rule', '=', rule).execute();
      return {
        memory: fromOptionalText<RuleMemory>(row?.memory ?? null) ?? NEW_STATE.memory,
        episodes: new Map(episodes.map(({ id, body }) => [id, fromText<Episode>(body)])),
      };
    },

    async lastSlots() {
      const rows = await db.selectFrom('rule_state').select(['rule', 'slot_ms']).execute();
      return new Map(rows.map(({ rule, slot_ms }) => [rule, slot_ms]));
    },

    async commit(commit) {
      await tidy();
      return db.transaction().execute(async (trx) => {
        if (!(await takeSlot(trx, commit))) return false;
        const { rule, change, firings, withdrawals, decisions } = commit;
        if (change) await changeEpisodes(trx, rule, change);
        // What is taken back is of earlier slots: the firings of this one come after it.
        for (const withdrawal of withdrawals) await withdraw(trx, withdrawal);
        for (const firing of firings) await commitFiring(trx, firing, clock.nowMs());
        await commitDecisions(trx, decisions);
        return true;
      });
    },
  };
}

/** False: this slot of the rule, or a later one, was there already. */
async function takeSlot(trx: Transaction<Tables>, { rule, slotMs, change }: Commit): Promise<boolean> {
  const { numInsertedOrUpdatedRows: taken } = await trx
    .insertInto('rule_state')
    .values({ rule, slot_ms: slotMs, memory: change ? JSON.stringify(change.memory) : null })
    .onConflict((conflict) =>
      conflict
        .column('rule')
        .doUpdateSet((eb) => ({
          slot_ms: eb.ref('excluded.slot_ms'),
          memory: eb.fn.coalesce('excluded.memory', 'rule_state.memory'),
        }))
        .whereRef('rule_state.slot_ms', '<', 'excluded.slot_ms'),
    )
    .executeTakeFirstOrThrow();
  return taken !== 0n;
}

async function changeEpisodes(trx: Transaction<Tables>, rule: string, { put, drop }: StateChange): Promise<void> {
  for (const ids of chunks(drop)) await trx.deleteFrom('episode').where('rule', '=', rule).where('id', 'in', ids).execute();
  for (const episodes of chunks(put)) {
    await trx
      .insertInto('episode')
      .values(episodes.map((one) => ({ rule, id: one.id, body: JSON.stringify(one) })))
      .onConflict((conflict) => conflict.columns(['rule', 'id']).doUpdateSet((eb) => ({ body: eb.ref('excluded.body') })))
      .execute();
  }
}
