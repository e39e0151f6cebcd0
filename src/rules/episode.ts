import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { Item } from './poll.ts';
import type { StoredSuppression } from '#src/rules/reasons/reason.ts';
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
  /** The last poll after a hint that counted in `hits` or `misses`. Absent: only polls of the schedule did. */
  readonly countedMs?: number | undefined;
  /** What brought the poll that first showed the item. Absent: the schedule did. */
  readonly noticedBy?: 'notification' | undefined;
  readonly openedMs?: number | undefined;
  readonly closedMs?: number | undefined;
  /** Good polls that had the item since the episode opened. */
  readonly polls: number;
  /** The greatest value of each numeric field so far. */
  readonly peak: Readonly<Record<string, number>>;
  /** The names of the games of the item, in their order. Absent: none. */
  readonly games?: readonly string[] | undefined;
  /** The sum and the number of the values of numeric fields. Absent if the rule does not read `episode.average`. */
  readonly totals?: Readonly<Record<string, { readonly sum: number; readonly count: number }>> | undefined;
  /** The item at the greatest value of numeric fields. Absent if the rule does not read `episode.atPeak`. */
  readonly peaks?: Readonly<Record<string, { readonly atMs: number; readonly item: Item }>> | undefined;
  /** The games of the item in their order, the last 100. Absent if the rule does not read `episode.spans`. */
  readonly spans?: readonly Span[] | undefined;
  /** Another game, which still has to hold for `settle`. */
  readonly nextSpan?: { readonly value?: string | undefined; readonly sinceMs: number } | undefined;
  /** The firing of `then` that announced the episode. */
  readonly announcedBy?: string | undefined;
  /** Why the episode is not announced. */
  readonly suppressedBy?: StoredSuppression | undefined;
  /** How often the episode closed. */
  readonly closes: number;
  /** The next `while` is sent even if it repeats the last one: the first one, and the first one after a reopening. */
  readonly evenIfUnchanged: boolean;
  /** The baselines of `moved`, `changed`, `rose` and `fell`, by name. Absent if the rule watches none of them. */
  readonly baselines?: Readonly<Record<string, Baseline>> | undefined;
  /** The item entered or left in quiet hours. The change is announced at their end, if it still stands. */
  readonly deferred?: 'entered' | 'left' | undefined;
  /** `limit` deferred it. Absent: quiet hours did. */
  readonly deferredBy?: 'limit' | undefined;
  /** The changes that the steps of `quiet` get when the quiet hours end. */
  readonly deferredChanges?: Readonly<Partial<Record<ChangeKind, DeferredChange>>> | undefined;
  /**
   * The episode is compact: only the presence of its item is stored. Its item was last seen in the last good poll.
   * See `isCompact`.
   */
  readonly compact?: true | undefined;
  /** An incomplete list lacked the item after an edit of the list. If a complete list lacks it too, its end is not announced. */
  readonly removedByEdit?: true | undefined;
}

/** The time in which an item had a game. Without `toMs`, it lasts. */
export interface Span {
  readonly value: string;
  readonly fromMs: number;
  readonly toMs?: number | undefined;
}

/** The announced value of a field, for the comparison with later polls. The store keeps it as JSON. */
export interface Baseline {
  /** The announced value. Absent if there was none. */
  readonly announced?: Json | undefined;
  /** The new value, which has to hold for `settle`. */
  readonly next?: Json | undefined;
  /** Since when the new value holds. Absent if there is no new value. */
  readonly sinceMs?: number | undefined;
  /** The old value for readers. */
  readonly from?: Json | undefined;
  /** The change was deferred until the quiet hours end. */
  readonly deferred?: true | undefined;
}

/** A change that is deferred for the steps of `quiet`. */
export interface DeferredChange {
  readonly atMs: number;
  readonly previous?: Item | undefined;
  /** The ranks of `moved`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The thresholds of `rose` and `fell`. */
  readonly threshold?: number | undefined;
  readonly previousThreshold?: number | undefined;
}

/** The stored state of a rule beside its episodes. */
export interface RuleMemory {
  /** `Watched.fingerprint` of the last good poll. Absent before the first one, and after `closeEpisodes`. */
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
  /** When the limit of firings was exceeded. It suppresses `then` until an operator resumes the rule. */
  readonly blownMs?: number | undefined;
  /** How often an operator resumed the rule. */
  readonly resumes?: number | undefined;
  /** When the rule asked to run, because something is deferred by `quiet` or `limit`, or gathered. Absent if nothing is. */
  readonly quietEndMs?: number | undefined;
  /** The last deferred slot of a rule that fires each slot. */
  readonly deferredSlot?: DeferredSlot | undefined;
  /** The stored values of the rule, by name. Absent: none was stored yet. */
  readonly kept?: JsonObject | undefined;
  /** The instants of the firings that `limit` counts. */
  readonly limitMs?: readonly number[] | undefined;
  /** The changes for the steps of `limit`, the oldest first. Absent: none. */
  readonly limited?: readonly CollectedChange[] | undefined;
  /** The changes for the steps of `gather`, the oldest first. Absent: none. */
  readonly gathered?: readonly CollectedChange[] | undefined;
  /** The last time that the rule continued after the clock was set back. */
  readonly clockSetBack?: ClockSetBack | undefined;
}

/** A change that waits for steps which run once with all of them. The store keeps it as JSON. */
export interface CollectedChange {
  readonly atMs: number;
  /** The id of the episode. */
  readonly episode: string;
  /** The change with its item, as it was then. */
  readonly change: JsonObject;
  /** The mute of its item. The episode may be gone when the steps run. */
  readonly muted?: PausedBy | undefined;
}

/** The clock was set back. At `atMs`, the last slot was `byMs` in the future. */
export interface ClockSetBack {
  readonly atMs: number;
  readonly byMs: number;
}

/** A slot that is deferred until the quiet hours end. */
export interface DeferredSlot {
  readonly atMs: number;
  /** `limit` deferred it. Absent: quiet hours did. */
  readonly by?: 'limit' | undefined;
  /** The changes of its list, by kind. */
  readonly changes?: JsonObject | undefined;
}

/** The pause of a rule by a user. */
export interface PausedBy {
  /** The display name of the user. */
  readonly by: string;
  readonly atMs: number;
  /** When the rule resumes automatically; absent: not before a user resumes it. */
  readonly untilMs?: number | undefined;
  /** When the user planned the pause, which began at `atMs`; absent: it began at once. */
  readonly plannedMs?: number | undefined;
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
  /** Who muted an item until its episode ends, by the id of the episode. Absent: no one. */
  readonly muted?: ReadonlyMap<string, PausedBy> | undefined;
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
