import type { JsonObject } from '#src/operation/json.ts';
import type { Episode } from '../../episode.ts';
import { BoundedCache } from '../../expression/bounded-cache.ts';
import type { Item } from '../../poll.ts';
import { CHANGE_KINDS, type Rule, type Scope } from '../../rule.ts';
import type { Change } from '../changes/change.ts';
import type { ListedItem } from '../items/filter-items.ts';

/** A change and its episode. */
export interface ChangeOf {
  readonly episode: Episode;
  readonly change: Pick<Change, 'kind' | 'previous' | 'from' | 'to'>;
}

/** The scope of every expression of a rule in one slot. */
export function slotScope({ name, about }: Rule, slotMs: number): Scope {
  return { rule: { id: name, about }, now: formatInstant(slotMs) };
}

/** The list of a poll and all its changes. */
export function listScope(listed: readonly ListedItem[], changes: readonly ChangeOf[]): { items: readonly Item[]; changes: JsonObject } {
  const lists = CHANGE_KINDS.map((kind) => [kind, changes.filter(({ change }) => change.kind === kind).map(changeRecord)] as const);
  return { items: listed.map(({ item }) => item), changes: Object.fromEntries(lists) };
}

/** The scope of a slot with one episode. */
export function episodeScope(
  slot: Scope,
  {
    episode,
    previous,
    change,
  }: { readonly episode: Episode; readonly previous: Item | undefined; readonly change?: ChangeOf['change'] | undefined },
): Scope {
  const { item } = episode;
  return { ...slot, item, previous, change: change && changeRecord({ episode, change }), episode: episodeRecord(episode) };
}

/** A change as expressions see it. */
export function changeRecord({ episode: { item }, change: { kind, previous, from, to } }: ChangeOf): JsonObject {
  return { kind, item, previous, rank: item['rank'], from, to };
}

const MOST_INSTANTS = 1_000;

// The polls of a list show the same episodes again and again.
const instants = new BoundedCache<string, number>(MOST_INSTANTS);

function formatInstant(ms: number): string {
  return instants.get(ms, () => new Date(ms).toISOString());
}

/** An episode as expressions see it. */
export function episodeRecord({ id, phase, startedMs, lastSeenMs, polls, peak }: Episode): JsonObject {
  return { id, open: phase !== 'closed', startedAt: formatInstant(startedMs), lengthMs: Math.max(0, lastSeenMs - startedMs), polls, peak };
}
