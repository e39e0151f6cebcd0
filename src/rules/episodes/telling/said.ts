import type { JsonObject } from '#src/operation/json.ts';
import type { Decision, Outcome } from '../../decision.ts';
import type { Episode } from '../../episode.ts';
import type { Firing, Withdrawal } from '../../firing.ts';
import { because } from '../../reasons/because.ts';
import type { Reason } from '../../reasons/reason.ts';
import type { Rule } from '../../rule.ts';

/** What is to be done, what is not to be done after all, and why. */
export interface Said {
  /** In the order in which they were decided. */
  readonly firings: readonly Firing[];
  readonly withdrawals: readonly Withdrawal[];
  readonly decisions: readonly Decision[];
}

/** Nothing but what is given. */
export function said({ firings = [], withdrawals = [], decisions = [] }: Partial<Said>): Said {
  return { firings, withdrawals, decisions };
}

/** All of it, in this order. */
export function together(all: readonly Said[]): Said {
  return {
    firings: all.flatMap(({ firings }) => firings),
    withdrawals: all.flatMap(({ withdrawals }) => withdrawals),
    decisions: all.flatMap(({ decisions }) => decisions),
  };
}

/** A decision about the slot, or about one episode in it. */
export function decide(
  outcome: Outcome,
  why: Reason,
  {
    rule,
    slotMs,
    episode,
    details,
  }: {
    readonly rule: Rule;
    readonly slotMs: number;
    readonly episode?: Episode | undefined;
    readonly details?: JsonObject | undefined;
  },
): Decision {
  return { rule: rule.id, atMs: slotMs, outcome, item: episode?.key, episode: episode?.id, ...because(why), details };
}
