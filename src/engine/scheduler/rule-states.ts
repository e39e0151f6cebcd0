import type { FirstAttempt } from '#src/engine/delivery/first-attempt.ts';
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
  /** The first attempts that begin with this commit. The store leaves a delivery `pending` if an earlier one of its account is open. */
  readonly begun?: readonly FirstAttempt[] | undefined;
  /** When the rule asks to run, whatever its schedule; absent if it does not ask. */
  readonly wakeMs?: number | undefined;
  /** The request to the webhook of the rule. A commit with a known key writes nothing. */
  readonly received?: ReceivedWebhook | undefined;
  /** `Rule.published` of the rule that computed this commit. The store refuses it with `ReplacedRule` if another file is in force. */
  readonly published?: string | undefined;
  /** Whether a power failure may undo the commit, because it changes nothing that an announcement depends on. Absent: it may not. */
  readonly mayBeLost?: boolean | undefined;
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

/** A pause that a person asks for. */
export interface NewPause {
  readonly by: string;
  /** When it begins; absent: at once. */
  readonly fromMs?: number | undefined;
  /** When the rule resumes automatically; absent: not before a person resumes it. */
  readonly untilMs?: number | undefined;
}

/** A pause that a person planned, and that has not begun. */
export interface PlannedPause extends NewPause {
  readonly fromMs: number;
  /** When the person planned it. */
  readonly atMs: number;
}

/** A change of the pauses of rules: a new pause, the end of a pause, or the end of all plans. */
export type PauseChange = { readonly pause: NewPause } | { readonly resume: 'now' | 'planned' };

/** The pauses of rules, as a person saw them. */
export interface Pauses {
  readonly paused: ReadonlyMap<string, Pause>;
  /** In the order of their begin. */
  readonly planned: ReadonlyMap<string, readonly PlannedPause[]>;
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
  /** Keeps the state of deleted rules that exist again, even if they are off for months. */
  keep(rules: readonly string[]): Promise<void>;
  /**
   * Moves the state and the history of a renamed rule to its new id; false if nothing is stored under the old one. If the rule already
   * announced something under the new id, its memory and its announced episodes stay; otherwise the values that a person stored there.
   */
  rename(rule: { readonly from: string; readonly to: string }): Promise<boolean>;
  /** The paused rules by id, without pauses that are over. */
  paused(): Promise<ReadonlyMap<string, Pause>>;
  /** Suppresses further announcements of an item until its episode ends, and withdraws those that have not begun. */
  mute(rule: string, episode: string, by: string): Promise<MuteOutcome>;
  /** The planned pauses by rule, without those whose time has come. */
  planned(): Promise<Pauses['planned']>;
  /**
   * Changes the pauses of rules in one transaction. Resolves with the changed rules; with undefined, and without a change, if the pauses are
   * not those that the person saw.
   */
  changePauses(rules: readonly string[], change: PauseChange, seen?: Pauses): Promise<readonly string[] | undefined>;
  /**
   * Begins the planned pauses whose time has come, and withdraws everything that has not begun. Until then, the deliveries that a pause would
   * withdraw are held. Resolves with the paused rules, and with the time of the next planned pause.
   */
  beginPlanned(): Promise<{ readonly rules: readonly string[]; readonly nextMs?: number | undefined }>;
}
