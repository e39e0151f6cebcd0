import type { Decision } from '#src/rules/decision.ts';
import type { RuleState, StateChange } from '#src/rules/episode.ts';
import type { Firing, Withdrawal } from '#src/rules/firing.ts';

/** All that one slot of one rule brought about: written whole or not at all. */
export interface Commit {
  readonly rule: string;
  readonly slotMs: number;
  /** Absent: the slot said nothing about the list. */
  readonly change?: StateChange | undefined;
  readonly firings: readonly Firing[];
  readonly withdrawals: readonly Withdrawal[];
  readonly decisions: readonly Decision[];
}

/** Where the state of the rules is kept; the store fills it. */
export interface RuleStates {
  load(rule: string): Promise<RuleState>;
  /** The last slot that was committed, by rule. */
  lastSlots(): Promise<ReadonlyMap<string, number>>;
  /** False: this slot of the rule, or a later one, was committed before; then nothing was written. */
  commit(commit: Commit): Promise<boolean>;
}
