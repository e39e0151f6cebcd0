import { isJsonList, isJsonObject, type Json } from '#src/operation/json.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { RuleStates } from '#src/scheduler/rule-states.ts';

const MOST_EPISODES = 1000;
/** The number of stored decisions of one rule, of all outcomes. */
const MOST_DECISIONS = 400;
const DECISIONS_SHOWN = 5;

/** The answer to "Why was this streamer not announced?". */
export interface ItemExplanation {
  /** The name as the operator typed it. */
  readonly name: string;
  /** The rules that saw the item or name it. */
  readonly rules: readonly ItemRule[];
  /** The rules that watch a list without the item. */
  readonly others: readonly WatchingRule[];
}

/** A rule and the operation that it watches. */
export interface WatchingRule {
  readonly id: string;
  readonly verb: string;
  /** Whether the rule runs with the configured accounts. */
  readonly on: boolean;
  readonly isPaused: boolean;
}

/** A rule that saw an item or names it. */
export interface ItemRule extends WatchingRule {
  /** Whether `with` of the rule names the item. */
  readonly isNamed: boolean;
  /** Whether an episode of the item is open. */
  readonly isOpen: boolean;
  /** The last decisions about the item, newest first. */
  readonly decisions: readonly Decision[];
}

export interface ExplainItemOptions {
  readonly rules: readonly Rule[];
  readonly isOn: (rule: Rule) => boolean;
  readonly store: {
    readonly ruleStates: Pick<RuleStates, 'paused'>;
    readonly episodes: EpisodeLog;
    readonly decisions: Pick<DecisionLog, 'list'>;
  };
}

/** Finds everything that the rules know about an item, by its key, handle or display name. Case is ignored. */
export async function explainItem(name: string, { rules, isOn, store }: ExplainItemOptions): Promise<ItemExplanation> {
  const wanted = folded(name);
  const paused = await store.ruleStates.paused();
  const found: ItemRule[] = [];
  const others: WatchingRule[] = [];
  for (const rule of rules) {
    const { id, watched } = rule;
    if (!watched) continue;
    const watching = { id, verb: watched.verb, on: isOn(rule), isPaused: paused.has(id) };
    const isNamed = textsIn(watched.with).some((text) => folded(text) === wanted);
    const seen = await sightings(wanted, id, store);
    if (isNamed || seen.isKnown) found.push({ ...watching, isNamed, isOpen: seen.isOpen, decisions: seen.decisions });
    else others.push(watching);
  }
  return { name, rules: found, others };
}

interface Sightings {
  /** Whether the rule has an episode or a decision of the item. */
  readonly isKnown: boolean;
  readonly isOpen: boolean;
  readonly decisions: readonly Decision[];
}

async function sightings(wanted: string, rule: string, { episodes, decisions }: ExplainItemOptions['store']): Promise<Sightings> {
  const all = (await episodes.list({ rule, limit: MOST_EPISODES })).filter((episode) => episode.rule === rule);
  const matching = all.filter(({ key, item }) =>
    [key, nameOf(item, key), ...directTexts(item), ...directTexts(item['owner']), ...directTexts(item['author'])].some(
      (text) => folded(text) === wanted,
    ),
  );
  const keys = new Set(matching.map(({ key }) => key));
  const { items } = await decisions.list({ rule, limit: MOST_DECISIONS });
  const about = items.filter(({ item }) => item !== undefined && (keys.has(item) || folded(item) === wanted));
  return {
    isKnown: matching.length + about.length > 0,
    isOpen: matching.some(({ closedMs }) => closedMs === undefined),
    decisions: about.slice(0, DECISIONS_SHOWN),
  };
}

function folded(text: string): string {
  return text.replace(/^@/u, '').toLowerCase();
}

/** All texts of a value, at any depth. */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonList(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** The texts of the fields of a record. */
function directTexts(value: Json | undefined): readonly string[] {
  return isJsonObject(value) ? Object.values(value).filter((field) => typeof field === 'string') : [];
}
