import type { RecordedResult } from '#src/engine/planner/recorded-polls.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { Decision } from '#src/rules/decision.ts';
import { textsIn } from '#src/rules/check/json-path.ts';
import type { Rule } from '#src/rules/rule.ts';
import { folded } from '#src/rules/evaluate/items/item-names.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import type { Lists } from '#src/rules/lists.ts';
import { withLists } from './explain-rule.ts';
import { goneAmong, type GoneRule } from './gone-rules.ts';
import { goneSightings, sightingsOf, type Sightings, type SightingStore, type StoredSightings } from './item-sightings.ts';
import { namesOfPerson } from './named-person.ts';
import { readOutcomes } from './settled-decisions.ts';

/** Gone rules accumulate over the years, so only those that ran last are searched. */
const MOST_GONE = 200;
/** The default number of episodes and of decisions for one rule. */
const SHOWN = 5;

/** The answer to "Why was this streamer not announced?". */
export interface ItemExplanation {
  /** The name as the operator typed it. */
  readonly name: string;
  /** The keys of the item. Deliveries about it have one of them. */
  readonly keys: readonly string[];
  /** The rules that saw the item or name it. */
  readonly rules: readonly ItemRule[];
  /** The rules that saw the item and are gone. */
  readonly gone: readonly GoneItemRule[];
  /** The rules that watch a list without the item. */
  readonly others: readonly WatchingRule[];
}

/** A gone rule that saw an item. */
type GoneItemRule = GoneRule & Omit<StoredSightings, 'isKnown' | 'keys'>;

/** A rule and the operation that it watches. */
export interface WatchingRule {
  readonly id: string;
  readonly verb: string;
  /** Whether the rule runs with the configured accounts. */
  readonly on: boolean;
  readonly isPaused: boolean;
}

/** A rule that saw an item or names it. */
export interface ItemRule extends WatchingRule, Omit<Sightings, 'isKnown' | 'keys'> {
  /** Whether `with` or the list of `people` of the rule names the item. */
  readonly isNamed: boolean;
}

export interface ExplainItemOptions {
  readonly rules: readonly Rule[];
  readonly isOn: (rule: Rule) => boolean;
  readonly store: SightingStore & {
    readonly ruleStates: Pick<RuleStates, 'paused' | 'lastSlots'>;
    readonly deliveryLog: Pick<DeliveryLog, 'outcomesOf'>;
  };
  /** The lists that rules read. */
  readonly lists: Lists;
  /** The largest number of episodes and of decisions for one rule; default 5. */
  readonly limit?: number | undefined;
}

/** Finds everything that the rules know about an item, by its key, handle or display name. Case is ignored. */
export async function explainItem(
  name: string,
  { rules, isOn, store, lists, limit = SHOWN }: ExplainItemOptions,
): Promise<ItemExplanation> {
  const wanted = { name: folded(name), limit };
  const [paused, lastSlots] = await Promise.all([store.ruleStates.paused(), store.ruleStates.lastSlots()]);
  const searchedGone = goneAmong(lastSlots, rules).slice(0, MOST_GONE);
  const stored = await store.itemNames.rulesWith(
    wanted.name,
    [...rules, ...searchedGone].map(({ id }) => id),
  );
  const recordedPolls = readOnce(store.recordedPolls);
  const found: ItemRule[] = [];
  const others: WatchingRule[] = [];
  const allKeys = new Set<string>();
  for (const written of rules) {
    const rule = withLists(written, lists);
    const { id, watched } = rule;
    if (!watched) continue;
    const watching = { id, verb: watched.verb, on: isOn(written), isPaused: paused.has(id) };
    const person = namesOfPerson(watched, wanted.name);
    const isNamed = person !== undefined || textsIn(watched.with).some(({ text }) => folded(text) === wanted.name);
    const { isKnown, keys, ...seen } = await sightingsOf(
      wanted,
      { rule, watched, person, isStored: stored.has(id), lastSlotMs: lastSlots.get(id)?.slotMs },
      { ...store, recordedPolls },
    );
    for (const key of keys) allKeys.add(key);
    if (isNamed || isKnown) found.push({ ...watching, ...seen, isNamed });
    else others.push(watching);
  }
  const gone: GoneItemRule[] = [];
  for (const rule of searchedGone) {
    if (!stored.has(rule.id)) continue;
    const { isKnown, keys, ...seen } = await goneSightings(wanted, rule.id, store);
    for (const key of keys) allKeys.add(key);
    if (isKnown) gone.push({ ...rule, ...seen });
  }
  const withOutcome = await readOutcomes(
    [...found, ...gone].flatMap(({ decisions }) => decisions),
    store.deliveryLog,
  );
  const settledOf = <T extends { readonly decisions: readonly Decision[] }>(one: T): T => ({
    ...one,
    decisions: one.decisions.map(withOutcome),
  });
  return { name, keys: [...allKeys], rules: found.map(settledOf), gone: gone.map(settledOf), others };
}

/** Recorded polls that rules with the same query read once. */
function readOnce(store: SightingStore['recordedPolls']): SightingStore['recordedPolls'] {
  const results = new Map<string, Promise<RecordedResult[]>>();
  return {
    async *read(query, sinceMs) {
      const name = `${sinceMs} ${query}`;
      const found = results.get(name) ?? Array.fromAsync(store.read(query, sinceMs));
      results.set(name, found);
      yield* await found;
    },
  };
}
