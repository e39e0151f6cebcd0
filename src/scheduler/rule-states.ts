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
  /** When the rule is to be run next whatever its schedule says; absent: nothing of the kind. */
  readonly wakeMs?: number | undefined;
}

/** Where a rule stands in time. */
export interface LastSlot {
  /** The last slot that was committed. */
  readonly slotMs: number;
  readonly wakeMs?: number | undefined;
}

/** Where the state of the rules is kept; the store fills it. */
export interface RuleStates {
  load(rule: string): Promise<RuleState>;
  /** The last slot that was committed, by rule. */
  lastSlots(): Promise<ReadonlyMap<string, LastSlot>>;
  /** False: this slot of the rule, or a later one, was committed before; then nothing was written. */
  commit(commit: Commit): Promise<boolean>;
  /** Takes back all that was not begun of a rule that is no more. */
  retire(rule: string): Promise<void>;
  /** The rules whose fuse blew and that nobody resumed. */
  paused(): Promise<ReadonlySet<string>>;
  /** Lets a rule speak again whose fuse blew; false: it was not paused. */
  resume(rule: string): Promise<boolean>;
}
