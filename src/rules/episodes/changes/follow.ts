import type { Episode } from '../../episode.ts';
import type { Watched, WatchedChange } from '../../rule.ts';
import { wasThereAlready } from '../turns/seen-turns.ts';
import type { Turn } from '../turns/turn.ts';
import { followFields } from './fields.ts';
import type { Followed, Following } from './following.ts';
import { followLines } from './lines.ts';
import { followPlace } from './places.ts';

export interface FollowOptions {
  readonly watched: Watched;
  /** How many places each item went down since the last good poll. */
  readonly moves: ReadonlyMap<string, number>;
  readonly slotMs: number;
}

/** The episode of a turn with its marks, the changes of its values that are due, and those that begin to wait. */
export function follow(turn: Turn, options: FollowOptions): { readonly episode: Episode } & Omit<Followed, 'marks'> {
  const { watched, slotMs } = options;
  const { episode } = turn;
  if (!('previous' in turn || turn.kind === 'waited')) return { episode, changes: [], begun: [] };
  const following: Following = {
    slotMs,
    episode,
    previous: 'previous' in turn ? turn.previous : undefined,
    isFirst: episode.firstSeenMs === slotMs,
    opens: turn.kind === 'opened',
    // An episode that comes back was not in the list before, whoever else of its channel was.
    places: turn.kind === 'stayed' ? (options.moves.get(episode.key) ?? 0) : 0,
    isBaseline: wasThereAlready(episode),
    settleMs: watched.settleMs,
  };
  // Only what is open changes its looks; numbers are told from the first sight.
  const kinds = watched.changes.filter(({ kind }) => turn.kind !== 'waited' || kind === 'rose' || kind === 'fell');
  const followed = kinds.flatMap((change) => followOne(change, following) ?? []);
  const isOpen = turn.kind !== 'waited';
  return {
    episode: withMarks(
      episode,
      followed.flatMap(({ marks }) => marks),
    ),
    changes: isOpen ? followed.flatMap(({ changes }) => changes) : [],
    begun: isOpen ? followed.flatMap(({ begun }) => begun) : [],
  };
}

function withMarks(episode: Episode, marks: Followed['marks']): Episode {
  const before = episode.marks ?? {};
  const isSame = Object.keys(before).length === marks.length && marks.every(([name, mark]) => before[name] === mark);
  return isSame ? episode : { ...episode, marks: Object.fromEntries(marks) };
}

function followOne(change: WatchedChange, following: Following): Followed | undefined {
  switch (change.kind) {
    case 'entered':
    case 'left':
      return undefined;
    case 'changed':
      return followFields(change.fields, following);
    case 'moved':
      return followPlace(change.direction, following);
    case 'rose':
    case 'fell':
      return followLines(change, following);
  }
}
