import { recordedPollsOf, type RecordedPoll, type RecordedPolls } from '#src/engine/planner/recorded-polls.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { SettledDecision } from './settled-decisions.ts';
import type { EpisodeLog, LoggedEpisode } from '#src/rules/episode-log.ts';
import { filterItems, type Exclusion } from '#src/rules/evaluate/items/filter-items.ts';
import { itemsOfPeople } from '#src/rules/evaluate/items/people-items.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import { folded, namesOfItem } from '#src/rules/evaluate/items/item-names.ts';
import { withMessage } from '#src/rules/messages/format-reason.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Reason } from '#src/rules/reasons/reason.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';
import { unreadOf } from './named-person.ts';

const MOST_EPISODES = 1000;
/** The number of stored decisions of one rule, of all outcomes. */
const MOST_DECISIONS = 400;
/** Polls are stored some seconds after their decisions, and those after notifications are not. */
const STORED_WITHIN_MS = 60_000;

/** What is stored of an item for one rule. */
export interface StoredSightings {
  /** Whether the rule has an episode or a decision of the item. */
  readonly isKnown: boolean;
  /** The keys of the item, one for each platform. */
  readonly keys: readonly string[];
  /** The episodes of the item, newest first. */
  readonly episodes: readonly LoggedEpisode[];
  /** The last decisions about the item, newest first. */
  readonly decisions: readonly SettledDecision[];
}

/** What a rule knows about an item. */
export interface Sightings extends StoredSightings {
  /** Whether the rule has an episode or a decision of the item, or its last poll has the item. */
  readonly isKnown: boolean;
  readonly isOpen: boolean;
  /** The item in the last poll, if it ranks below `take`. */
  readonly belowTake?: BelowTake | undefined;
}

/** The place of an item in a list, below the items that the rule counts. */
interface BelowTake {
  readonly atMs: number;
  /** From 1, among the items of the poll. */
  readonly place: number;
  readonly take: number;
}

