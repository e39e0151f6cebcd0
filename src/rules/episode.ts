import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Item } from './poll.ts';
import type { KeptSilence } from './reasons/reason.ts';
import type { ChangeKind } from './rule.ts';

/** The life of an item in the list of one rule. Everything here can be written down. */
export interface Episode {
  /** Unique in the rule, the same whenever it is made again: `<key>@<slot of the first sight>`. */
  readonly id: string;
  /** What the item is known by. */
  readonly key: string;
  /** The item's own id: a channel's next broadcast has another. */
  readonly itemId: string | undefined;
  readonly phase: 'pending' | 'open' | 'closing' | 'closed';
  /** The item as last seen. */
  readonly item: Item;
  readonly firstSeenMs: number;
  /** When it began: what its first record said, else the first sight. */
  readonly startedMs: number;
  readonly lastSeenMs: number;
  /** Polls in a row that had it while it was pending. */
  readonly hits: number;
  /** Polls in a row that lacked it. */
  readonly misses: number;
  /** The first of those polls. */
  readonly missingSinceMs?: number | undefined;
  readonly openedMs?: number | undefined;
  readonly closedMs?: number | undefined;
  /** Good polls that had it since it opened. */
  readonly polls: number;
  /** The greatest value of each numeric field. */
  readonly peak: Readonly<Record<string, number>>;
  /** The firing of `then` that opened it. */
  readonly spokenBy?: string | undefined;
  /** Why it opened silently, or will. */
  readonly silence?: KeptSilence | undefined;
  /** How often it closed. */
  readonly closes: number;
  /** The next `while` is sent even where it looks the same: the first one, and the first after a reopening. */
  readonly afresh: boolean;
  /** What `moved`, `changed`, `rose` and `fell` compare with, by their names; absent: the rule asks for none of them. */
  readonly marks?: Readonly<Record<string, Mark>> | undefined;
  /** It came or went in quiet hours: that is said at their end, if it still stands. */
  readonly unsaid?: 'entered' | 'left' | undefined;
  /** What the steps of `quiet` will be told of it at their end. */
  readonly held?: Readonly<Partial<Record<ChangeKind, HeldChange>>> | undefined;
  /**
   * The rule looks only at who enters: nothing but presence is kept up to date.
   * While it stands it was last seen by the last good poll, whatever `lastSeenMs` says.
   */
  readonly listed?: true | undefined;
}

/** A value that is compared with what was last said of it. */
export interface Mark {
  /** What was last said; absent: nothing, or that there is no value. */
  readonly said?: Json | undefined;
  /** The value that has to hold before it is said. */
  readonly next?: Json | undefined;
  /** Since when it holds; absent: there is none to wait for. */
  readonly sinceMs?: number | undefined;
  /** What a reader would call the old value. */
  readonly from?: Json | undefined;
  /** It is said when the quiet hours end, if it still holds. */
  readonly held?: true | undefined;
}

/** A change that is held for the steps of `quiet`, beside what its episode knows. */
export interface HeldChange {
  readonly atMs: number;
  readonly previous?: Item | undefined;
  /** Of `moved`: the ranks. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What is kept of a rule beside its episodes. */
export interface RuleMemory {
  /** `Watched.fingerprint` of the last good poll; absent: there was none. */
  readonly fingerprint?: string | undefined;
  /** The slot of the last good poll. */
  readonly lastPollMs?: number | undefined;
  /** How many firings of `then` there were. */
  readonly firings: number;
  /** The last firing of each item, as far as a cooldown may still ask. */
  readonly firedMs: Readonly<Record<string, number>>;
  readonly ruleFiredMs?: number | undefined;
  /** When the firings were that the fuse counts. */
  readonly fusedMs?: readonly number[] | undefined;
  /** When the fuse blew; until the operator resumes the rule it sends no `then`. */
  readonly blownMs?: number | undefined;
  /** How often the operator resumed it. */
  readonly resumes?: number | undefined;
  /** When the quiet hours end in which something was held; absent: nothing is. */
  readonly quietEndMs?: number | undefined;
  /** Of a rule that fires every slot: the last slot that was held. */
  readonly heldSlot?: HeldSlot | undefined;
  /** When the rule continued after the clock was set back, and by how much. */
  readonly clockSetBack?: ClockSetBack | undefined;
}

/** The clock was set back: at `atMs`, the last slot was `byMs` in the future. */
export interface ClockSetBack {
  readonly atMs: number;
  readonly byMs: number;
}

/** A slot that was held. */
export interface HeldSlot {
  readonly atMs: number;
  /** What had changed in its list, by kind. */
  readonly changes?: JsonObject | undefined;
}

/** Who told a rule to be silent, and when. */
export interface PausedBy {
  /** A name, as people know it. */
  readonly by: string;
  readonly atMs: number;
}

/** All that is stored of a rule between polls. */
export interface RuleState {
  readonly memory: RuleMemory;
  /** By episode id. */
  readonly episodes: ReadonlyMap<string, Episode>;
  /** How many firings of `then` are being delivered, by queue; absent: none. */
  readonly delivering?: ReadonlyMap<string, number> | undefined;
  /** A person told it to say nothing; absent: nobody did. */
  readonly paused?: PausedBy | undefined;
}

/** What a poll changed in it. */
export interface StateChange {
  readonly memory: RuleMemory;
  readonly put: readonly Episode[];
  /** Ids of episodes that need not be remembered any more. */
  readonly drop: readonly string[];
  /** Those of them that spoke and are over, as they ended: nothing comes back to them, and the history tells of them. */
  readonly past?: readonly Episode[] | undefined;
}

export const NEW_STATE: RuleState = { memory: { firings: 0, firedMs: {} }, episodes: new Map() };
