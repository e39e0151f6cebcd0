import type { Episode } from '#src/rules/episode.ts';
import type { ListedItem } from '../items/filter-items.ts';
import { byLastRank } from '../items/item-fields.ts';
import type { Transitions } from '../transitions/apply-transitions.ts';

/** Episodes that closed in quiet hours and whose departure was deferred. */
export interface Departures {
  /** Episodes whose item is still gone, in the order in which they closed. */
  readonly standing: readonly Episode[];
  /** Episodes whose item came back or left again since. */
  readonly past: readonly Episode[];
}

export const NO_DEPARTURES: Departures = { standing: [], past: [] };

/** Re-evaluates deferred departures after quiet hours. A departure waits until a poll shows again that its item is gone. */
export function reevaluateDepartures(
  { deferred, before }: Pick<Transitions, 'deferred' | 'before'>,
  {
    listed,
    isRead,
    collects,
  }: { readonly listed: readonly ListedItem[]; readonly isRead: (episode: Episode) => boolean; readonly collects: boolean },
): Departures {
  const left = deferred.filter(({ deferred }) => deferred === 'left');
  const lastOf = new Map<string, Episode>();
  for (const episode of left) {
    const other = lastOf.get(episode.key);
    if (!other || (other.closedMs ?? 0) < (episode.closedMs ?? 0)) lastOf.set(episode.key, episode);
  }
  const keys = new Set(listed.map(({ key }) => key));
  const isGone = (episode: Episode): boolean => lastOf.get(episode.key) === episode && !before.has(episode.key) && !keys.has(episode.key);
  return {
    standing: left.filter((episode) => isRead(episode) && isGone(episode)).toSorted(byDeparture),
    past: [
      ...left.filter((episode) => !isGone(episode)),
      // An earlier version kept these after an edit removed the steps of `quiet`.
      ...deferred.filter(({ deferred }) => deferred === undefined && !collects),
    ],
  };
}

function byDeparture(a: Episode, b: Episode): number {
  return (a.closedMs ?? 0) - (b.closedMs ?? 0) || byLastRank(a, b);
}
