import { sql, type Kysely, type SqlBool } from 'kysely';
import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Clock } from '#src/clock.ts';
import { findWaitingForOperator } from '#src/engine/delivery/due.ts';
import { NEW_STATE, type Episode, type PausedBy, type RuleMemory, type RuleState } from '#src/rules/episode.ts';
import { fromOptionalText, fromText } from './columns.ts';
import { dependentsOf, isOpen, waitingNeeds } from './delivery-needs.ts';
import { eachOf, isOneOf } from './json-list.ts';
import { toPausedBy } from './pauses.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './tables.ts';

/** Loads the states of rules. Loads that start in the same loop of the process share their statements. */
export function stateLoader(db: Kysely<Tables>, clock: Pick<Clock, 'nowMs'>): (rule: string) => Promise<RuleState> {
  let loading: { readonly rules: Set<string>; readonly states: Promise<ReadonlyMap<string, RuleState>> } | undefined;

  async function loadSoon(rules: ReadonlySet<string>): Promise<ReadonlyMap<string, RuleState>> {
    await nextLoop();
    loading = undefined;
    return loadStates(db, [...rules], clock.nowMs());
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
  readonly at_ms: number;
  readonly until_ms: number | null;
  readonly planned_ms: number | null;
  readonly due_person: string | null;
  readonly due_at_ms: number;
  readonly due_until_ms: number | null;
  readonly due_planned_ms: number | null;
}

const readMemories = prepared(
  (_, { rules, nowMs }: { readonly rules: readonly string[]; readonly nowMs: number }) => sql<StateRow>`
    select its.value as rule, slot_ms, memory, paused.person, paused.at_ms, paused.until_ms, planned_ms,
      due.person as due_person, due.from_ms as due_at_ms, due.until_ms as due_until_ms, due.at_ms as due_planned_ms
    from ${eachOf(rules)} as its
    left join rule_state on rule_state.rule = its.value
    left join paused_rule as paused on paused.rule = its.value and (paused.until_ms is null or paused.until_ms > ${nowMs})
    left join planned_pause as due on due.rule = its.value and due.from_ms <= ${nowMs} and (due.until_ms is null or due.until_ms > ${nowMs})`,
);

const readEpisodes = prepared((db, { rules }: { readonly rules: readonly string[] }) =>
  db.selectFrom('episode').select(['rule', 'id', 'body', 'muted_by', 'muted_ms']).where(isOneOf('rule', rules)),
);

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

type Delivering = Pick<RuleState, 'delivering' | 'waiting'>;

function openOf(db: Kysely<Tables>, rules: readonly string[]) {
  return db.selectFrom('delivery').where(isOneOf('rule', rules)).where('section', '=', 'then').where(isOpen('delivery'));
}

const findAnyOpen = prepared((db, { rules }: { readonly rules: readonly string[] }) => openOf(db, rules).select('id').limit(1));

async function loadStates(db: Kysely<Tables>, rules: readonly string[], nowMs: number): Promise<ReadonlyMap<string, RuleState>> {
  const { rows } = await readMemories(db, { rules, nowMs });
  const delivering = await findDelivering(db, rules);
  const episodes = Map.groupBy((await readEpisodes(db, { rules })).rows, ({ rule }) => rule);
  return new Map(
    rows.map(({ rule, slot_ms, memory, ...pause }) => {
      const paused = pauseIn(pause);
      const state: RuleState = {
        memory: fromOptionalText<RuleMemory>(memory) ?? NEW_STATE.memory,
        // PostgreSQL returns changed rows last, and the order of ends would differ from SQLite.
        episodes: new Map(
          episodes
            .get(rule)
            ?.toSorted(byId)
            .map(({ id, body }) => [id, fromText<Episode>(body)]),
        ),
        ...delivering.get(rule),
        ...mutesOf(episodes.get(rule)),
        ...(paused && { paused }),
        ...(slot_ms !== null && { slotMs: slot_ms }),
      };
      return [rule, state];
    }),
  );
}

/** The pause in force; a planned one is, even if it has not begun yet. */
function pauseIn({ person, at_ms, until_ms, planned_ms, ...due }: Omit<StateRow, 'rule' | 'slot_ms' | 'memory'>): PausedBy | undefined {
  if (person !== null) return toPausedBy({ person, at_ms, until_ms, planned_ms });
  if (due.due_person === null) return undefined;
  return toPausedBy({ person: due.due_person, at_ms: due.due_at_ms, until_ms: due.due_until_ms, planned_ms: due.due_planned_ms });
}

function mutesOf(
  episodes: readonly { readonly id: string; readonly muted_by: string | null; readonly muted_ms: number | null }[] = [],
): Pick<RuleState, 'muted'> {
  const muted = episodes.flatMap(({ id, muted_by: by, muted_ms: atMs }) =>
    by === null || atMs === null ? [] : [[id, { by, atMs }] as const],
  );
  return muted.length > 0 ? { muted: new Map(muted) } : {};
}

/** `delivering` and `waiting` by rule; without deliveries that wait for the operator, who may never resolve them. */
async function findDelivering(db: Kysely<Tables>, rules: readonly string[]): Promise<ReadonlyMap<string, Delivering>> {
  // Most rules have no open delivery: this costs less than finding who waits for whom.
  if ((await findAnyOpen(db, { rules })).rows.length === 0) return new Map();
  const stuck = await findWaitingForOperator({ waitingNeeds: () => waitingNeeds(db), dependents: (some) => dependentsOf(db, some) });
  const its = openOf(db, rules).where((eb) => eb.not(isOneOf('id', [...stuck])));
  const firings = await its
    .select((eb) => ['rule', 'queue', eb.fn.count<number>('firing').distinct().as('count')])
    .where(sql<SqlBool>`begins_ms = created_ms`)
    .groupBy(['rule', 'queue'])
    .execute();
  const waits = await its
    .select(['rule', 'queue', 'episode'])
    .where(sql<SqlBool>`begins_ms <> created_ms`)
    .execute();
  return new Map(
    rules.map((rule) => {
      const ofRule = <T extends { readonly rule: string }>(rows: readonly T[]): readonly T[] => rows.filter((row) => row.rule === rule);
      const delivering = new Map(ofRule(firings).map(({ queue, count }) => [queue, Number(count)]));
      const queues = Map.groupBy(ofRule(waits), ({ queue }) => queue);
      const waiting = new Map([...queues].map(([queue, some]) => [queue, new Set(some.map(({ episode }) => episode))]));
      return [rule, { ...(delivering.size > 0 && { delivering }), ...(waiting.size > 0 && { waiting }) }];
    }),
  );
}
