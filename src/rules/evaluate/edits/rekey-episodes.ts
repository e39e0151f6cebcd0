import type { Episode, RuleMemory, RuleState } from '../../episode.ts';
import type { Watched } from '../../rule.ts';
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
  const keys = new Map<string, string>();
  for (const { key, itemId, item } of listed) {
    if (itemId === undefined) continue;
    // A compact episode of a feed does not store its item.
    for (const id of [recordId(undefined, itemId), ...recordIds(item)]) keys.set(id, key);
  }
  const rekeyed = new Set<string>();
  const merged = new Set<string>();
  const active = new Map<string, Episode>();
  const firedMs = new Map(Object.entries(state.memory.firedMs));
  const episodes = new Map<string, Episode>();
  for (const episode of state.episodes.values()) {
    const { id, item, itemId, key: before, phase } = episode;
    const listedKey = itemId === undefined ? undefined : keys.get(recordId(item['platform'], itemId));
    const key = listedKey ?? watched.key(item) ?? before;
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

/** The cooldown of an item continues under its new key. */
function moveFiring(firedMs: Map<string, number>, before: string, after: string): void {
  const ms = firedMs.get(before);
  if (ms === undefined) return;
  firedMs.delete(before);
  firedMs.set(after, Math.max(ms, firedMs.get(after) ?? ms));
}

/** Of two episodes with the same key, the one with the listed item continues, then the announced one, then the older one. */
function precedes(one: Episode, other: Episode, listed: readonly ListedItem[]): boolean {
  const weight = ({ key, itemId, spokenBy }: Episode): number => {
    const isListed = listed.some((item) => item.key === key && item.itemId === itemId);
    return (isListed ? 2 : 0) + (spokenBy === undefined ? 0 : 1);
  };
  return weight(one) - weight(other) > 0 || (weight(one) === weight(other) && one.firstSeenMs < other.firstSeenMs);
}
