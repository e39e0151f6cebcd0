import type { Episode } from '../../episode.ts';
import type { Item } from '../../poll.ts';
import type { Watched } from '../../rule.ts';
import type { Turn } from '../turns/turn.ts';
import type { Change } from './change.ts';
import { follow, type FollowOptions } from './follow.ts';

/** What became of an episode in a poll, and all that may be said of it. */
export interface Happening {
  /** Absent: it was over before; that it left was held. */
  readonly turn?: Turn | undefined;
  readonly episode: Episode;
  readonly changes: readonly Change[];
  /** What began to wait until it has held long enough, in words. */
  readonly begun: readonly string[];
}

/** What a turn comes to. */
export function happeningOf(turn: Turn, options: FollowOptions): Happening {
  const { episode, changes, begun } = follow(turn, options);
  const { watched } = options;
  switch (turn.kind) {
    case 'opened': {
      const entered = episode.silence === undefined ? [changeOf('entered', turn.previous, watched)] : [];
      return { turn, episode, changes: [...entered, ...changes], begun };
    }
    case 'stayed': {
      const entered = episode.unsaid === 'entered' ? [{ ...changeOf('entered', turn.previous, watched), wasHeld: true }] : [];
      return { turn, episode, changes: [...entered, ...changes], begun };
    }
    case 'reopened':
      return { turn, episode: episode.unsaid === undefined ? episode : { ...episode, unsaid: undefined }, changes, begun };
    case 'closed': {
      // Nobody wants to hear in the morning that somebody came who is gone.
      const dropped = episode.unsaid === undefined ? episode : { ...episode, unsaid: undefined, silence: 'it ended in quiet hours' };
      return { turn, episode: dropped, changes: [changeOf('left', episode.item, watched)], begun };
    }
    default:
      return { turn, episode, changes, begun };
  }
}

/** An episode that ended in quiet hours, and whose end is still to be told. */
export function heldLeaving(episode: Episode, watched: Watched): Happening {
  return { episode, changes: [{ ...changeOf('left', episode.item, watched), wasHeld: true }], begun: [] };
}

function changeOf(kind: 'entered' | 'left', previous: Item | undefined, { changes }: Watched): Change {
  const isWatched = changes.some((change) => change.kind === kind);
  return { kind, isWatched, previous, words: kind, marks: [], wasHeld: false };
}
