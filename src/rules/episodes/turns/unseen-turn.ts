import type { Episode } from '../../episode.ts';
import type { Watched } from '../../rule.ts';
import type { Moment, Turn } from './turn.ts';

/** What becomes of an episode whose item a whole list lacks. */
export function unseenTurn(living: Episode, { watched, moment }: { readonly watched: Watched; readonly moment: Moment }): Turn {
  const { slotMs } = moment;
  if (living.phase === 'pending') return finished(living, moment);
  const missingSinceMs = living.missingSinceMs ?? slotMs;
  const episode: Episode = { ...living, phase: 'closing', misses: living.misses + 1, missingSinceMs };
  const isOver = episode.misses >= watched.confirm.gone && slotMs - missingSinceMs >= watched.graceMs;
  return isOver ? finished(episode, moment) : { kind: 'missed', episode };
}

/** The end of an episode, at once. */
export function finished(living: Episode, { slotMs }: Pick<Moment, 'slotMs'>): Turn {
  if (living.phase === 'pending') return { kind: 'vanished', episode: living };
  const marks = living.marks && Object.fromEntries(Object.entries(living.marks).map(([name, { said }]) => [name, { said }]));
  return { kind: 'closed', episode: { ...living, phase: 'closed', closedMs: slotMs, closes: living.closes + 1, marks } };
}
