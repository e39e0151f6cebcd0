import type { JsonObject } from '#src/operation/json.ts';
import type { Episode } from '../../episode.ts';
import type { Item } from '../../poll.ts';
import type { ChangeKind, Rule, Scope } from '../../rule.ts';
import type { Change } from '../changes/change.ts';
import type { Present } from '../turns/sift-items.ts';

/** A change and the episode that it is of. */
export interface ChangeOf {
  readonly episode: Episode;
  readonly change: Pick<Change, 'kind' | 'previous' | 'from' | 'to'>;
}

/** In the order in which they are told where all else is equal. */
export const KINDS: readonly ChangeKind[] = ['entered', 'left', 'moved', 'changed', 'rose', 'fell'];

/** What every expression of a rule sees in one slot. */
export function slotScope({ name, about }: Rule, slotMs: number): Scope {
  return { rule: { id: name, about }, now: new Date(slotMs).toISOString() };
}

/** The whole list of a poll, and all that changed in it. */
export function listScope(present: readonly Present[], changes: readonly ChangeOf[]): { items: readonly Item[]; changes: JsonObject } {
  const lists = KINDS.map((kind) => [kind, changes.filter(({ change }) => change.kind === kind).map(toRecord)] as const);
  return { items: present.map(({ item }) => item), changes: Object.fromEntries(lists) };
}

/** What is said of one episode, on top of its slot. */
export function episodeScope(
  slot: Scope,
  {
    episode,
    previous,
    change,
  }: { readonly episode: Episode; readonly previous: Item | undefined; readonly change?: ChangeOf['change'] | undefined },
): Scope {
  const { item } = episode;
  return { ...slot, item, previous, change: change && toRecord({ episode, change }), episode: episodeRecord(episode) };
}

/** A change as expressions see it. */
export function toRecord({ episode: { item }, change: { kind, previous, from, to } }: ChangeOf): JsonObject {
  return { kind, item, previous, rank: item['rank'], from, to };
}

/** An episode as expressions see it. */
export function episodeRecord({ id, startedMs, lastSeenMs, polls, peak }: Episode): JsonObject {
  return { id, startedAt: new Date(startedMs).toISOString(), lengthMs: Math.max(0, lastSeenMs - startedMs), polls, peak };
}
