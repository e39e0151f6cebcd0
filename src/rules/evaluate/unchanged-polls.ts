import { canonical, type Json } from '#src/clients/operation/json.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Episode, RuleMemory, RuleState } from '#src/rules/episode.ts';
import { namesOfEpisode } from '#src/rules/people/partial-polls.ts';
import type { AdvanceOptions } from './advance.ts';
import { effects, type Advance } from './effects/effects.ts';
import { forgottenAfterMs } from './transitions/apply-transitions.ts';

/** A rule at rest: only the change of an item that its platform shows, or an edit, changes the result of its next polls. */
export interface Rest {
  /** Whether the poll showed no item at all, so that only a new item can be a change. */
  readonly isEmpty: boolean;
  /** When an episode is forgotten, in milliseconds since 1970; absent: never. */
  readonly untilMs?: number | undefined;
  /** The names whose episodes wait for an instant or for another poll, so that each slot asks for them; absent: none waits. */
  readonly waiting?: readonly string[] | undefined;
}

/** The result of each further slot whose poll equals the last one. */
export interface UnchangedPolls {
  /** The last slot that need not be evaluated, in milliseconds since 1970. Later, an episode is forgotten. */
  readonly untilMs: number;
  /** The result of `advance` at a slot until `untilMs` that is in the schedule and follows no gap. */
  at(slotMs: number): Advance;
}

/**
 * The results of further slots with the same poll; undefined if they have to be evaluated.
 *
 * A slot without a change shows that its poll changes nothing in this state. Then only the time can change something: `confirm`, `settle`,
 * `grace`, `quiet`, `limit`, `gather`, and a condition that reads the time.
 */
export function unchangedPolls(options: AdvanceOptions, made: Advance): UnchangedPolls | undefined {
  const settled = settledAfter(options, made);
  if (!settled || settled.stores) return undefined;
  const { decision, memory, untilMs } = settled;
  return { untilMs, at: (slotMs) => unchangedAt(slotMs, { decision, memory }) };
}

/**
 * Whether a rule is at rest after a slot; undefined if it needs its next polls. Unlike an unchanged poll, values that no change of the rule watches may
 * differ: see `Watched.decidingFields`.
 */
export function restAfter(options: AdvanceOptions, made: Advance): Rest | undefined {
  const { poll, rule } = options;
  const settled = settledAfter(options, made);
  if (!settled || !poll || 'failure' in poll || poll.unread) return undefined;
  if (rule.watched?.kind !== 'feed' && !poll.complete) return undefined;
  return { isEmpty: poll.items.length === 0, untilMs: Number.isFinite(settled.untilMs) ? settled.untilMs : undefined };
}

/**
 * The rest of a rule after a poll of some of its names, if it was at rest before; undefined if the rule needs its next polls. Nothing happened to the
 * other names, so they need no poll.
 */
export function restAfterNames({ rule, state, poll }: AdvanceOptions, { change, wakeMs, decisions }: Advance): Rest | undefined {
  if (!rule.watched || !poll || 'failure' in poll || poll.unread || !poll.complete) return undefined;
  if (!change || wakeMs !== undefined || dependsOnTime(change.memory)) return undefined;
  // An item without a key may belong to any episode.
  if (decisions.some(({ outcome }) => outcome === 'failed')) return undefined;
  const episodes = new Map(state.episodes);
  for (const one of change.put) episodes.set(one.id, one);
  for (const id of change.drop) episodes.delete(id);
  const unsettled = [...episodes.values()].filter((one) => !isSettled(one));
  const names = unsettled.map((one) => namesOfEpisode(rule, one));
  if (unsettled.some(waitsForOthers) || names.some((some) => some.length === 0)) return undefined;
  const untilMs = forgottenAfterMs(episodes, rule.watched);
  return {
    isEmpty: poll.items.length === 0,
    untilMs: Number.isFinite(untilMs) ? untilMs : undefined,
    waiting: names.length === 0 ? undefined : names.flat(),
  };
}

