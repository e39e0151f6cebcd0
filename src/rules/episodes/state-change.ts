import type { Episode, StateChange } from '../episode.ts';
import type { Watched } from '../rule.ts';
import { compacted } from './compact.ts';
import type { Look, LookOptions } from './look.ts';
import type { Told } from './telling/tell.ts';

export type Changed = Pick<StateChange, 'put' | 'drop'>;

/** What is to be written of the episodes: only what differs. */
export function changedBy(
  told: readonly Told[],
  { state, watched, slotMs, look }: Pick<LookOptions, 'state' | 'watched' | 'slotMs'> & { readonly look: Look },
): Changed {
  // What this poll reopens it has told of.
  const ids = new Set(told.map(({ episode }) => episode.id));
  const past = look.leavings.past.filter(({ id }) => !ids.has(id)).map((episode) => released(episode, watched));
  const kept = told.filter(({ isKept }) => isKept).map(({ episode }) => (look.compact ? compacted(episode, { watched, slotMs }) : episode));
  return {
    put: [...kept.filter((episode) => state.episodes.get(episode.id) !== episode), ...past.flatMap(({ put }) => put)],
    drop: [
      ...look.forgotten,
      ...told.filter(({ isKept }) => !isKept).map(({ episode }) => episode.id),
      ...past.flatMap(({ drop }) => drop),
    ],
  };
}

/** An episode of which nothing is held any more; one that nothing can reopen need not be kept. */
export function released(episode: Episode, { kind }: Watched): Changed {
  const isOver = episode.phase === 'closed' && kind !== 'live';
  return isOver ? { put: [], drop: [episode.id] } : { put: [{ ...episode, held: undefined, unsaid: undefined }], drop: [] };
}
