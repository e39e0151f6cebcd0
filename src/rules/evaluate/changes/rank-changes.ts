import type { Baseline, Episode } from '#src/rules/episode.ts';
import { rankOf } from '../items/item-fields.ts';
import type { ListedItem } from '../items/filter-items.ts';
import { expanded } from '../transitions/compact.ts';
import type { PollInstant } from '../transitions/transition.ts';
import { baselineOf, compared, isBegun, isSettled } from './baseline.ts';
import type { Change, Tracked, TrackedItem } from './change.ts';

const NAME = 'moved';

/**
 * How many ranks each item direction down since the last good poll, without the items that kept their rank.
 * Only items that both polls show are compared, so that items that enter or leave move no other item.
 */
export function moves(
  listed: readonly ListedItem[],
  { before, instant }: { readonly before: ReadonlyMap<string, Episode>; readonly instant: PollInstant },
): ReadonlyMap<string, number> {
  const remaining = listed.flatMap(({ key }) => {
    const episode = before.get(key);
    const wasListed = episode && expanded(episode, instant).lastSeenMs === instant.lastPollMs;
    return wasListed ? [{ key, rank: rankOf(episode.item) ?? 0 }] : [];
  });
  const positions = new Map(remaining.toSorted((a, b) => a.rank - b.rank).map(({ key }, position) => [key, position]));
  return new Map(
    remaining.flatMap(({ key }, position) => {
      const ranksDown = position - (positions.get(key) ?? position);
      return ranksDown === 0 ? [] : [[key, ranksDown]];
    }),
  );
}

/** Tracks the rank for `moved`. The baseline counts the ranks since the last announcement or since the item entered. */
export function trackRank(watched: 'up' | 'down' | undefined, tracked: TrackedItem): Tracked {
  const { episode, previous, opens, ranksDown, lastRank, slotMs } = tracked;
  const before = baselineOf(episode, NAME);
  // An edit added `moved` after the episode opened: it counts from here.
  if (!opens && !before) return { baselines: [[NAME, { announced: 0 }]], changes: [], begun: [] };
  const known = before ?? { announced: 0 };
  const to = rankOf(episode.item);
  const total = withinList((typeof known.next === 'number' ? known.next : 0) + ranksDown, { to, lastRank });
  const baseline: Baseline = opens ? { announced: 0 } : compared(known, total, { slotMs, from: previous?.['rank'] });
  const isDue = isSettled(baseline, tracked);
  const direction = total < 0 ? 'up' : 'down';
  const isWatched = watched === undefined || watched === direction;
  const rankBefore = typeof baseline.from === 'number' ? baseline.from : undefined;
  // The old rank in the list of today: items that entered or left since would distort the real old rank.
  const from = to === undefined ? undefined : to - total;
  const detail = { kind: NAME, direction, from, to } as const;
  const change: Change = {
    kind: NAME,
    isWatched: true,
    previous: previous && { ...previous, rank: rankBefore },
    from,
    to,
    detail,
    baselines: [NAME],
    wasDeferred: baseline.deferred === true,
  };
  return {
    // A settled move in the other direction is not announced: the next move counts from here.
    baselines: [[NAME, isDue && !isWatched ? { announced: 0 } : baseline]],
    changes: isDue && isWatched ? [change] : [],
    begun: isWatched && isBegun(baseline, tracked) ? [detail] : [],
  };
}

/** The ranks that an item went down, from a rank of the list. Several polls can add up to more, with items that enter, lose a rank and leave. */
function withinList(ranksDown: number, { to, lastRank }: { readonly to: number | undefined; readonly lastRank: number }): number {
  return to === undefined ? ranksDown : Math.max(to - lastRank, Math.min(ranksDown, to - 1));
}
