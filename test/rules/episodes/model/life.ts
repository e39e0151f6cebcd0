import type { ModelChange, Sight } from './model-rule.ts';

/** One life of an item in the list, as somebody would keep it on paper. */
export interface Life {
  readonly key: string;
  readonly firstSeen: number;
  readonly began: number;
  broadcast: string;
  /** All that was seen of it since it came, or came back. */
  seen: { readonly now: number; readonly sight: Sight }[];
  last: Sight;
  before: Sight | undefined;
  lastSeen: number;
  rank: number;
  sightings: number;
  tooOld: boolean;
  there: boolean;
  state: 'waiting' | 'open' | 'over';
  voice: 'none' | 'spoke' | 'silent' | 'held' | 'collected';
  saidWhile: boolean;
  misses: number;
  missingSince: number;
  overSince: number;
  leavingHeld: boolean;
  /** What was said last, or what it entered with: by field. */
  said: Map<string, string | undefined>;
  /** Whether a line is known to be crossed: by line. */
  crossed: Map<string, boolean>;
  /** How far it stood from where it was last said to be, poll by poll. */
  far: { readonly now: number; readonly places: number }[];
  /** Values that wait for the end of the quiet hours. */
  held: Set<string>;
  /** What the steps of `quiet` will be told. */
  collected: Map<string, string>;
}

export function born(sight: Sight, now: number): Life {
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
    there: false,
    state: 'waiting',
    voice: 'none',
    saidWhile: false,
    misses: 0,
    missingSince: 0,
    overSince: 0,
    leavingHeld: false,
    said: new Map(),
    crossed: new Map(),
    far: [],
    held: new Set(),
    collected: new Map(),
  };
}

/** Something about a life that may be said. */
export interface Due {
  readonly life: Life;
  readonly kind: ModelChange['kind'];
  readonly watched: boolean;
  /** How it is written in a line. */
  readonly text: string;
  /** What it is known by while it is held: the same as long as nothing changes in it. */
  readonly names: readonly string[];
  /** It is over with, whether it was said or not. */
  readonly settle: () => void;
}

/** The fields of a life whose values are not those that were said, and have held. */
export function changedFields(life: Life, fields: readonly string[], { now, settle }: { now: number; settle: number }): Due | undefined {
  const due = fields.filter((field) => {
    const value = valueOf(life.last, field);
    if (value === life.said.get(field)) return false;
    return now - runStart(life, (sight) => valueOf(sight, field) === value) >= settle;
  });
  if (due.length === 0) return undefined;
  return {
    life,
    kind: 'changed',
    watched: true,
    text: fields
      .map((field) => {
        const old = due.includes(field) ? life.said.get(field) : life.before && valueOf(life.before, field);
        return `${field}=${old}>${valueOf(life.last, field)}`;
      })
      .join(' '),
    names: due.map((field) => `${field} since ${runStart(life, (sight) => valueOf(sight, field) === valueOf(life.last, field))}`),
    settle() {
      for (const field of due) life.said.set(field, valueOf(life.last, field));
    },
  };
}

/** The lines that a life has crossed, and has been past for long enough. Those that it is back from are armed again. */
export function crossedLines(
  life: Life,
  { kind, lines }: Extract<ModelChange, { kind: 'rose' | 'fell' }>,
  { now, settle, isFirst }: { now: number; settle: number; isFirst: boolean },
): Due | undefined {
  const { viewers } = life.last;
  const up = kind === 'rose';
  const due = lines.filter(({ at, rearm }) => {
    const name = `${kind} ${at}`;
    const isPast = (n: number): boolean => (up ? n > at : n < at);
    const isBack = (n: number): boolean => (up ? n <= rearm : n >= rearm);
    if (isFirst && !life.there && up) life.crossed.set(name, false);
    if (viewers === undefined) return false;
    const crossed = life.crossed.get(name);
    if (crossed === undefined) {
      life.crossed.set(name, isPast(viewers));
      return false;
    }
    const turned = crossed ? isBack : isPast;
    if (!turned(viewers)) return false;
    if (now - numberStart(life, turned) < settle) return false;
    if (crossed) life.crossed.set(name, false);
    return !crossed;
  });
  if (due.length === 0) return undefined;
  return {
    life,
    kind,
    watched: true,
    text: '',
    names: due.map(({ at }) => `${kind} ${at} since ${numberStart(life, (n) => (up ? n > at : n < at))}`),
    settle() {
      for (const { at } of due) life.crossed.set(`${kind} ${at}`, true);
    },
  };
}

/** The move of a life that has held. One in a direction that nobody asked for is over with, too. */
export function movedPlace(
  life: Life,
  direction: 'up' | 'down' | undefined,
  { now, settle }: { now: number; settle: number },
): Due | undefined {
  const places = life.far.at(-1)?.places ?? 0;
  if (places === 0) return undefined;
  let since = now;
  for (const step of life.far.toReversed()) {
    if (step.places !== places) break;
    since = step.now;
  }
  if (now - since < settle) return undefined;
  const went = places < 0 ? 'up' : 'down';
  if (direction !== undefined && direction !== went) {
    life.far = [];
    return undefined;
  }
  return {
    life,
    kind: 'moved',
    watched: true,
    text: `${life.rank - places}>${life.rank}`,
    names: [`${places} since ${since}`],
    settle() {
      life.far = [];
    },
  };
}

/** When the latest sightings began to be all like this. */
function runStart({ seen }: Life, isSo: (sight: Sight) => boolean): number {
  let start = Infinity;
  for (const { now, sight } of seen.toReversed()) {
    if (!isSo(sight)) break;
    start = now;
  }
  return start;
}

/** The same of a number: sightings without it say nothing. */
function numberStart({ seen }: Life, isSo: (n: number) => boolean): number {
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
