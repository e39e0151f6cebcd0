import type { Episode, Mark } from '../../episode.ts';
import type { Happened } from '../../reasons/happened.ts';
import type { Present } from '../turns/sift-items.ts';
import { seenAt } from '../turns/seen-at.ts';
import type { Moment } from '../turns/turn.ts';
import type { Change } from './change.ts';
import type { Followed, Following } from './following.ts';
import { lookedAt, restMs } from './mark.ts';

const MARK = 'moved';

/**
 * How many places each item went down since the last good poll, among those that stood in the list then and still do:
 * who enters or leaves moves nobody. Of what stands where it stood nothing is said.
 */
export function movesOf(
  present: readonly Present[],
  { before, moment }: { readonly before: ReadonlyMap<string, Episode>; readonly moment: Moment },
): ReadonlyMap<string, number> {
  const stood = present.flatMap(({ key }) => {
    const episode = before.get(key);
    return episode && seenAt(episode, moment).lastSeenMs === moment.lastPollMs ? [{ key, rank: rankOf(episode) }] : [];
  });
  const places = new Map(stood.toSorted((a, b) => a.rank - b.rank).map(({ key }, place) => [key, place]));
  return new Map(stood.flatMap(({ key }, place) => (places.get(key) === place ? [] : [[key, place - (places.get(key) ?? place)]])));
}

/** Follows an item's place: the mark is how far it went down from where it was last said to be, or when it entered. */
export function followPlace(
  direction: 'up' | 'down' | undefined,
  { episode: { item, marks }, previous, opens, places, slotMs, settleMs }: Following,
): Followed {
  const known = (marks && Object.hasOwn(marks, MARK) ? marks[MARK] : undefined) ?? { said: 0 };
  const far = (typeof known.next === 'number' ? known.next : 0) + places;
  const mark: Mark = opens ? { said: 0 } : lookedAt(known, far, { slotMs, from: previous?.['rank'] });
  const isDue = restMs(mark, { slotMs, settleMs }) === 0;
  const went = far < 0 ? 'up' : 'down';
  const isTaken = direction === undefined || direction === went;
  const [before, to] = [rank(mark.from), rank(item['rank'])];
  // Where it would stand now had it not moved: who entered or left in the meantime would have made its old rank a riddle.
  const from = to === undefined ? undefined : to - far;
  const happened: Happened = { kind: 'moved', went, from, to };
  const change: Change = {
    kind: 'moved',
    isWatched: true,
    previous: previous && { ...previous, rank: before },
    from,
    to,
    happened,
    marks: [MARK],
    wasHeld: mark.held === true,
  };
  return {
    // A move in the other direction is over with, too: the next one starts from there.
    marks: [[MARK, isDue && !isTaken ? { said: 0 } : mark]],
    changes: isDue && isTaken ? [change] : [],
    begun: isTaken && mark.sinceMs === slotMs && settleMs > 0 ? [happened] : [],
  };
}

function rankOf({ item }: Episode): number {
  return rank(item['rank']) ?? 0;
}

function rank(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
