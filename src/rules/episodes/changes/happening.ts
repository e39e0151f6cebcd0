import type { Episode } from '../../episode.ts';
import type { Item } from '../../poll.ts';
import type { Happened } from '../../reasons/happened.ts';
import type { Watched } from '../../rule.ts';
import { standingOf } from '../telling/item-words.ts';
import type { Turn } from '../turns/turn.ts';
import type { Change } from './change.ts';
import { follow, type FollowOptions } from './follow.ts';

/** What became of an episode in a poll, and all that may be said of it. */
export interface Happening {
  /** Absent: it was over before; that it left was held. */
  readonly turn?: Turn | undefined;
  readonly episode: Episode;
  readonly changes: readonly Change[];
  /** What began to wait until it has held long enough. */
  readonly begun: readonly Happened[];
}

/** What a turn comes to. */
export function happeningOf(turn: Turn, options: FollowOptions): Happening {
  const { episode, changes, begun } = follow(turn, options);
  const { watched } = options;
  switch (turn.kind) {
    case 'opened': {
      const entered = episode.silence === undefined ? [entryOf(episode, turn.previous, watched)] : [];
      return { turn, episode, changes: [...entered, ...changes], begun };
    }
    case 'stayed': {
      const entered = episode.unsaid === 'entered' ? [{ ...entryOf(episode, turn.previous, watched), wasHeld: true }] : [];
      return { turn, episode, changes: [...entered, ...changes], begun };
    }
    case 'reopened':
      return { turn, episode: episode.unsaid === undefined ? episode : { ...episode, unsaid: undefined }, changes, begun };
    case 'closed': {
      // Nobody wants to hear in the morning that somebody came who is gone.
      const dropped =
        episode.unsaid === undefined ? episode : { ...episode, unsaid: undefined, silence: { kind: 'endedInQuiet' } as const };
      return { turn, episode: dropped, changes: [leavingOf(episode, watched)], begun };
    }
    default:
      return { turn, episode, changes, begun };
  }
}

/** An episode that ended in quiet hours, and whose end is still to be told. */
export function heldLeaving(episode: Episode, watched: Watched): Happening {
  return { episode, changes: [{ ...leavingOf(episode, watched), wasHeld: true }], begun: [] };
}

function entryOf({ item }: Episode, previous: Item | undefined, watched: Watched): Change {
  return changeOf({ kind: 'entered', standing: standingOf(item) }, previous, watched);
}

function leavingOf({ item }: Episode, watched: Watched): Change {
  return changeOf({ kind: 'left' }, item, watched);
}

function changeOf(
  happened: Extract<Happened, { readonly kind: 'entered' | 'left' }>,
  previous: Item | undefined,
  { changes }: Watched,
): Change {
  const { kind } = happened;
  return { kind, isWatched: changes.some((change) => change.kind === kind), previous, happened, marks: [], wasHeld: false };
}
