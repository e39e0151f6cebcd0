import type { Fault } from '#src/errors.ts';
import type { ChangeKind } from '../rule.ts';
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
  | { readonly kind: 'unread'; readonly failure?: string | undefined; readonly fault?: Fault | undefined }
  /** An item of the list has no key. */
  | { readonly kind: 'keyless' }
  /** A slot of the schedule. */
  | { readonly kind: 'slot'; readonly hindrance?: GateBlock | undefined }
  /** The item was not seen long or often enough yet. */
  | {
      readonly kind: 'waiting';
      readonly name: string;
      readonly standing: Standing;
      readonly settleMs?: number | undefined;
      readonly seen?: Part | undefined;
    }
  /** A new value has not held for `settle` yet. */
  | { readonly kind: 'settling'; readonly name: string; readonly happened: ChangeDetail; readonly settleMs: number }
  /** The item is missing, but not long or often enough yet. */
  | { readonly kind: 'missing'; readonly name: string; readonly missing: Missing; readonly unfit?: Unfitness }
  | { readonly kind: 'back'; readonly name: string; readonly standing: Standing; readonly awayMs: number }
  /** The item left before its episode opened. */
  | { readonly kind: 'vanished'; readonly name: string; readonly seenMs: number; readonly unfit?: Unfitness }
  | { readonly kind: 'opened'; readonly name: string; readonly standing: Standing; readonly silence: StoredSuppression }
  | { readonly kind: 'happened'; readonly name: string; readonly happened: ChangeDetail; readonly hindrance?: GateBlock | undefined }
  /** All changes of a poll. */
  | { readonly kind: 'poll'; readonly changes: readonly Changes[]; readonly hindrance?: GateBlock | undefined }
  | {
      readonly kind: 'closed';
      readonly name: string;
      /** Whether the item ended, for example a stream. Otherwise it left a list. */
      readonly live: boolean;
      readonly seenMs: number;
      readonly standing: Standing;
      readonly unfit?: Unfitness;
      /** Why the episode was never announced. */
      readonly silence?: StoredSuppression | undefined;
    }
  /** An edit of the rule removed the item from the list. */
  | { readonly kind: 'outOfList'; readonly name: string; readonly seenMs: number }
  /** The value of the item was removed from `each`. */
  | { readonly kind: 'unfollowed'; readonly name: string; readonly seenMs: number }
  /** The items of a baseline poll. `isNew`: the first poll of the rule, not the first one after an edit. */
  | { readonly kind: 'baseline'; readonly isNew: boolean; readonly found: Named }
  | Unfit
  | RestrictedItems
  | Unchanged
  /** The steps of `quiet` get the deferred changes. */
  | {
      readonly kind: 'handedOver';
      readonly changes: number;
      /** The last deferred slot of a rule that watches nothing. */
      readonly lastSlotMs?: number | undefined;
      readonly untold?: Extract<GateSuppression, { readonly kind: 'paused' }> | { readonly kind: 'fuseBlew' } | undefined;
    };

/** Why an item of the list does not fit `where`. */
type Unfitness = Falsehood | undefined;

/** Items that do not fit `where`, with the reasons of the first ones. */
export interface Unfit {
  readonly kind: 'unfit';
  readonly count: number;
  readonly named: readonly { readonly name: string; readonly because: Falsehood }[];
}

/** Items that not everyone can read, and that `include` does not add. Their names are as restricted as they are. */
export interface RestrictedItems {
  readonly kind: 'restricted';
  readonly followers: number;
  readonly direct: number;
}

/** A list without changes. */
export interface Unchanged {
  readonly kind: 'unchanged';
  readonly read: number;
  readonly followed: number;
  readonly below?: { readonly count: number; readonly take: number } | undefined;
  readonly missing?: Absent | undefined;
  /** Items with an open episode that no longer fit `where`. */
  readonly noLongerFit?: Absent | undefined;
  /** Why the list does not show which items are gone: it was cut short, or pages were not read. */
  readonly cut?: 'short' | 'pages' | undefined;
  readonly unfit?: Unfit | undefined;
  readonly restricted?: RestrictedItems | undefined;
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

/** The rank and the viewers of an item. */
export interface Standing {
  readonly rank?: number | undefined;
  readonly viewers?: number | undefined;
}

/** A change of an item with its values. */
export type ChangeDetail =
  /** `live`: the list contains only what is live. Otherwise, the rank counts. */
  | { readonly kind: 'entered'; readonly standing: Standing; readonly live?: boolean | undefined }
  | { readonly kind: 'left' }
  | { readonly kind: 'moved'; readonly went: 'up' | 'down'; readonly from?: number | undefined; readonly to?: number | undefined }
  | { readonly kind: 'changed'; readonly fields: readonly FieldChange[] }
  | {
      readonly kind: 'rose' | 'fell';
      readonly field: string;
      readonly lines: readonly number[];
      readonly is?: number | undefined;
      readonly was?: number | undefined;
    };

/** A change of a field. Values are JSON, and absent if the field has no value. */
interface FieldChange {
  readonly field: string;
  readonly is?: string | undefined;
  readonly was?: string | undefined;
}

/** Why a firing is not sent (`refused`), or not yet (`held`). */
export interface GateBlock {
  readonly kind: 'refused' | 'held';
  readonly by: GateSuppression;
}

/** The gate that blocks a firing, with its values. */
export type GateSuppression =
  | { readonly kind: 'paused'; readonly by: string; readonly agoMs: number }
  | { readonly kind: 'if'; readonly because: Falsehood }
  /** The fuse blew in an earlier slot. */
  | { readonly kind: 'fuseBlown'; readonly agoMs: number }
  /** The fuse blows in this slot. */
  | { readonly kind: 'fuseBlows'; readonly firings: number; readonly perMs: number; readonly most: number }
  | { readonly kind: 'cooldown'; readonly per: 'item' | 'rule'; readonly agoMs: number; readonly leftMs: number }
  | {
      readonly kind: 'quietHours';
      readonly fromMinute: number;
      readonly toMinute: number;
      readonly timezone: string;
      readonly leftMs: number;
    }
  | { readonly kind: 'single' }
  | { readonly kind: 'queueFull'; readonly waiting: number; readonly most: number }
  | { readonly kind: 'parallelFull'; readonly firings: number; readonly most: number };

/** Why an episode is not announced. */
export type Suppression =
  | GateSuppression
  /** The baseline poll found the item. */
  | { readonly kind: 'thereAlready' }
  /** The rule does not announce items that enter. */
  | { readonly kind: 'unasked' }
  /** The steps of `quiet` get the entry. */
  | { readonly kind: 'collected' }
  | { readonly kind: 'endedInQuiet' }
  | { readonly kind: 'old'; readonly ageMs: number; readonly maxAgeMs: number }
  /** The item began too long ago, in a gap without polls. */
  | { readonly kind: 'begunUnread'; readonly agoMs: number; readonly maxAgeMs: number; readonly unreadMs: number };

/** A suppression. Rows of earlier versions have only its text. */
export type StoredSuppression = Suppression | string;

/** The suppression in a reason. Undefined if nothing was suppressed, or if only a text of an earlier version is known. */
export function suppressionOf(reason: Reason): Suppression | undefined {
  if ('silence' in reason) return typeof reason.silence === 'string' ? undefined : reason.silence;
  return 'hindrance' in reason ? reason.hindrance?.by : undefined;
}
