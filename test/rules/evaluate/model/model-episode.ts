import type { ModelChange, Sight } from './model-rule.ts';

/** An episode of an item. */
export interface ModelEpisode {
  readonly key: string;
  readonly firstSeen: number;
  readonly began: number;
  broadcast: string;
  /** All sightings since the episode began or reopened. */
  seen: { readonly now: number; readonly sight: Sight }[];
  last: Sight;
  before: Sight | undefined;
  lastSeen: number;
  rank: number;
  sightings: number;
  tooOld: boolean;
  isFromBaseline: boolean;
  /** An edit of the list may be why an incomplete list lacks it. */
  isOut: boolean;
  state: 'waiting' | 'open' | 'over';
  verdict: 'none' | 'spoke' | 'silent' | 'held' | 'dropped' | 'collected';
  hadWhile: boolean;
  misses: number;
  missingSince: number;
  overSince: number;
  isDepartureDeferred: boolean;
  /** The announced values, or the values at the opening, by field. */
  announced: Map<string, string | undefined>;
  /** Whether a threshold is crossed, by threshold. */
  crossed: Map<string, boolean>;
  /** The ranks since the last announcement, poll by poll. */
  moves: { readonly now: number; readonly ranksDown: number; readonly rankBefore: number }[];
  /** Values that wait for the end of the quiet hours. */
  deferred: Set<string>;
  /** The changes for the steps of `quiet`. */
  collected: Map<string, string>;
}

export function newEpisode(sight: Sight, now: number): ModelEpisode {
  const { key, broadcast, began } = sight;
  return {
    key,
    broadcast,
    firstSeen: now,
    began: began ?? now,
    seen: [],
    last: sight,
    before: undefined,
    lastSeen: now,
    rank: 0,
    sightings: 0,
    tooOld: false,
    isFromBaseline: false,
    isOut: false,
    state: 'waiting',
    verdict: 'none',
    hadWhile: false,
    misses: 0,
    missingSince: 0,
    overSince: 0,
    isDepartureDeferred: false,
    announced: new Map(),
    crossed: new Map(),
    moves: [],
    deferred: new Set(),
    collected: new Map(),
  };
}

/** A change of an episode that is due. */
export interface DueChange {
  readonly episode: ModelEpisode;
  readonly kind: ModelChange['kind'];
  readonly watched: boolean;
  /** Its text in a line. */
  readonly text: string;
  /** The names of a deferred change. They stay while the change stays. */
  readonly names: readonly string[];
  /** The change is finished, announced or not. */
  readonly settle: () => void;
}

/** The fields of a episode whose values differ from the announced ones and are stable. */
export function changedFields(
  episode: ModelEpisode,
  fields: readonly string[],
  { now, settle }: { now: number; settle: number },
): DueChange | undefined {
  const due = fields.filter((field) => {
    const value = valueOf(episode.last, field);
    if (value === episode.announced.get(field)) return false;
    return now - runStart(episode, (sight) => valueOf(sight, field) === value) >= settle;
  });
  if (due.length === 0) return undefined;
  return {
    episode,
    kind: 'changed',
    watched: true,
    text: fields
      .map((field) => {
        const old = due.includes(field) ? episode.announced.get(field) : episode.before && valueOf(episode.before, field);
        return `${field}=${old}>${valueOf(episode.last, field)}`;
      })
      .join(' '),
    names: due.map((field) => `${field} since ${runStart(episode, (sight) => valueOf(sight, field) === valueOf(episode.last, field))}`),
    settle() {
      for (const field of due) episode.announced.set(field, valueOf(episode.last, field));
    },
  };
}

/** The lines that a episode has crossed, and has been past for long enough. Those that it is back from are armed again. */
export function crossedLines(
  episode: ModelEpisode,
  { kind, lines }: Extract<ModelChange, { kind: 'rose' | 'fell' }>,
  { now, settle, isNew }: { now: number; settle: number; isNew: boolean },
): DueChange | undefined {
  const { viewers } = episode.last;
  const up = kind === 'rose';
  const due = lines.filter(({ at, rearm }) => {
    const name = `${kind} ${at}`;
    const isPast = (n: number): boolean => (up ? n > at : n < at);
    const isBack = (n: number): boolean => (up ? n <= rearm : n >= rearm);
    if (isNew && !episode.isFromBaseline && up) episode.crossed.set(name, false);
    if (viewers === undefined) return false;
    const crossed = episode.crossed.get(name);
    if (crossed === undefined) {
      episode.crossed.set(name, isPast(viewers));
      return false;
    }
    const turned = crossed ? isBack : isPast;
    if (!turned(viewers)) return false;
    if (now - numberStart(episode, turned) < settle) return false;
    if (crossed) episode.crossed.set(name, false);
    return !crossed;
  });
  if (due.length === 0) return undefined;
  return {
    episode,
    kind,
    watched: true,
    text: '',
    names: due.map(({ at }) => `${kind} ${at} since ${numberStart(episode, (n) => (up ? n > at : n < at))}`),
    settle() {
      for (const { at } of due) episode.crossed.set(`${kind} ${at}`, true);
    },
  };
}

/** The move of an episode that has held for `settle`. A move in a direction that is not watched also settles. */
export function movedRank(
  episode: ModelEpisode,
  direction: 'up' | 'down' | undefined,
  { now, settle }: { now: number; settle: number },
): DueChange | undefined {
  const ranksDown = episode.moves.at(-1)?.ranksDown ?? 0;
  if (ranksDown === 0) return undefined;
  let since = now;
  for (const step of episode.moves.toReversed()) {
    if (step.ranksDown !== ranksDown) break;
    since = step.now;
  }
  if (now - since < settle) return undefined;
  const went = ranksDown < 0 ? 'up' : 'down';
  if (direction !== undefined && direction !== went) {
    episode.moves = [];
    return undefined;
  }
  return {
    episode,
    kind: 'moved',
    watched: true,
    text: `${episode.rank - ranksDown}>${episode.rank} before ${rankBeforeMove(episode)}`,
    names: [`${ranksDown} since ${since}`],
    settle() {
      episode.moves = [];
    },
  };
}

/** The rank in the list before the move began. */
function rankBeforeMove({ moves }: ModelEpisode): number | undefined {
  const start = moves.findLastIndex(({ ranksDown }) => ranksDown === 0) + 1;
  return moves[start]?.rankBefore;
}

/** Since when all sightings fulfil a condition. */
function runStart({ seen }: ModelEpisode, isSo: (sight: Sight) => boolean): number {
  let start = Infinity;
  for (const { now, sight } of seen.toReversed()) {
    if (!isSo(sight)) break;
    start = now;
  }
  return start;
}

/** Since when all sightings with a number fulfil a condition. */
function numberStart({ seen }: ModelEpisode, isSo: (n: number) => boolean): number {
  let start = Infinity;
  for (const { now, sight } of seen.toReversed()) {
    if (sight.viewers === undefined) continue;
    if (!isSo(sight.viewers)) break;
    start = now;
  }
  return start;
}

export function valueOf(sight: Sight, field: string): string | undefined {
  return field === 'title' ? sight.title : sight.game;
}
