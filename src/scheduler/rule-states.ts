import type { Decision } from '#src/rules/decision.ts';
import type { PausedBy, RuleState, StateChange } from '#src/rules/episode.ts';
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

/** Why a rule says nothing: its fuse blew, a person told it to, or both. */
export interface Pause {
  readonly blownMs?: number | undefined;
  readonly person?: PausedBy | undefined;
}

/** Where the state of the rules is kept; the store fills it. */
export interface RuleStates {
  load(rule: string): Promise<RuleState>;
  /** The last slot that was committed, by rule. */
  lastSlots(): Promise<ReadonlyMap<string, LastSlot>>;
  /** False: this slot of the rule, or a later one, was committed before, or the rule fired at this slot before; then nothing was written. */
  commit(commit: Commit): Promise<boolean>;
  /** Takes back all that was not begun of a rule that is no more. */
  retire(rule: string): Promise<void>;
  /** The rules that say nothing until they are resumed. */
  paused(): Promise<ReadonlyMap<string, Pause>>;
  /** Lets a rule say nothing more, and takes back all that it was about to say; false: somebody paused it before. */
  pause(rule: string, by: string): Promise<boolean>;
  /** Lets a rule speak again that is paused; false: it was not. */
  resume(rule: string): Promise<boolean>;
}
