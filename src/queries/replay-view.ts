import type { Rule } from '#src/rules/rule.ts';
import type { RuleViews } from './preview-view.ts';

/** What a rule as its file is now would have done with what was really seen. */
export interface ReplayView {
  readonly rule: Rule;
  /** The zone that its author lives by. */
  readonly timezone: string;
  readonly since: Date;
  /** When it looked first and last, and whether it knows what was there before; absent: nothing was recorded of what it watches. */
  readonly slots?: { readonly count: number; readonly first: Date; readonly last: Date; readonly isWarm: boolean } | undefined;
  /** When its fuse would have blown, and how much it allows, as `30 in 1h`: from then on it would have said nothing. */
  readonly blown?: { readonly at: Date; readonly most: string } | undefined;
  /** The oldest trace of it, where that is later than the first look: before, it may not have run. */
  readonly knownSince?: Date | undefined;
  /** Names that it asks for and that were never asked for: of them nothing is known. */
  readonly missingNames: readonly string[];
  /** In the order of time, without the edits while something lasts. */
  readonly events: readonly ReplayEvent[];
  readonly edits: Counts;
}

/**
 * One thing that would have been said, or that was:
 * - `same`: it was said, word for word; - `other`: it was said in other words;
 * - `more`: it would have been said, and was not; - `fewer`: it was said, and would not have been;
 * - `early`: it would have been said, and nothing is kept of the rule that early.
 */
export interface ReplayEvent {
  readonly kind: 'same' | 'other' | 'more' | 'fewer' | 'early';
  readonly at: Date;
  readonly about: string;
  /** Its name or its place. */
  readonly step: string;
  readonly do: string;
  readonly account: string;
  readonly expected?: readonly string[] | undefined;
  readonly actual?: readonly string[] | undefined;
  /** Why it could not be said. */
  readonly failure?: string | undefined;
}

interface Counts {
  readonly expected: number;
  readonly actual: number;
}

/** Replays of recorded polls with the current rules. */
export interface Replayer {
  /** Replays all instances of a rule, or one. */
  replay(id: string, options: { readonly sinceMs: number; readonly nowMs: number }): Promise<RuleViews<ReplayView>>;
}
