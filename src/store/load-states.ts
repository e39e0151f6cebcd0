import type { Kysely } from 'kysely';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { findWaitingForOperator } from '#src/delivery/due.ts';
import { NEW_STATE, type Episode, type RuleMemory, type RuleState } from '#src/rules/episode.ts';
import { fromOptionalText, fromText } from './columns.ts';
import { dependentsOf, isOpen, waitingNeeds } from './delivery-needs.ts';
import { isOneOf, JSON_TEXTS } from './json-list.ts';
import { toPausedBy } from './pauses.ts';
import { statement } from './statement.ts';
import type { Tables } from './tables.ts';

/** Loads the states of rules. Loads that start in the same loop of the process share their statements. */
export function stateLoader(db: Kysely<Tables>): (rule: string) => Promise<RuleState> {
  let loading: { readonly rules: Set<string>; readonly states: Promise<ReadonlyMap<string, RuleState>> } | undefined;

  async function loadSoon(rules: ReadonlySet<string>): Promise<ReadonlyMap<string, RuleState>> {
    await nextLoop();
    loading = undefined;
    return loadStates(db, [...rules]);
  }

  return async (rule) => {
    if (!loading) {
      const rules = new Set<string>();
      loading = { rules, states: loadSoon(rules) };
    }
    loading.rules.add(rule);
    const state = (await loading.states).get(rule);
    if (!state) throw new Error(`the state of ${rule} was not loaded`);
    return state;
  };
}

interface StateRow {
  readonly rule: string;
  readonly slot_ms: number | null;
  readonly memory: string | null;
  readonly person: string | null;
  readonly at_ms: number | null;
}

const readMemories = statement<StateRow>(`
  select its.value as rule, slot_ms, memory, person, at_ms from ${JSON_TEXTS} as its
  left join rule_state on rule_state.rule = its.value
  left join paused_rule on paused_rule.rule = its.value`);

const readEpisodes = statement<{ readonly rule: string; readonly id: string; readonly body: string }>(
  `select rule, id, body from episode where rule in (select value from ${JSON_TEXTS})`,
);

async function loadStates(db: Kysely<Tables>, rules: readonly string[]): Promise<ReadonlyMap<string, RuleState>> {
  const ids = JSON.stringify(rules);
  const { rows } = await readMemories(db, ids);
  const delivering = await countDelivering(db, rules);
  const episodes = Map.groupBy((await readEpisodes(db, ids)).rows, ({ rule }) => rule);
  return new Map(
    rows.map(({ rule, slot_ms, memory, person, at_ms }) => {
      const paused = toPausedBy({ person, at_ms });
      const open = delivering.get(rule);
      const state: RuleState = {
        memory: fromOptionalText<RuleMemory>(memory) ?? NEW_STATE.memory,
        episodes: new Map(episodes.get(rule)?.map(({ id, body }) => [id, fromText<Episode>(body)])),
        ...(open && { delivering: open }),
        ...(paused && { paused }),
        ...(slot_ms !== null && { slotMs: slot_ms }),
      };
      return [rule, state];
    }),
  );
}

/** The number of firings of `then` with open deliveries, by rule and queue; without deliveries that wait for the operator, who may never resolve them. */
async function countDelivering(db: Kysely<Tables>, rules: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const open = db.selectFrom('delivery').where(isOneOf('rule', rules)).where('section', '=', 'then').where(isOpen('delivery'));
  // Most rules have no open delivery: this costs less than finding who waits for whom.
  if (!(await open.select('id').limit(1).executeTakeFirst())) return new Map();
  const waiting = await findWaitingForOperator({ waitingNeeds: () => waitingNeeds(db), dependents: (some) => dependentsOf(db, some) });
  const rows = await open
    .select((eb) => ['rule', 'queue', eb.fn.count<number>('firing').distinct().as('firings')])
    .where((eb) => eb.not(isOneOf('id', [...waiting])))
    .groupBy(['rule', 'queue'])
    .execute();
  const byRule = Map.groupBy(rows, ({ rule }) => rule);
  return new Map([...byRule].map(([rule, some]) => [rule, new Map(some.map(({ queue, firings }) => [queue, Number(firings)]))]));
}
