import type { Episode, StateChange } from '#src/rules/episode.ts';
import type { Watched } from '#src/rules/rule.ts';
import { compacted } from '../transitions/compact.ts';
import type { EpisodeEffects } from './episode-effects.ts';
import type { EvaluatedList } from './evaluated-list.ts';

/** The episodes to write, to delete and to move to the history. */
export type EpisodeWrites = Pick<StateChange, 'put' | 'drop'> & { readonly past: readonly Episode[] };

/** The writes of a poll. An episode that did not change is not written. */
export function episodeWrites(
  all: readonly EpisodeEffects[],
  { state, watched, instant, edited, departures, forgotten }: EvaluatedList,
): EpisodeWrites {
  // Most polls need no ids, and a list can have thousands.
  const ids = new Set(departures.past.length + edited.size > 0 ? all.map(({ episode }) => episode.id) : []);
  // This poll may have reopened an episode whose departure is past.
  const past = departures.past.filter(({ id }) => !ids.has(id)).map((episode) => released(episode, watched));
  const gone = all.filter(({ isKept }) => !isKept).map(({ episode }) => episode);
  const kept = all.filter(({ isKept }) => isKept).map(({ episode }) => (instant.compact ? compacted(episode, instant) : episode));
  const touched = new Set([...ids, ...forgotten, ...past.flatMap(({ put, drop }) => [...put.map(({ id }) => id), ...drop])]);
  const untouched = [...edited].flatMap((id) => (touched.has(id) ? [] : (state.episodes.get(id) ?? [])));
  return {
    put: [
      ...kept.filter((episode) => edited.has(episode.id) || state.episodes.get(episode.id) !== episode),
      ...past.flatMap(({ put }) => put),
      ...untouched,
    ],
    drop: [...forgotten, ...gone.map(({ id }) => id), ...past.flatMap(({ drop }) => drop)],
    past: [...pastOf(gone), ...past.flatMap(({ past: ended }) => ended)],
  };
}

/** An episode without deferred changes. A closed episode that cannot reopen is deleted. */
export function released(episode: Episode, { kind }: Watched): EpisodeWrites {
  const isOver = episode.phase === 'closed' && kind !== 'live';
  const settled = { ...episode, deferredChanges: undefined, deferred: undefined };
  return isOver ? { put: [], drop: [episode.id], past: pastOf([settled]) } : { put: [settled], drop: [], past: [] };
}

/** The announced and closed episodes: the history keeps them. */
export function pastOf(episodes: readonly Episode[]): readonly Episode[] {
  return episodes.filter(({ phase, announcedBy }) => phase === 'closed' && announcedBy !== undefined);
}
