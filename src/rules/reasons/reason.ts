import type { Fault } from '#src/errors.ts';
import type { ChangeKind } from '#src/rules/rule.ts';
import type { Falsehood } from './falsehood.ts';

/** A reason with its English message. */
export interface Explained<R> {
  readonly message: string;
  /** The data of the message. Absent for rows of earlier versions, which stored only the text. */
  readonly reason?: R | undefined;
}

/** The reason of a decision. The store keeps it as JSON: a kind keeps its meaning and its fields. */
export type Reason =
  /** The poll failed. `failure` is the message of the platform. */
  | { readonly kind: 'pollFailed'; readonly failure?: string | undefined; readonly fault?: Fault | undefined }
  /** Items of the list have no key. Reasons of earlier versions name none: the whole poll was ignored. */
  | { readonly kind: 'missingKey'; readonly items?: Keyless | undefined }
  /** A slot of the schedule. */
  | { readonly kind: 'scheduledRun'; readonly block?: GateBlock | undefined }
  /** A member used the command of the rule. */
  | { readonly kind: 'commandUsed'; readonly command: string; readonly by: string; readonly block?: GateBlock | undefined }
  /** A request to the webhook of the rule arrived. */
  | { readonly kind: 'webhookReceived'; readonly webhook: string; readonly block?: GateBlock | undefined }
  /** The item was not seen long or often enough yet. */
  | {
      readonly kind: 'waiting';
      readonly name: string;
      readonly standing: Standing;
      readonly settleMs?: number | undefined;
      readonly seen?: Part | undefined;
    }
  /** A new value has not held for `settle` yet. */
  | { readonly kind: 'settling'; readonly name: string; readonly change: ChangeDetail; readonly settleMs: number }
  /** The item is missing, but not long or often enough yet. */
  | { readonly kind: 'missing'; readonly name: string; readonly missing: Missing; readonly filteredOut?: Unfitness }
  | { readonly kind: 'returned'; readonly name: string; readonly standing: Standing; readonly awayMs: number }
  /** The item left before its episode opened. */
  | { readonly kind: 'leftBeforeOpening'; readonly name: string; readonly seenMs: number; readonly filteredOut?: Unfitness }
  | { readonly kind: 'opened'; readonly name: string; readonly standing: Standing; readonly suppressedBy: StoredSuppression }
  | ({
      readonly kind: 'itemChanged';
      readonly name: string;
      readonly change: ChangeDetail;
      readonly block?: GateBlock | undefined;
    } & WithGathered)
  /** All changes of a poll. */
  | ({ readonly kind: 'itemsChanged'; readonly changes: readonly Changes[]; readonly block?: GateBlock | undefined } & WithGathered)
  | {
      readonly kind: 'closed';
      readonly name: string;
      /** Whether the item ended, for example a stream. Otherwise it left a list. */
      readonly live: boolean;
      readonly seenMs: number;
      readonly standing: Standing;
      readonly filteredOut?: Unfitness;
      /** Why the episode was never announced. */
      readonly suppressedBy?: StoredSuppression | undefined;
    }
  /** A poll reached a multiple of `every` of steps of `while`. `missed`: the multiples before it that no poll reached in time. */
  | {
      readonly kind: 'everyReached';
      readonly name: string;
      readonly everyMs: number;
      /** The multiple, since the start of the episode. */
      readonly multipleMs: number;
      readonly missed?: number | undefined;
      readonly block?: GateBlock | undefined;
    }
  /** An edit of the rule removed the item from the list. */
  | { readonly kind: 'removedByEdit'; readonly name: string; readonly seenMs: number }
  /** The value of the item was removed from `each`. */
  | { readonly kind: 'removedFromEach'; readonly name: string; readonly seenMs: number }
  /** The items of a baseline poll. `isNew`: the first poll of the rule, not the first one after an edit. */
  | { readonly kind: 'baseline'; readonly isNew: boolean; readonly found: Named }
  | Unfit
  | RestrictedItems
  | PartlyFailed
  | Unchanged
  /** The steps of `quiet` get the deferred changes. */
  | {
      readonly kind: 'quietHoursEnded';
      readonly changes: number;
      /** The last deferred slot of a rule that watches nothing. */
      readonly lastSlotMs?: number | undefined;
      readonly suppressedBy?: Extract<GateSuppression, { readonly kind: 'paused' | 'fuseBlown' | 'muted' }> | undefined;
    }
  /** The steps of `limit` get the collected changes. */
  | {
      readonly kind: 'limitEnded';
      readonly changes: number;
      readonly suppressedBy?: Extract<GateSuppression, { readonly kind: 'muted' }> | undefined;
      /** A pause delays the steps. */
      readonly block?: GateBlock | undefined;
    }
  /** The steps of `gather` get the collected changes: there are enough, or their time has come. */
  | {
      readonly kind: 'gathered';
      readonly changes: number;
      readonly by: 'count' | 'time';
      readonly suppressedBy?: GateSuppression | undefined;
      /** A pause delays the steps. */
      readonly block?: GateBlock | undefined;
    };

