import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { StepPosition } from '#src/rules/step-name.ts';
import type { RuleViews } from '../preview/preview-view.ts';

/** A simulation of the current version of a rule with the recorded polls, compared with the deliveries of that time. */
export interface ReplayView {
  readonly rule: Rule;
  /** The time zone of the rule. */
  readonly timezone: string;
  readonly since: Date;
  /** The simulated slots. `isWarm`: the simulation started earlier, so it knows the list before. Absent if no poll was recorded. */
  readonly slots?: { readonly count: number; readonly first: Date; readonly last: Date; readonly isWarm: boolean } | undefined;
  /** The last simulated slot, if the replay reached its limit. */
  readonly endedAt?: Date | undefined;
  /** When it would have been paused automatically, and the limit, for example `30 in 1h`. The simulated rule announces nothing after that. */
  readonly blown?: { readonly at: Date; readonly most: string } | undefined;
  /** The oldest trace of the rule, if it is later than the first slot. The rule may not have run before. */
  readonly knownSince?: Date | undefined;
  /** Keys of the rule that began empty in the replay, for example `keep`: the running rule had values from before the first slot. */
  readonly startsEmpty: readonly string[];
  /** Names in the rule that no recorded poll contains. */
  readonly missingNames: readonly string[];
  /** The lists of the rule that people changed in the period. The simulation uses the present entries in all slots. */
  readonly changedLists: readonly string[];
  /** Whether the rule asks people: a question that was not asked then gets its first choice as the answer. */
  readonly answersFirst: boolean;
  /** The number of announcements that a person prevented or delayed with a pause or a mute. The simulated rule has neither. */
  readonly paused: number;
  /** Whether a pause or a mute may have prevented more: older decisions of this period are deleted. */
  readonly pausedIsMinimum: boolean;
  /** The number of deliveries that failed then. One with the same content fails in the replay too, and is no event. */
  readonly failed: number;
  /** In the order of time, without the steps of `while`. */
  readonly events: readonly ReplayEvent[];
  readonly edits: Counts;
}

/**
 * An expected or actual message:
 * - `same`: both have the same text, channel and mentions; - `other`: something of these differs;
 * - `more`: only the simulation sends it; - `fewer`: only the running rule sent it;
 * - `early`: the simulation sends it before the oldest trace of the rule.
 */
export interface ReplayEvent {
  readonly kind: 'same' | 'other' | 'more' | 'fewer' | 'early';
  readonly at: Date;
  /** When the message that was sent was decided, if the kind is `same` or `other`. */
  readonly actualAt?: Date | undefined;
  readonly about: string;
  readonly position: StepPosition;
  readonly do: string;
  readonly account: string;
  readonly expected?: readonly string[] | undefined;
  readonly actual?: readonly string[] | undefined;
  /** Why the step would fail. */
  readonly failure?: string | undefined;
}

interface Counts {
  readonly expected: number;
  readonly actual: number;
}

/** The replays of the instances of a rule. */
export interface ReplayRun {
  readonly views: readonly ReplayView[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Replays of recorded polls with the current rules. */
export interface Replayer {
  /** Replays all instances of a rule, or one. */
  replay(id: string, options: { readonly sinceMs: number; readonly nowMs: number }): Promise<RuleViews<ReplayView>>;
}
