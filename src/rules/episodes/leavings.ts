import type { Episode } from '../episode.ts';
import { byLastRank } from './turns/by-last-rank.ts';
import type { Turns } from './turns/take-turns.ts';

/** Episodes that ended in quiet hours, and whose end was held. */
export interface Leavings {
  /** Their items are still gone; who left first is first, and of those the best. */
  readonly standing: readonly Episode[];
  /** Their items came back, or left again since. */
  readonly past: readonly Episode[];
}

/** Looks at those again whose leaving was held; of whom a list says nothing they wait. */
export function lookAgain(
  { heldOver, before }: Pick<Turns, 'heldOver' | 'before'>,
  { isShown, isWhole, collects }: { readonly isShown: (key: string) => boolean; readonly isWhole: boolean; readonly collects: boolean },
): Leavings {
  const left = heldOver.filter(({ unsaid }) => unsaid === 'left');
  const lastOf = new Map<string, Episode>();
  for (const episode of left) {
    const other = lastOf.get(episode.key);
    if (!other || (other.closedMs ?? 0) < (episode.closedMs ?? 0)) lastOf.set(episode.key, episode);
  }
  const isBack = ({ key }: Episode): boolean => before.has(key) || isShown(key);
  const isLast = (episode: Episode): boolean => lastOf.get(episode.key) === episode;
  return {
    standing: left.filter((episode) => isWhole && isLast(episode) && !isBack(episode)).toSorted(byLeaving),
    past: [
      ...left.filter((episode) => !isLast(episode) || isBack(episode)),
      // What steps were to tell that an edit took away.
      ...heldOver.filter(({ unsaid }) => unsaid === undefined && !collects),
    ],
  };
}

function byLeaving(a: Episode, b: Episode): number {
  return (a.closedMs ?? 0) - (b.closedMs ?? 0) || byLastRank(a, b);
}

export const NO_LEAVINGS: Leavings = { standing: [], past: [] };