interface WithGathered {
  /** The number of changes that `gather` has collected with this one. */
  readonly gathered?: number | undefined;
}

/** Why an item of the list does not fit `where`. */
type Unfitness = Falsehood | undefined;

/** Items without a key, with the first ones. `error`: why the key cannot be computed; absent: it is empty. */
export interface Keyless {
  readonly count: number;
  readonly named: readonly { readonly name: string; readonly error?: string | undefined }[];
}

/** Items that do not fit `where`, with the reasons of the first ones. */
export interface Unfit {
  readonly kind: 'filteredOut';
  readonly count: number;
  readonly named: readonly { readonly name: string; readonly condition: Falsehood }[];
}

/** Items that not everyone can read, and that `include` does not add. Their names are as restricted as the items. */
export interface RestrictedItems {
  readonly kind: 'restricted';
  readonly followers: number;
  readonly direct: number;
}

/** Parts of a poll that were not read, with the first ones. The rest was read. */
export interface PartlyFailed {
  readonly kind: 'pollPartlyFailed';
  readonly count: number;
  readonly parts: readonly FailedPart[];
}

interface FailedPart {
  readonly account: string;
  /** Absent: unknown, or all names of the account. */
  readonly names?: Named | undefined;
  /** Nothing was read through the account. */
  readonly isWhole?: true | undefined;
  /** The message of the platform. */
  readonly failure: string;
  readonly fault?: Fault | undefined;
}

/** A list without changes. */
export interface Unchanged {
  readonly kind: 'unchanged';
  /** The list has the live streams of some people. */
  readonly live?: true | undefined;
  /** After a notification, only the channels that it names were read. */
  readonly hinted?: true | undefined;
  readonly read: number;
  readonly followed: number;
  readonly below?: { readonly count: number; readonly take: number } | undefined;
  readonly missing?: Absent | undefined;
  /** Items with an open episode that no longer fit `where`. */
  readonly noLongerMatching?: Absent | undefined;
  /** Why the list does not show which items are gone: it was cut short, or pages were not read. */
  readonly cut?: 'short' | 'pages' | undefined;
  readonly filteredOut?: Unfit | undefined;
  readonly restricted?: RestrictedItems | undefined;
  readonly partlyFailed?: PartlyFailed | undefined;
}

/** Items that may come back, with the names of the first ones. */
export interface Absent {
  readonly count: number;
  readonly named: readonly { readonly name: string; readonly missing: Missing }[];
}

/** The polls and the time until a missing item closes its episode. */
export interface Missing {
  readonly polls?: Part | undefined;
  readonly graceMs?: number | undefined;
}

/** A number of polls out of the needed ones. */
interface Part {
  readonly count: number;
  readonly of: number;
}

/** A number of items, with the names of the first ones. */
export interface Named {
  readonly count: number;
  readonly names: readonly string[];
}

interface Changes extends Named {
  readonly change: ChangeKind;
}

/** The rank of an item in a ranking, and its viewers. */
export interface Standing {
  readonly rank?: number | undefined;
  readonly viewers?: number | undefined;
}