/** A slot after which nothing waits for an instant or for another poll. */
interface SettledSlot {
  readonly decision: Decision;
  readonly memory: RuleMemory;
  /** When an episode is forgotten, in milliseconds since 1970. */
  readonly untilMs: number;
  /** Whether it stores values of the poll with its episodes. */
  readonly stores: boolean;
}

function settledAfter({ rule, state, poll, requested }: AdvanceOptions, made: Advance): SettledSlot | undefined {
  const { watched } = rule;
  const [decision, ...others] = made.decisions;
  const { change, wakeMs } = made;
  // A poll of some names shows nothing about the other ones.
  if (poll && 'asked' in poll && poll.asked) return undefined;
  if (!watched || watched.per === 'slot' || requested || !poll || 'failure' in poll || !change) return undefined;
  if (readsTime(watched.where?.source)) return undefined;
  if (decision?.outcome !== 'unchanged' || others.length > 0 || wakeMs !== undefined) return undefined;
  if (made.firings.length + made.withdrawals.length + change.drop.length > 0) return undefined;
  const { memory, put } = change;
  if (dependsOnTime(memory) || !isSame(state.memory, memory)) return undefined;
  if (!put.every(({ id, phase }) => state.episodes.get(id)?.phase === phase)) return undefined;
  if (![...state.episodes.values(), ...put].every(isSettled)) return undefined;
  return { decision, memory, untilMs: forgottenAfterMs(state.episodes, watched), stores: put.length > 0 };
}

/**
 * Whether a slot stores nothing but the instants, counters and values of its poll. If it is lost, the rule continues as if the poll had failed: no
 * announcement was made, suppressed or deferred.
 */
export function storesOnlyPoll(state: RuleState, { firings, withdrawals, decisions, change }: Advance): boolean {
  if (firings.length + withdrawals.length > 0 || !decisions.every(({ outcome }) => outcome === 'unchanged' || outcome === 'failed'))
    return false;
  if (!change) return true;
  const isKnown = ({ id, phase }: Episode): boolean => state.episodes.get(id)?.phase === phase;
  return change.drop.length === 0 && isSame(state.memory, change.memory) && change.put.every(isKnown);
}

/** The names of times in expressions. */
const TIMES = /\b(?:now|fetchedAt)\b/u;

function readsTime(source = ''): boolean {
  return TIMES.test(source);
}

/** Whether something in the memory ends at an instant. */
function dependsOnTime({ quietEndMs, deferredSlot, limitMs, limited, gathered, blownMs }: RuleMemory): boolean {
  const isCollecting = (limited ?? []).length + (gathered ?? []).length > 0;
  return isCollecting || [quietEndMs, deferredSlot, limitMs, blownMs].some((value) => value !== undefined);
}

/** Whether an episode waits for more than polls of its names. */
function waitsForOthers({ deferred, deferredChanges, removedByEdit, baselines = {} }: Episode): boolean {
  const isDeferred = [deferred, deferredChanges, removedByEdit].some((value) => value !== undefined);
  return isDeferred || Object.values(baselines).some((one) => one.deferred !== undefined);
}

function isSettled({ phase, deferred, deferredChanges, nextSpan, removedByEdit, baselines = {} }: Episode): boolean {
  if (phase !== 'open' && phase !== 'closed') return false;
  const isWaiting = [deferred, deferredChanges, nextSpan, removedByEdit].some((value) => value !== undefined);
  return !isWaiting && Object.values(baselines).every((one) => one.sinceMs === undefined && one.deferred === undefined);
}

/** Whether two memories differ only in the instant of the last poll. */
function isSame(before: RuleState['memory'], after: RuleMemory): boolean {
  const [a, b] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...a.keys(), ...b.keys()])].every((name) => name === 'lastPollMs' || isEqual(a.get(name), b.get(name)));
}

function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && canonical(a) === canonical(b));
}

function unchangedAt(slotMs: number, { decision, memory }: { readonly decision: Decision; readonly memory: RuleMemory }): Advance {
  return {
    ...effects({ decisions: [{ ...decision, atMs: slotMs }] }),
    change: { memory: { ...memory, lastPollMs: slotMs }, put: [], drop: [], past: [] },
    wakeMs: undefined,
  };
}
