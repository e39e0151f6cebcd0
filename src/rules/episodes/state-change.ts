import type { Episode, StateChange } from '../episode.ts';
import type { Watched } from '../rule.ts';
import { compacted } from './compact.ts';
import type { Look, LookOptions } from './look.ts';
import type { Told } from './telling/tell.ts';

export type Changed = Pick<StateChange, 'put' | 'drop'> & { readonly past: readonly Episode[] };

/** What is to be written of the episodes: only what differs. */
export function changedBy(
  told: readonly Told[],
  { state, watched, slotMs, look }: Pick<LookOptions, 'state' | 'watched' | 'slotMs'> & { readonly look: Look },
): Changed {
  // What this poll reopens it has told of.
  const ids = new Set(told.map(({ episode }) => episode.id));
  const past = look.leavings.past.filter(({ id }) => !ids.has(id)).map((episode) => released(episode, watched));
  const gone = told.filter(({ isKept }) => !isKept).map(({ episode }) => episode);
  const kept = told.filter(({ isKept }) => isKept).map(({ episode }) => (look.compact ? compacted(episode, { watched, slotMs }) : episode));
  return {
    put: [...kept.filter((episode) => state.episodes.get(episode.id) !== episode), ...past.flatMap(({ put }) => put)],
    drop: [...look.forgotten, ...gone.map(({ id }) => id), ...past.flatMap(({ drop }) => drop)],
    past: [...pastOf(gone), ...past.flatMap(({ past: ended }) => ended)],
  };
}

/** An episode of which nothing is held any more; one that nothing can reopen need not be kept. */
export function released(episode: Episode, { kind }: Watched): Changed {
  const isOver = episode.phase === 'closed' && kind !== 'live';
  const settled = { ...episode, held: undefined, unsaid: undefined };
  return isOver ? { put: [], drop: [episode.id], past: pastOf([settled]) } : { put: [settled], drop: [], past: [] };
}

/** Those that the history tells of. */
export function pastOf(episodes: readonly Episode[]): readonly Episode[] {
  return episodes.filter(({ phase, spokenBy }) => phase === 'closed' && spokenBy !== undefined);
}
