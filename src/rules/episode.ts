import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Item } from './poll.ts';
import type { StoredSuppression } from './reasons/reason.ts';
import type { ChangeKind, ListDefinition } from './rule.ts';

/** The time of an item in the list of a rule. The store keeps it as JSON, so field names never change. */
export interface Episode {
  /** Unique in the rule: `<key>@<slot of the first sight>`. */
  readonly id: string;
  /** The key of the item. */
  readonly key: string;
  /** The id of the record. The next broadcast of a channel has another id. */
  readonly itemId: string | undefined;
  readonly phase: 'pending' | 'open' | 'closing' | 'closed';
  /** The item as last seen. */
  readonly item: Item;
  readonly firstSeenMs: number;
  /** The start in the first record, else the first sight. */
  readonly startedMs: number;
  readonly lastSeenMs: number;
  /** Consecutive polls that had the item while the episode was pending. */
  readonly hits: number;
  /** Consecutive polls that lacked the item. */
  readonly misses: number;
  /** The first of these polls. */
  readonly missingSinceMs?: number | undefined;
  readonly openedMs?: number | undefined;
  readonly closedMs?: number | undefined;
  /** Good polls that had the item since the episode opened. */
  readonly polls: number;
  /** The greatest value of each numeric field so far. */
  readonly peak: Readonly<Record<string, number>>;
  /** The firing of `then` that announced the episode. */
  readonly spokenBy?: string | undefined;
  /** Why the episode is not announced. */
  readonly silence?: StoredSuppression | undefined;
  /** How often the episode closed. */
  readonly closes: number;
  /** The next `while` is sent even if its text is unchanged: the first one, and the first one after a reopening. */
  readonly afresh: boolean;
  /** The baselines of `moved`, `changed`, `rose` and `fell`, by name. Absent if the rule watches none of them. */
  readonly marks?: Readonly<Record<string, Baseline>> | undefined;
  /** The item entered or left in quiet hours. The change is announced at their end, if it still stands. */
  readonly unsaid?: 'entered' | 'left' | undefined;
  /** The changes that the steps of `quiet` get when the quiet hours end. */
  readonly held?: Readonly<Partial<Record<ChangeKind, DeferredChange>>> | undefined;
  /**
   * The episode is compact: only the presence of its item is stored. Its item was last seen in the last good poll.
   * See `isCompact`.
   */
  readonly listed?: true | undefined;
  /** An incomplete list lacked the item after an edit of the list. If a complete list lacks it too, its end is not announced. */
  readonly outOfList?: true | undefined;
}

/** The announced value of a field, for the comparison with later polls. The store keeps it as JSON. */
export interface Baseline {
  /** The announced value. Absent if there was none. */
  readonly said?: Json | undefined;
  /** The new value, which has to hold for `settle`. */
  readonly next?: Json | undefined;
  /** Since when the new value holds. Absent if there is no new value. */
  readonly sinceMs?: number | undefined;
  /** The old value for readers. */
  readonly from?: Json | undefined;
  /** The change was deferred until the quiet hours end. */
  readonly held?: true | undefined;
}

/** A change that is deferred for the steps of `quiet`. */
interface DeferredChange {
  readonly atMs: number;
  readonly previous?: Item | undefined;
  /** The ranks of `moved`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The stored state of a rule beside its episodes. */
export interface RuleMemory {
  /** `Watched.fingerprint` of the last good poll. Absent before the first one. */
  readonly fingerprint?: string | undefined;
  /** `Watched.definition` of the last good poll. Absent in states of earlier versions. */
  readonly definition?: ListDefinition | undefined;
  /** Short hashes of the ids that the last good poll read and the rule did not count. Absent: unknown. */
  readonly uncounted?: string | undefined;
  /** The slot of the last good poll. */
  readonly lastPollMs?: number | undefined;
  /** The number of firings of `then`. */
  readonly firings: number;
  /** The last firing of each item that a cooldown may still need. */
  readonly firedMs: Readonly<Record<string, number>>;
  readonly ruleFiredMs?: number | undefined;
  /** The instants of the firings that the fuse counts. */
  readonly fusedMs?: readonly number[] | undefined;
  /** When the fuse blew. It suppresses `then` until an operator resumes the rule. */
  readonly blownMs?: number | undefined;
  /** How often an operator resumed the rule. */
  readonly resumes?: number | undefined;
  /** When the quiet hours with deferred changes end. Absent if nothing is deferred. */
  readonly quietEndMs?: number | undefined;
  /** The last deferred slot of a rule that fires each slot. */
  readonly heldSlot?: DeferredSlot | undefined;
  /** The last time that the rule continued after the clock was set back. */
  readonly clockSetBack?: ClockSetBack | undefined;
}

/** The clock was set back. At `atMs`, the last slot was `byMs` in the future. */
export interface ClockSetBack {
  readonly atMs: number;
  readonly byMs: number;
}

/** A slot that is deferred until the quiet hours end. */
export interface DeferredSlot {
  readonly atMs: number;
  /** The changes of its list, by kind. */
  readonly changes?: JsonObject | undefined;
}

/** The pause of a rule by a user. */
export interface PausedBy {
  /** The display name of the user. */
  readonly by: string;
  readonly atMs: number;
}

/** The stored state of a rule between polls. */
export interface RuleState {
  readonly memory: RuleMemory;
  /** By episode id. */
  readonly episodes: ReadonlyMap<string, Episode>;
  /** The number of firings of `then` that are being delivered, by queue; without steps behind a wait. Absent: none. */
  readonly delivering?: ReadonlyMap<string, number> | undefined;
  /** The episodes with open steps of `then` behind a wait, by queue. Absent: none. */
  readonly waiting?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** The pause by a user. Absent if the rule is not paused. */
  readonly paused?: PausedBy | undefined;
  /** The last committed slot. Absent before the first one. */
  readonly slotMs?: number | undefined;
}

/** The change of the state in a poll. */
export interface StateChange {
  readonly memory: RuleMemory;
  readonly put: readonly Episode[];
  /** The ids of episodes to delete. */
  readonly drop: readonly string[];
  /** The deleted episodes that were announced and closed. The history keeps them. */
  readonly past?: readonly Episode[] | undefined;
}

export const NEW_STATE: RuleState = { memory: { firings: 0, firedMs: {} }, episodes: new Map() };
