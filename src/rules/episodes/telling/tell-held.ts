import type { Episode } from '../../episode.ts';
import type { Look, LookOptions } from '../look.ts';
import { released, type Changed } from '../state-change.ts';
import { byLastRank } from '../turns/by-last-rank.ts';
import { handOver, heldOf } from './hand-over.ts';
import { said, type Said } from './said.ts';

/** Gives all that was held to the steps of `quiet`, once the quiet hours are over. */
export function tellHeld(
  changed: Changed,
  { rule, watched, state, slotMs, look }: LookOptions & { readonly look: Look },
): Said & { readonly changed: Changed } {
  const { memory } = state;
  if (typeof rule.quiet?.then !== 'object' || memory.quietEndMs === undefined || look.isQuiet()) return { ...said({}), changed };
  const now = new Map<string, Episode>(state.episodes);
  for (const id of changed.drop) now.delete(id);
  for (const episode of changed.put) now.set(episode.id, episode);
  const held = [...now.values()].filter((episode) => episode.held).toSorted(byLastRank);
  if (held.length === 0) return { ...said({}), changed };

  const after = held.map((episode) =>
    episode.unsaid ? { put: [{ ...episode, held: undefined }], drop: [], past: [] } : released(episode, watched),
  );
  const ids = new Set(held.map(({ id }) => id));
  return {
    // The fuse may have blown in this very poll.
    ...handOver(heldOf(held), { rule, state: { ...state, memory: look.gates.memory() }, slotMs, scope: look.kept }),
    changed: {
      put: [...changed.put.filter(({ id }) => !ids.has(id)), ...after.flatMap(({ put }) => put)],
      drop: [...changed.drop, ...after.flatMap(({ drop }) => drop)],
      past: [...changed.past, ...after.flatMap(({ past }) => past)],
    },
  };
}
