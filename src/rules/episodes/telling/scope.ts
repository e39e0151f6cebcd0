import type { JsonObject } from '#src/operation/json.ts';
import type { Episode } from '../../episode.ts';
import type { Item } from '../../poll.ts';
import type { ChangeKind, Rule, Scope } from '../../rule.ts';
import type { Present } from '../turns/present-items.ts';
import type { Turn } from '../turns/turn.ts';

/** What every expression of a rule sees in one slot. */
export function slotScope({ id, about }: Rule, slotMs: number): Scope {
  return { rule: { id, about }, now: new Date(slotMs).toISOString() };
}

/** The whole list of a poll, and all that changed in it. */
export function listScope(present: readonly Present[], turns: readonly Turn[]): Pick<Scope, 'items' | 'changes'> {
  const entered = turns.flatMap((turn) =>
    turn.kind === 'opened' && turn.episode.silence === undefined ? [changeOf('entered', turn.episode, turn.previous)] : [],
  );
  const left = turns.flatMap(({ kind, episode }) => (kind === 'closed' ? [changeOf('left', episode, episode.item)] : []));
  return { items: present.map(({ item }) => item), changes: { entered, left } };
}

/** What is said of one episode, on top of its slot. */
export function episodeScope(
  slot: Scope,
  { episode, previous, kind }: { readonly episode: Episode; readonly previous: Item | undefined; readonly kind?: ChangeKind | undefined },
): Scope {
  const { id, item, startedMs, lastSeenMs, polls, peak } = episode;
  return {
    ...slot,
    item,
    previous,
    change: kind && changeOf(kind, episode, previous),
    episode: { id, startedAt: new Date(startedMs).toISOString(), lengthMs: Math.max(0, lastSeenMs - startedMs), polls, peak },
  };
}

/** What happened to an item, as expressions see it. */
function changeOf(kind: ChangeKind, { item }: Episode, previous: Item | undefined): JsonObject {
  return { kind, item, previous, rank: item['rank'] };
}
