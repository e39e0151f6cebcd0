import { canonical, type Json } from '#src/clients/operation/json.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Episode, RuleMemory, RuleState } from '#src/rules/episode.ts';
import type { AdvanceOptions } from './advance.ts';
import { effects, type Advance } from './effects/effects.ts';
import { forgottenAfterMs } from './transitions/apply-transitions.ts';

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
export function unchangedPolls({ rule, state, poll, requested }: AdvanceOptions, made: Advance): UnchangedPolls | undefined {
  const { watched } = rule;
  const [decision, ...others] = made.decisions;
  const { change, wakeMs } = made;
  // A poll of some names shows nothing about the other ones.
  if (poll && 'asked' in poll && poll.asked) return undefined;
  if (!watched || watched.per === 'slot' || requested || !poll || 'failure' in poll || !change) return undefined;
  if (readsTime(watched.where?.source)) return undefined;
  if (decision?.outcome !== 'unchanged' || others.length > 0 || wakeMs !== undefined) return undefined;
  if (made.firings.length + made.withdrawals.length + change.put.length + change.drop.length > 0) return undefined;
  const { memory } = change;
  if (dependsOnTime(memory) || !isSame(state.memory, memory) || ![...state.episodes.values()].every(isSettled)) return undefined;
  return { untilMs: forgottenAfterMs(state.episodes, watched), at: (slotMs) => unchangedAt(slotMs, { decision, memory }) };
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

function isSettled({ phase, deferred, deferredChanges }: Episode): boolean {
  return (phase === 'open' || phase === 'closed') && deferred === undefined && deferredChanges === undefined;
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
