import type { Baseline, Episode } from '#src/rules/episode.ts';
import type { Item } from '#src/rules/poll.ts';
import type { ChangeDetail } from '#src/rules/reasons/reason.ts';
import type { ChangeKind } from '#src/rules/rule.ts';
import type { Transition } from '../transitions/transition.ts';

/** A change of an item that the rule has not announced yet. */
export interface Change {
  readonly kind: ChangeKind;
  /** Whether the rule announces it. Expressions see other changes in `changes`. */
  readonly isWatched: boolean;
  /** The item before the change. */
  readonly previous: Item | undefined;
  /** The ranks of `moved`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The last threshold of `rose` or `fell` that the number passed, and the last one that it was past before. */
  readonly threshold?: number | undefined;
  readonly previousThreshold?: number | undefined;
  readonly detail: ChangeDetail;
  /** The baselines that the announcement updates, by name. */
  readonly baselines: readonly string[];
  /** The change was deferred in quiet hours and is the same since. */
  readonly wasDeferred: boolean;
}

/** The transition and the changes of one episode in a poll. */
export interface EpisodeChanges {
  /** Absent for an episode that closed in an earlier poll and whose departure was deferred. */
  readonly transition?: Transition | undefined;
  readonly episode: Episode;
  readonly changes: readonly Change[];
  /** The changes that began in this poll and have to hold for `settle`. */
  readonly begun: readonly ChangeDetail[];
}

/** An item of a poll whose values are compared with their baselines. */
export interface TrackedItem {
  readonly episode: Episode;
  readonly previous: Item | undefined;
  /** Whether this is the first poll that shows the episode. */
  readonly isFirst: boolean;
  /** Whether the episode opens in this poll, or the announcement of its entry is deferred. */
  readonly opens: boolean;
  /** Whether the baseline poll found the item. */
  readonly isFromBaseline: boolean;
  /** Whether the item has the fields of another account than in the last poll: its values are new, but did not change. */
  readonly isFromOtherAccount: boolean;
  /** How many ranks the item went down since the last good poll. */
  readonly ranksDown: number;
  /** The last rank in the list; Infinity: unknown. */
  readonly lastRank: number;
  readonly slotMs: number;
  readonly settleMs: number;
}

/** The baselines and changes of one watched change of an item. */
export interface Tracked {
  readonly baselines: readonly (readonly [string, Baseline])[];
  readonly changes: readonly Change[];
  readonly begun: readonly ChangeDetail[];
}
