import type { Episode, RuleState } from '../../episode.ts';
import type { Watched } from '../../rule.ts';
import type { Present } from './present-items.ts';
import { REMEMBERED_MS, seenTurns } from './seen-turns.ts';
import type { Moment, Turn } from './turn.ts';
import { unseenTurn } from './unseen-turn.ts';

export interface TurnsOptions {
  readonly watched: Watched;
  readonly episodes: RuleState['episodes'];
  readonly present: readonly Present[];
  /** Whether the list says anything of those it lacks. */
  readonly complete: boolean;
  readonly moment: Moment;
}

export interface Turns {
  /** Those that closed first, then by rank, then those that the list lacks. */
  readonly turns: readonly Turn[];
  /** Ids of episodes that closed too long ago to be reopened. */
  readonly forgotten: readonly string[];
}

/** What one poll made of all episodes. */
export function takeTurns({ watched, episodes, present, complete, moment }: TurnsOptions): Turns {
  const byKey = new Map(present.map((one) => [one.key, one]));
  const { living, over, forgotten } = sortOut(episodes, { byKey, watched, slotMs: moment.slotMs });

  const seen = present.flatMap((one) => seenTurns(one, { living: living.get(one.key), over: over.get(one.key) }, { watched, moment }));
  const missing = complete ? [...living.values()].filter(({ key }) => !byKey.has(key)) : [];
  const unseen = missing.toSorted(byLastRank).map((episode) => unseenTurn(episode, { watched, moment }));
  const closed = [...seen, ...unseen].filter(isClosed).toSorted((a, b) => byLastRank(a.episode, b.episode));
  return { turns: [...closed, ...[...seen, ...unseen].filter((turn) => !isClosed(turn))], forgotten };
}

/** The episodes that are not over, those that an item of the list reopens, both by key, and those that nothing can reopen. */
function sortOut(
  episodes: RuleState['episodes'],
  { byKey, watched, slotMs }: { readonly byKey: ReadonlyMap<string, Present>; readonly watched: Watched; readonly slotMs: number },
): { readonly living: ReadonlyMap<string, Episode>; readonly over: ReadonlyMap<string, Episode>; readonly forgotten: readonly string[] } {
  const living = new Map<string, Episode>();
  const over = new Map<string, Episode>();
  const forgotten: string[] = [];
  for (const episode of episodes.values()) {
    const { key, itemId, id } = episode;
    if (episode.phase !== 'closed') living.set(key, episode);
    else if (watched.kind !== 'live' || slotMs - closedMs(episode) > REMEMBERED_MS) forgotten.push(id);
    else if (itemId !== undefined && byKey.get(key)?.itemId === itemId) over.set(key, later(episode, over.get(key)));
  }
  return { living, over, forgotten };
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

function byLastRank(a: Episode, b: Episode): number {
  return rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1);
}

function rankOf({ item: { rank } }: Episode): number {
  return typeof rank === 'number' ? rank : 0;
}
