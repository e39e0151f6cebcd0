import type { Episode } from '../../episode.ts';

/** Best first, as episodes were seen last. */
export function byLastRank(a: Episode, b: Episode): number {
  return rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1);
}

function rankOf({ item: { rank } }: Episode): number {
  return typeof rank === 'number' ? rank : 0;
}
