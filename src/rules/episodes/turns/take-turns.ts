import type { Episode, RuleState } from '../../episode.ts';
import type { Watched } from '../../rule.ts';
import { byLastRank } from './by-last-rank.ts';
import type { Present } from './sift-items.ts';
import { seenAt } from './seen-at.ts';
import { REMEMBERED_MS, SEEN_MS, seenTurns } from './seen-turns.ts';
import type { Moment, Turn } from './turn.ts';
import { unseenTurn } from './unseen-turn.ts';

export interface TurnsOptions {
  readonly watched: Watched;
  readonly episodes: RuleState['episodes'];
  readonly present: readonly Present[];
  /** Whether the list says anything of those it lacks. */
  readonly isWhole: boolean;
  /** Only who is there is kept up to date. */
  readonly compact: boolean;
  readonly moment: Moment;
}

export interface Turns {
  /** Those that closed first, then by rank, then those that the list lacks. */
  readonly turns: readonly Turn[];
  /** The episodes that were not over before, by key. */
  readonly before: ReadonlyMap<string, Episode>;
  /** Those that are over and have something held. */
  readonly heldOver: readonly Episode[];
  /** Ids of episodes that nothing asks for any more. */
  readonly forgotten: readonly string[];
}

/** What one poll made of all episodes. */
export function takeTurns({ watched, episodes, present, isWhole, compact, moment }: TurnsOptions): Turns {
  const byKey = new Map(present.map((one) => [one.key, one]));
  const { living, over, heldOver, forgotten } = sortOut(episodes, { byKey, watched, moment });

  const seen = present.flatMap((one) =>
    seenTurns(one, { living: living.get(one.key), over: over.get(one.key) }, { watched, compact, moment }),
  );
  const missing = [...living.values()].filter(({ key, listed }) => (isWhole || listed) && !byKey.has(key));
  const unseen = missing.toSorted(byLastRank).map((episode): Turn => {
    const seenLast = seenAt(episode, moment);
    return isWhole ? unseenTurn(seenLast, { watched, moment }) : { kind: 'unread', episode: seenLast };
  });
  const closed = [...seen, ...unseen].filter(isClosed).toSorted((a, b) => byLastRank(a.episode, b.episode));
  const turns = [...closed, ...[...seen, ...unseen].filter((turn) => !isClosed(turn))];
  return { turns, before: living, heldOver, forgotten };
}

interface Sorted {
  readonly living: ReadonlyMap<string, Episode>;
  /** Those that an item of the list reopens, by key. */
  readonly over: ReadonlyMap<string, Episode>;
  readonly heldOver: readonly Episode[];
  readonly forgotten: readonly string[];
}

function sortOut(
  episodes: RuleState['episodes'],
  { byKey, watched, moment }: { readonly byKey: ReadonlyMap<string, Present>; readonly watched: Watched; readonly moment: Moment },
): Sorted {
  const { slotMs } = moment;
  const living = new Map<string, Episode>();
  const over = new Map<string, Episode>();
  const heldOver: Episode[] = [];
  const forgotten: string[] = [];
  for (const episode of episodes.values()) {
    const { key, itemId, id } = episode;
    if (episode.phase !== 'closed') {
      const isOld = watched.kind === 'feed' && slotMs - seenAt(episode, moment).lastSeenMs > SEEN_MS && !byKey.has(key);
      if (isOld) forgotten.push(id);
      else living.set(key, episode);
      continue;
    }
    const isHeld = episode.held !== undefined || episode.unsaid !== undefined;
    if (isHeld) heldOver.push(episode);
    const isOver = watched.kind !== 'live' || slotMs - closedMs(episode) > REMEMBERED_MS;
    if (isOver && !isHeld) forgotten.push(id);
    else if (!isOver && itemId !== undefined && byKey.get(key)?.itemId === itemId) over.set(key, later(episode, over.get(key)));
  }
  // No store keeps the order of episodes.
  return { living, over, heldOver: heldOver.toSorted(byLastRank), forgotten: forgotten.toSorted() };
}

function later(a: Episode, b: Episode | undefined): Episode {
  return b && closedMs(b) > closedMs(a) ? b : a;
}

function closedMs({ closedMs: ms, lastSeenMs }: Episode): number {
  return ms ?? lastSeenMs;
}

function isClosed({ kind }: Turn): boolean {
  return kind === 'closed';
}
