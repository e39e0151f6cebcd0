import type { Decision } from '#src/rules/decision.ts';
import type { PausedBy, RuleState, StateChange } from '#src/rules/episode.ts';
import type { Firing, Withdrawal } from '#src/rules/firing.ts';
import type { ReceivedWebhook } from '#src/rules/rule.ts';

/** Everything that one slot of one rule produced. The store writes all of it or nothing. */
export interface Commit {
  readonly rule: string;
  readonly slotMs: number;
  /**
   * `RuleState.slotMs` of the state from which this commit was computed, or 0 if it has none. Absent if the commit depends on no state.
   */
  readonly afterMs?: number | undefined;
  /** Absent if the slot learned nothing about the list. */
  readonly change?: StateChange | undefined;
  readonly firings: readonly Firing[];
  readonly withdrawals: readonly Withdrawal[];
  readonly decisions: readonly Decision[];
  /** When the rule asks to run, whatever its schedule; absent if it does not ask. */
  readonly wakeMs?: number | undefined;
  /** The request to the webhook of the rule. A commit with a known key writes nothing. */
  readonly received?: ReceivedWebhook | undefined;
  /** `Rule.published` of the rule that computed this commit. The store refuses it with `ReplacedRule` if another file is in force. */
  readonly published?: string | undefined;
}

/** The file of a rule was replaced while its slot ran, so that the new rule has to run the slot. */
export class ReplacedRule extends Error {
  override readonly name = 'ReplacedRule';

  constructor(rule: string) {
    super(`another version of ${rule} was published`);
  }
}

/** The last committed slot of a rule. */
export interface LastSlot {
  readonly slotMs: number;
  readonly wakeMs?: number | undefined;
  /** When the rule was deleted; absent if it runs, or was deleted while no process ran and none has started since. */
  readonly retiredMs?: number | undefined;
}

/** A change of pauses that a person saw. */
export interface SeenChange {
  /** The pauses, as `paused` returned them. */
  readonly seen: ReadonlyMap<string, Pause>;
  /** Absent: the rules are resumed. */
  readonly pause?: { readonly by: string; readonly untilMs?: number | undefined } | undefined;
}

/** Why a rule is paused: its limit of firings, a person, or both. */
export interface Pause {
  readonly blownMs?: number | undefined;
  readonly person?: PausedBy | undefined;
}

/** The stored state of the rules. */
/** The outcome of a mute: the item is muted, it was muted before, or its episode is over. */
export type MuteOutcome = 'muted' | 'already' | 'over';

export interface RuleStates {
  load(rule: string): Promise<RuleState>;
  /** The last committed slots by rule id. */
  lastSlots(): Promise<ReadonlyMap<string, LastSlot>>;
  /**
   * Writes a commit. Resolves with false, and writes nothing, if this slot or a later one is already committed, if another slot was
   * committed after `afterMs`, if the rule already fired at this slot, or if it processed the webhook before.
   */
  commit(commit: Commit): Promise<boolean>;
  /** Withdraws everything of a deleted rule that has not begun, when it is due, and no sooner than after a minute. */
  retire(rule: string): Promise<void>;
  /** Withdraws everything of a rule that was turned off, as `retire` does. Questions stay open. */
  disable(rule: string): Promise<void>;
  /** Continues what `retire` or `disable` withdrew and was not due since, because the rules run again. */
  reinstate(rules: readonly string[]): Promise<void>;
  /**
   * Moves the state and the history of a renamed rule to its new id; false if nothing is stored under the old one. If the rule already
   * announced something under the new id, its memory and its announced episodes stay.
   */
  rename(rule: { readonly from: string; readonly to: string }): Promise<boolean>;
  /** The paused rules by id, without pauses that are over. */
  paused(): Promise<ReadonlyMap<string, Pause>>;
  /** Pauses a rule until an instant, or until it is resumed, and withdraws everything that has not begun; false if it is already paused with this end. */
  pause(rule: string, by: string, untilMs?: number): Promise<boolean>;
  /** Resumes a paused rule; false if it is not paused. */
  resume(rule: string): Promise<boolean>;
  /** Suppresses further announcements of an item until its episode ends, and withdraws those that have not begun. */
  mute(rule: string, episode: string, by: string): Promise<MuteOutcome>;
  /** Pauses or resumes rules in one transaction, if their pauses are those that a person saw. The changed rules; undefined: they are not. */
  changeSeen(rules: readonly string[], change: SeenChange): Promise<readonly string[] | undefined>;
}
