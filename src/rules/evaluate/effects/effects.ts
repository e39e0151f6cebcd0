import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Decision, Outcome } from '#src/rules/decision.ts';
import type { Episode, StateChange } from '#src/rules/episode.ts';
import type { Firing, Withdrawal } from '#src/rules/firing.ts';
import { withMessage } from '#src/rules/messages/format-reason.ts';
import type { Reason } from '#src/rules/reasons/reason.ts';
import type { Rule } from '#src/rules/rule.ts';

/** The effects of a slot. */
export interface Effects {
  /** In the order of the decisions. */
  readonly firings: readonly Firing[];
  readonly withdrawals: readonly Withdrawal[];
  readonly decisions: readonly Decision[];
}

/** The result of one slot of one rule. */
export interface Advance extends Effects {
  /** The change of the state. Absent if the state stays. */
  readonly change?: StateChange | undefined;
  /** When the rule has to run outside its schedule, for example at the end of quiet hours or at a time of `gather`. In milliseconds since 1970. */
  readonly wakeMs?: number | undefined;
}

/** Effects with empty lists for the missing ones. */
export function effects({ firings = [], withdrawals = [], decisions = [] }: Partial<Effects>): Effects {
  return { firings, withdrawals, decisions };
}

const NO_EFFECTS: Effects = { firings: [], withdrawals: [], decisions: [] };

/** All effects in this order. */
export function mergeEffects(all: readonly Effects[]): Effects {
  // Most episodes have one change or none.
  if (all.length <= 1) return all[0] ?? NO_EFFECTS;
  return {
    firings: all.flatMap(({ firings }) => firings),
    withdrawals: all.flatMap(({ withdrawals }) => withdrawals),
    decisions: all.flatMap(({ decisions }) => decisions),
  };
}

/** The subject of a decision: a slot of a rule, or an episode in it. */
export interface DecisionSubject {
  readonly rule: Rule;
  readonly slotMs: number;
  readonly episode?: Episode | undefined;
  /** The key of an item without an episode. */
  readonly item?: string | undefined;
  readonly details?: JsonObject | undefined;
}

/** A decision with its reason and its message. */
export function decide(outcome: Outcome, reason: Reason, { rule, slotMs, episode, item, details }: DecisionSubject): Decision {
  return { rule: rule.id, atMs: slotMs, outcome, item: episode?.key ?? item, episode: episode?.id, ...withMessage(reason), details };
}
