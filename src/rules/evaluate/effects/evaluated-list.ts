import type { RuleState } from '#src/rules/episode.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule, Scope, Watched } from '#src/rules/rule.ts';
import type { EpisodeChanges } from '../changes/change.ts';
import type { Departures } from '../changes/departures.ts';
import type { Gates } from '../gates/gates.ts';
import type { FilteredItems } from '../items/filter-items.ts';
import type { Transitions } from '../transitions/apply-transitions.ts';
import type { PollInstant } from '../transitions/transition.ts';
import type { Collection } from './collection.ts';
import type { ChangeOf } from './scope.ts';

/** A slot of a rule whose list could be read. */
export interface ListSlot {
  readonly rule: Rule;
  readonly watched: Watched;
  readonly state: RuleState;
  readonly list: Exclude<Poll, { readonly failure: string }>;
  readonly slotMs: number;
  readonly gap: boolean | undefined;
  /** Whether a hint brought the poll. */
  readonly isHinted: boolean;
  /** Whether a platform notified Fanfare before the poll. */
  readonly isNotified: boolean;
  /** The rule runs only because quiet hours end: the slot is not in its schedule. */
  readonly woken: boolean;
  /** The last poll before a rest that no notification ended: see `unreadSince`. */
  readonly unreadSinceMs?: number | undefined;
  /** The keys of items that a person asked to announce. */
  readonly requested?: ReadonlySet<string> | undefined;
}

/** A slot after its changes are detected and before a change is announced. */
export interface EvaluatedList extends ListSlot, Transitions {
  readonly instant: PollInstant;
  /** The ids of episodes that changed with an edit, whatever the list shows. */
  readonly edited: ReadonlySet<string>;
  readonly items: FilteredItems;
  readonly gates: Gates;
  /** Whether deferred changes waited further before the slot fired: a firing may exceed `limit`. */
  readonly wasDeferring: boolean;
  readonly collection: Collection;
  readonly departures: Departures;
  readonly episodeChanges: readonly EpisodeChanges[];
  /** The changes that the rule announces now if no gate blocks them. */
  readonly announceable: readonly ChangeOf[];
  /** The scope of a condition, with the whole list. */
  readonly conditionScope: Scope;
  /** The scope of the steps. It has the list only if a step reads it. */
  readonly stepScope: Scope;
}
