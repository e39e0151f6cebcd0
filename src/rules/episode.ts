import type { Item } from './poll.ts';

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
  readonly silence?: string | undefined;
  /** How often it closed. */
  readonly closes: number;
  /** The next `while` is sent even where it looks the same: the first one, and the first after a reopening. */
  readonly afresh: boolean;
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
}

/** All that is stored of a rule between polls. */
export interface RuleState {
  readonly memory: RuleMemory;
  /** By episode id. */
  readonly episodes: ReadonlyMap<string, Episode>;
}

/** What a poll changed in it. */
export interface StateChange {
  readonly memory: RuleMemory;
  readonly put: readonly Episode[];
  /** Ids of episodes that need not be remembered any more. */
  readonly drop: readonly string[];
}

export const NEW_STATE: RuleState = { memory: { firings: 0, firedMs: {} }, episodes: new Map() };
