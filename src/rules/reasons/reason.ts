import type { Fault } from '#src/errors.ts';
import type { ChangeKind } from '../rule.ts';
import type { Falsehood } from './falsehood.ts';
import type { Happened, Standing } from './happened.ts';
import type { Hindrance, Refusal, Silence } from './refusal.ts';

/** Why a rule decided as it did. It is written down as it is: a kind keeps its meaning and its fields for ever. */
export type Reason =
  /** Nothing could be read; `failure` is the platform's word. */
  | { readonly kind: 'unread'; readonly failure?: string | undefined; readonly fault?: Fault | undefined }
  /** An item of the answer has no key. */
  | { readonly kind: 'keyless' }
  /** The time of the rule came. */
  | { readonly kind: 'slot'; readonly hindrance?: Hindrance | undefined }
  /** It has to be seen longer, or more often. */
  | {
      readonly kind: 'waiting';
      readonly name: string;
      readonly standing: Standing;
      readonly settleMs?: number | undefined;
      readonly seen?: Part | undefined;
    }
  /** A new value has to hold longer. */
  | { readonly kind: 'settling'; readonly name: string; readonly happened: Happened; readonly settleMs: number }
  | {
      readonly kind: 'missing';
      readonly name: string;
      readonly missing: Missing;
      /** The list has it, and `where` refuses it. */ readonly unfit?: Falsehood | undefined;
    }
  | { readonly kind: 'back'; readonly name: string; readonly standing: Standing; readonly awayMs: number }
  /** It was gone, or did not fit any more, before it opened. */
  | { readonly kind: 'vanished'; readonly name: string; readonly seenMs: number; readonly unfit?: Falsehood | undefined }
  | { readonly kind: 'opened'; readonly name: string; readonly standing: Standing; readonly silence: KeptSilence }
  | { readonly kind: 'happened'; readonly name: string; readonly happened: Happened; readonly hindrance?: Hindrance | undefined }
  /** All that changed in one poll. */
  | { readonly kind: 'poll'; readonly changes: readonly Changes[]; readonly hindrance?: Hindrance | undefined }
  | {
      readonly kind: 'closed';
      readonly name: string;
      /** Whether it ended, as a stream does, or left a list. */
      readonly live: boolean;
      readonly seenMs: number;
      readonly standing: Standing;
      /** The list has it, and `where` refuses it. */
      readonly unfit?: Falsehood | undefined;
      /** Why it was never announced. */
      readonly silence?: KeptSilence | undefined;
    }
  /** Its value of `each` was taken out of the rule. */
  | { readonly kind: 'unfollowed'; readonly name: string; readonly seenMs: number }
  /** What the first look found; `isNew`: the first look at all, not only since an edit. */
  | { readonly kind: 'baseline'; readonly isNew: boolean; readonly found: Named }
  | Unfit
  | Unchanged
  /** The steps of `quiet` get what was held. */
  | {
      readonly kind: 'handedOver';
      readonly changes: number;
      /** Where nothing is watched, and so nothing can change: the last slot that was held. */
      readonly lastSlotMs?: number | undefined;
      readonly untold?: Extract<Refusal, { readonly kind: 'paused' }> | { readonly kind: 'fuseBlew' } | undefined;
    };

/** Items that `where` refuses, and why the first of them. */
export interface Unfit {
  readonly kind: 'unfit';
  readonly count: number;
  readonly named: readonly { readonly name: string; readonly because: Falsehood }[];
}

/** A list in which nothing happened. */
export interface Unchanged {
  readonly kind: 'unchanged';
  readonly read: number;
  readonly followed: number;
  readonly below?: { readonly count: number; readonly take: number } | undefined;
  readonly missing?: Absent | undefined;
  /** Those that are still followed, and that `where` refuses. */
  readonly noLongerFit?: Absent | undefined;
  /** Why it does not say who is gone: it was cut short, or pages were left unread. */
  readonly cut?: 'short' | 'pages' | undefined;
  readonly unfit?: Unfit | undefined;
}

/** Items that may come back, and the first of them. */
export interface Absent {
  readonly count: number;
  readonly named: readonly { readonly name: string; readonly missing: Missing }[];
}

/** Why an episode is silent; a text is one that an earlier version wrote down. */
export type KeptSilence = Silence | string;

/** How often, and for how long yet, an item has to be missing. */
export interface Missing {
  readonly polls?: Part | undefined;
  readonly graceMs?: number | undefined;
}

/** So many of so many polls. */
interface Part {
  readonly count: number;
  readonly of: number;
}

/** The first of several, by name. */
export interface Named {
  readonly count: number;
  readonly names: readonly string[];
}

interface Changes extends Named {
  readonly change: ChangeKind;
}
