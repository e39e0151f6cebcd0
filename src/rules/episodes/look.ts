import type { RuleState } from '../episode.ts';
import type { Poll } from '../poll.ts';
import type { Rule, Scope, Watched } from '../rule.ts';
import { happeningOf, heldLeaving, type Happening } from './changes/happening.ts';
import { movesOf } from './changes/places.ts';
import { isCompact } from './compact.ts';
import { createGates, type Gates } from './gates/gates.ts';
import { lookAgain, NO_LEAVINGS, type Leavings } from './leavings.ts';
import { listScope, slotScope, type ChangeOf } from './telling/scope.ts';
import { isToBeSaid } from './telling/tell-changes.ts';
import { siftItems, type Sifted } from './turns/sift-items.ts';
import { takeTurns, type Turns } from './turns/take-turns.ts';
import type { Moment } from './turns/turn.ts';

/** A list as it was read. */
export type ReadList = Exclude<Poll, { readonly failure: string }>;

export interface LookOptions {
  readonly rule: Rule;
  readonly watched: Watched;
  readonly state: RuleState;
  readonly list: ReadList;
  readonly slotMs: number;
  readonly gap: boolean | undefined;
}

/** What a rule makes of a list, before it says anything. */
export interface Look extends Turns {
  readonly sifted: Sifted;
  readonly moment: Moment;
  readonly compact: boolean;
  readonly gates: Gates;
  readonly isQuiet: () => boolean;
  readonly leavings: Leavings;
  readonly happenings: readonly Happening[];
  /** What the rule may say now, of what it watches. */
  readonly askable: readonly ChangeOf[];
  /** What a condition sees: the whole list, too. */
  readonly whole: Scope;
  /** What the steps see. */
  readonly kept: Scope;
}

const NO_MOVES: ReadonlyMap<string, number> = new Map();

/** Looks at a list; undefined where one of its items has no key: then it means nothing. */
export function look(options: LookOptions): Look | undefined {
  const { rule, watched, state, list, slotMs } = options;
  const sifted = siftItems(list.items, { rule, watched, slotMs });
  if (!sifted) return undefined;
  const { present } = sifted;
  const moment = momentOf(options);
  const isWhole = saysWhoIsGone(watched, list);
  const compact = isCompact(rule, watched);
  const turns = takeTurns({ watched, episodes: state.episodes, present, isWhole, compact, moment });

  const gates = createGates({ rule, state, slotMs });
  const isQuiet = (): boolean => gates.quietUntilMs() !== undefined;
  const moves = hasMoves(watched) && !moment.baseline ? movesOf(present, { before: turns.before, moment }) : NO_MOVES;
  const leavings = leavingsOf(turns, { rule, sifted, isWhole, isQuiet });
  const happenings = [
    ...leavings.standing.map((episode) => heldLeaving(episode, watched)),
    ...turns.turns.map((turn) => happeningOf(turn, { watched, moves, slotMs })),
  ];
  const changes = happenings.flatMap(({ episode, changes: all }) =>
    all.filter(({ wasHeld }) => !wasHeld || !isQuiet()).map((change) => ({ episode, change })),
  );
  const slot = slotScope(rule, slotMs);
  const whole = { ...slot, ...listScope(present, changes) };
  return {
    ...turns,
    sifted,
    moment,
    compact,
    gates,
    isQuiet,
    leavings,
    happenings,
    askable: changes.filter(({ change }) => isToBeSaid(change, isQuiet)),
    whole,
    kept: rule.readsList ? whole : slot,
  };
}

function momentOf({ rule, watched, state: { memory }, slotMs, gap }: LookOptions): Moment {
  const { fingerprint, lastPollMs } = memory;
  const sinceMs = slotMs - (lastPollMs ?? slotMs);
  const isGap = gap ?? ('everyMs' in rule.schedule && sinceMs > 2 * rule.schedule.everyMs);
  const isSilent = watched.first === 'silent' || watched.per === 'slot';
  return {
    slotMs,
    baseline: fingerprint === undefined ? isSilent : fingerprint !== watched.fingerprint,
    gapMs: isGap ? sinceMs : undefined,
    maxAgeMs: rule.maxAgeMs,
    lastPollMs,
  };
}

/** Whether a list tells who is gone by not showing them. */
function saysWhoIsGone({ kind }: Watched, { complete, more = false }: ReadList): boolean {
  switch (kind) {
    case 'feed':
      return false;
    // Those who are behind the last page that was read may be there still.
    case 'live':
    case 'set':
      return complete && !more;
    case 'ranking':
    case 'one':
      return complete;
  }
}

function hasMoves({ changes }: Watched): boolean {
  return changes.some(({ kind }) => kind === 'moved');
}

function leavingsOf(
  turns: Turns,
  { rule, sifted, isWhole, isQuiet }: Pick<LookOptions, 'rule'> & Pick<Look, 'sifted' | 'isQuiet'> & { readonly isWhole: boolean },
): Leavings {
  if (turns.heldOver.length === 0 || isQuiet()) return NO_LEAVINGS;
  const shown = new Set(sifted.present.map(({ key }) => key));
  return lookAgain(turns, { isShown: (key) => shown.has(key), isWhole, collects: typeof rule.quiet?.then === 'object' });
}
