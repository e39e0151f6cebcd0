import { isJsonObject } from '#src/clients/operation/json.ts';
import type { Episode, RuleMemory, RuleState } from '#src/rules/episode.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Watched } from '#src/rules/rule.ts';
import { recordId, recordIds } from '../items/accounts.ts';
import type { ListedItem } from '../items/filter-items.ts';

/** The episodes of a rule after an edit of its list. */
export interface RekeyedState {
  readonly state: RuleState;
  /** The ids of the episodes with another key. */
  readonly rekeyed: ReadonlySet<string>;
  /** The ids of open episodes whose new key belongs to another open episode. */
  readonly merged: ReadonlySet<string>;
}

/**
 * Gives each episode its key under the edited rule. An item is recognized by its id, because an edit of `key` changes the key of every item.
 */
export function rekeyEpisodes(
  state: RuleState,
  { listed, watched }: { readonly listed: readonly ListedItem[]; readonly watched: Watched },
): RekeyedState {
  const keyOf = watched.people ? keysOfPeople(state, { listed, watched }) : keysOfRecords({ listed, watched });
  const rekeyed = new Set<string>();
  const merged = new Set<string>();
  const active = new Map<string, Episode>();
  const firedMs = new Map(Object.entries(state.memory.firedMs));
  const episodes = new Map<string, Episode>();
  for (const episode of state.episodes.values()) {
    const { id, key: before, phase } = episode;
    const key = keyOf(episode) ?? before;
    const now = key === before ? episode : { ...episode, key };
    if (key !== before) {
      rekeyed.add(id);
      moveFiring(firedMs, before, key);
    }
    episodes.set(id, now);
    if (phase === 'closed') continue;
    const other = active.get(key);
    if (!other) active.set(key, now);
    else {
      const isKept = precedes(now, other, listed);
      active.set(key, isKept ? now : other);
      merged.add(isKept ? other.id : id);
    }
  }
  const memory: RuleMemory = rekeyed.size === 0 ? state.memory : { ...state.memory, firedMs: Object.fromEntries(firedMs) };
  return { state: { ...state, memory, episodes }, rekeyed, merged };
}

interface KeyOptions {
  readonly listed: readonly ListedItem[];
  readonly watched: Watched;
}

/** The key of the listed item with the record of an episode, else the key of the item itself. */
function keysOfRecords({ listed, watched }: KeyOptions): (episode: Episode) => string | undefined {
  const keys = new Map<string, string>();
  for (const { key, itemId, item } of listed) {
    if (itemId === undefined) continue;
    // A compact episode of a feed does not store its item.
    for (const id of [recordId(undefined, itemId), ...recordIds(item)]) keys.set(id, key);
  }
  return ({ item, itemId }) => (itemId === undefined ? undefined : keys.get(recordId(item['platform'], itemId))) ?? watched.key(item);
}

/** The key of the entry of an episode. A renamed entry has the stream of one that its server no longer has. */
function keysOfPeople({ episodes }: RuleState, { listed, watched }: KeyOptions): (episode: Episode) => string | undefined {
  const { key: keyOf, people } = watched;
  const active = new Set([...episodes.values()].flatMap(({ phase, key }) => (phase === 'closed' ? [] : [key])));
  const renamed = new Map<string, string>();
  for (const { key, item } of listed) {
    if (!active.has(key)) for (const id of recordIds(item)) renamed.set(`${serverOf(item)} ${id}`, key);
  }
  return ({ item, itemId }) => {
    const key = keyOf(item);
    if (key === undefined || people?.index?.namesOf(key) || itemId === undefined) return key;
    return renamed.get(`${serverOf(item)} ${recordId(item['platform'], itemId)}`) ?? key;
  };
}

function serverOf({ person }: Item): string {
  return isJsonObject(person) && typeof person['server'] === 'string' ? person['server'] : '';
}

/** The cooldown of an item continues under its new key. */
function moveFiring(firedMs: Map<string, number>, before: string, after: string): void {
  const ms = firedMs.get(before);
  if (ms === undefined) return;
  firedMs.delete(before);
  firedMs.set(after, Math.max(ms, firedMs.get(after) ?? ms));
}

/** Of two episodes with the same key, the one with the listed item continues, then the announced one, then the older one. */
function precedes(one: Episode, other: Episode, listed: readonly ListedItem[]): boolean {
  const weight = ({ key, itemId, announcedBy }: Episode): number => {
    const isListed = listed.some((item) => item.key === key && item.itemId === itemId);
    return (isListed ? 2 : 0) + (announcedBy === undefined ? 0 : 1);
  };
  return weight(one) - weight(other) > 0 || (weight(one) === weight(other) && one.firstSeenMs < other.firstSeenMs);
}