/** Where names of items are stored. */
export interface ItemNames {
  /**
   * The rules, among these, with a stored episode or decision that may have this name, in any letter case. No rule that has it is missing, except
   * for a name that an item got during an episode that is still open.
   */
  rulesWith(name: string, rules: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface SightingStore {
  readonly episodes: EpisodeLog;
  readonly decisions: Pick<DecisionLog, 'list'>;
  readonly recordedPolls: Pick<RecordedPolls, 'read'>;
  readonly itemNames: ItemNames;
}

/** An item that is looked for. */
export interface Wanted {
  /** The folded key, handle or display name. */
  readonly name: string;
  /** The largest number of episodes and of decisions for one rule. */
  readonly limit: number;
}

interface SearchedRule {
  readonly rule: Rule;
  readonly watched: Watched;
  /** The names under which the rule reads the item as a person of its list; absent: its list does not have the item. */
  readonly person?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Whether stored episodes or decisions of the rule may have the item. */
  readonly isStored: boolean;
  /** The slot of the last poll; undefined if the rule never ran. */
  readonly lastSlotMs: number | undefined;
}

/** Finds an item in the episodes, the decisions and the last poll of a rule. */
export async function sightingsOf(
  { name: wanted, limit }: Wanted,
  { rule, watched, person, isStored, lastSlotMs }: SearchedRule,
  { episodes, decisions, recordedPolls }: Omit<SightingStore, 'itemNames'>,
): Promise<Sightings> {
  const { matching, about } = isStored ? await storedSightings(wanted, rule.id, { episodes, decisions }) : NOTHING_STORED;
  const isPollOfUse = lastSlotMs !== undefined && (person !== undefined || mayExclude(watched));
  const last = isPollOfUse ? await lastPollOf(rule, recordedPolls, lastSlotMs) : undefined;
  const { excluded, belowTake } = last ? findIn(last, wanted, { rule, watched }) : {};
  const unread = last && person && unreadIn(last, person, rule);
  return {
    isKnown: matching.length + about.length > 0 || excluded !== undefined || belowTake !== undefined,
    isOpen: matching.some(({ closedMs }) => closedMs === undefined),
    keys: keysOf(matching, excluded ? [excluded, ...about] : about),
    episodes: matching.slice(0, limit),
    decisions: [...(unread ? [unread] : []), ...(excluded && excluded.atMs !== about[0]?.atMs ? [excluded] : []), ...about].slice(0, limit),
    belowTake,
  };
}

const NOTHING_STORED = { matching: [], about: [] };

/** Whether a poll can have items that the rule does not count. Only posts and messages have other readers than everyone. */
function mayExclude({ where, take, verb }: Watched): boolean {
  return where !== undefined || take !== undefined || !verb.startsWith('streaming.');
}

/** Finds an item in the episodes and the decisions of a rule that is gone, because its last poll cannot be read without the rule. */
export async function goneSightings(
  { name, limit }: Wanted,
  rule: string,
  store: Pick<SightingStore, 'episodes' | 'decisions'>,
): Promise<StoredSightings> {
  const { matching, about } = await storedSightings(name, rule, store);
  return {
    isKnown: matching.length + about.length > 0,
    keys: keysOf(matching, about),
    episodes: matching.slice(0, limit),
    decisions: about.slice(0, limit),
  };
}

function keysOf(episodes: readonly LoggedEpisode[], decisions: readonly Decision[]): readonly string[] {
  return [...new Set([...episodes.map(({ key }) => key), ...decisions.flatMap(({ item }) => item ?? [])])];
}

/** The episodes of an item, and the decisions about it among the last ones of the rule. */
async function storedSightings(wanted: string, rule: string, { episodes, decisions }: Pick<SightingStore, 'episodes' | 'decisions'>) {
  const all = (await episodes.list({ rule, limit: MOST_EPISODES })).filter((episode) => episode.rule === rule);
  const matching = all.filter(({ key, item }) => isItem(wanted, item, key));
  const keys = new Set(matching.map(({ key }) => key));
  const { items: latest } = await decisions.list({ rule, limit: MOST_DECISIONS });
  const about = latest.filter((one) => (one.item === undefined ? isBaselineOf(one, keys) : keys.has(one.item) || isAbout(wanted, one)));
  return { matching, about };
}

/** Whether a decision is about an item by its key or its name, even if its episode is no longer stored. */
function isAbout(wanted: string, { item = '', reason }: Decision): boolean {
  return folded(item) === wanted || (reason !== undefined && 'name' in reason && folded(reason.name) === wanted);
}

/** Whether the decision about a first poll lists one of the items. */
function isBaselineOf({ details }: Decision, keys: ReadonlySet<string>): boolean {
  const items = details?.['items'];
  return Array.isArray(items) && items.some((key) => typeof key === 'string' && keys.has(key));
}

/** The last recorded poll of a rule. Almost always it is that of the last slot, so that thousands of rules decompress only one poll each. */
async function lastPollOf(rule: Rule, recorded: SightingStore['recordedPolls'], lastSlotMs: number): Promise<RecordedPoll | undefined> {
  for (const sinceMs of [lastSlotMs, lastSlotMs - STORED_WITHIN_MS]) {
    let last: RecordedPoll | undefined;
    for await (const poll of recordedPollsOf(rule, recorded, sinceMs)) if ('items' in poll.poll) last = poll;
    if (last) return last;
  }
  return undefined;
}

/** Why a poll does not count an item. The decision of the poll names only the first items that `where` excludes. */
function findIn(
  { slotMs, poll }: RecordedPoll,
  wanted: string,
  { rule, watched }: { readonly rule: Rule; readonly watched: Watched },
): { readonly excluded?: Decision | undefined; readonly belowTake?: BelowTake | undefined } {
  if (!('items' in poll)) return {};
  const filtered = filterItems(poll.items, { rule, watched, slotMs });
  for (const [index, item] of itemsOfPeople(poll.items, watched).entries()) {
    const key = watched.key(item);
    if (key === undefined || !isItem(wanted, item, key)) continue;
    const exclusion = filtered.exclusions.get(key);
    if (exclusion === undefined) continue;
    if (exclusion === 'belowTake')
      return watched.take === undefined ? {} : { belowTake: { atMs: slotMs, place: index + 1, take: watched.take } };
    const reason = reasonOf(exclusion, nameOf(item, key));
    return { excluded: { rule: rule.id, atMs: slotMs, outcome: 'unchanged', item: key, ...withMessage(reason) } };
  }
  return {};
}

/** The decision about a person whom a poll did not read. The decision of the poll names only the first people. */
function unreadIn({ slotMs, poll }: RecordedPoll, person: NonNullable<SearchedRule['person']>, rule: Rule): Decision | undefined {
  const reason = 'errors' in poll ? unreadOf(poll.errors, person) : undefined;
  return reason && { rule: rule.id, atMs: slotMs, outcome: 'unchanged', ...withMessage(reason) };
}

function reasonOf(exclusion: Exclude<Exclusion, 'belowTake'>, name: string): Reason {
  if ('condition' in exclusion) return { kind: 'filteredOut', count: 1, named: [{ name, condition: exclusion.condition }] };
  return { kind: 'restricted', followers: 0, direct: 0, [exclusion.restriction]: 1 };
}

/** Whether a folded text is the key or a name of an item. */
function isItem(wanted: string, item: Item, key: string): boolean {
  return namesOfItem(item, key).some((name) => folded(name) === wanted);
}