/** A change of an item with its values. */
export type ChangeDetail =
  /** `live`: the list contains only what is live. */
  | { readonly kind: 'entered'; readonly standing: Standing; readonly live?: boolean | undefined }
  | { readonly kind: 'left' }
  | { readonly kind: 'moved'; readonly direction: 'up' | 'down'; readonly from?: number | undefined; readonly to?: number | undefined }
  | { readonly kind: 'changed'; readonly fields: readonly FieldChange[] }
  | {
      readonly kind: 'rose' | 'fell';
      readonly field: string;
      readonly thresholds: readonly number[];
      /** The threshold is a multiple of this number, and the value reached it. */
      readonly every?: number | undefined;
      readonly value?: number | undefined;
      readonly previous?: number | undefined;
    };

/** A change of a field. Values are JSON, and absent if the field has no value. */
interface FieldChange {
  readonly field: string;
  readonly value?: string | undefined;
  readonly previous?: string | undefined;
}

/** Why a firing is not sent (`suppressed`), or not yet (`deferred`). */
export interface GateBlock {
  readonly kind: 'suppressed' | 'deferred';
  readonly by: GateSuppression;
}

/** The gate that blocks a firing, with its values. */
export type GateSuppression =
  | { readonly kind: 'paused'; readonly by: string; readonly agoMs: number }
  /** A person muted the item until its episode ends. */
  | { readonly kind: 'muted'; readonly by: string; readonly agoMs: number }
  | { readonly kind: 'if'; readonly condition: Falsehood }
  /** A stored value cannot be computed, so the rule does not fire. */
  | { readonly kind: 'keepFailed'; readonly name: string; readonly error: string }
  /** The limit of firings was exceeded in an earlier slot. Reasons of earlier versions have no limit. */
  | { readonly kind: 'fuseBlown'; readonly agoMs: number; readonly limit?: number | undefined; readonly perMs?: number | undefined }
  /** The limit of firings is exceeded in this slot. */
  | { readonly kind: 'fuseLimitReached'; readonly firings: number; readonly perMs: number; readonly limit: number }
  | { readonly kind: 'cooldown'; readonly per: 'item' | 'rule'; readonly agoMs: number; readonly leftMs: number }
  | {
      readonly kind: 'quietHours';
      readonly fromMinute: number;
      readonly toMinute: number;
      readonly timezone: string;
      readonly leftMs: number;
    }
  /** The rule fired as often as `limit` allows. */
  | { readonly kind: 'limitReached'; readonly limit: number; readonly perMs: number; readonly leftMs: number }
  | { readonly kind: 'modeSingle' }
  | { readonly kind: 'queueFull'; readonly waiting: number; readonly limit: number }
  | { readonly kind: 'parallelFull'; readonly firings: number; readonly limit: number };

/** Why an episode is not announced. */
export type Suppression =
  | GateSuppression
  /** The baseline poll found the item. */
  | { readonly kind: 'alreadyInList' }
  /** The rule does not announce items that enter. */
  | { readonly kind: 'notInChanges' }
  /** The steps of `quiet` get the entry. */
  | { readonly kind: 'deferredToQuietSteps' }
  | { readonly kind: 'endedInQuietHours' }
  /** The steps of `limit` get the entry. */
  | { readonly kind: 'deferredToLimitSteps' }
  /** It ended while `limit` deferred it. */
  | { readonly kind: 'endedAtLimit' }
  | { readonly kind: 'olderThanMaxAge'; readonly ageMs: number; readonly maxAgeMs: number }
  /** The item began too long ago, in a gap without polls. */
  | { readonly kind: 'beganDuringGap'; readonly agoMs: number; readonly maxAgeMs: number; readonly gapMs: number };

/** A suppression. Rows of earlier versions have only its text. */
export type StoredSuppression = Suppression | string;

/** The suppression in a reason. Undefined if nothing was suppressed, or if only a text of an earlier version is known. */
export function suppressionOf(reason: Reason): Suppression | undefined {
  if ('suppressedBy' in reason) return typeof reason.suppressedBy === 'string' ? undefined : reason.suppressedBy;
  return 'block' in reason ? reason.block?.by : undefined;
}
