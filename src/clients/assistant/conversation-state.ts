/** A message of a conversation with the assistant. */
export interface ConversationPoint {
  readonly conversation: string;
  /** The id of the answer, or of the question if it has no answer yet. */
  readonly messageId: string;
}

/**
 * The state of conversations in Discord: the answer that each message shows, and the answer from which each channel or thread continues. It
 * is kept for 90 days after the last use, up to 20,000 entries each.
 */
export interface ConversationPoints {
  /** The answer that a message shows. */
  findMessage(message: string): Promise<ConversationPoint | undefined>;
  /** Stores the answer of a message. A thread on this message continues from the new answer if it stood at the old one. */
  keepMessage(message: string, point: ConversationPoint, atMs: number): Promise<void>;
  /** The answer from which a channel or thread continues; `empty` for a stored conversation without messages. */
  findLocation(place: string): Promise<ConversationPoint | 'empty' | undefined>;
  keepLocation(place: string, point: ConversationPoint, atMs: number): Promise<void>;
  /** Registers the thread of a message, so that it continues from the answer of the message. A registered thread stays unchanged. */
  keepThread(message: string, atMs: number): Promise<void>;
  leaveLocation(place: string): Promise<void>;
  /** Adds tokens to the usage of a conversation; resolves with the sum. */
  spend(conversation: string, tokens: number, atMs: number): Promise<number>;
  /** Deletes everything that leads to a conversation. Shared channels stay registered without one. */
  forget(conversation: string, options: { readonly shared: (place: string) => boolean }): Promise<void>;
}

/** An answer in progress, and how to reach its reader after a restart. */
export interface OpenAnswer {
  /** The id of the question. */
  readonly id: string;
  readonly channel: string;
  /** The token of the interaction; absent if a message asked the question. */
  readonly token?: string | undefined;
  /** The last message written for it. */
  readonly message?: string | undefined;
  /** The language of the reader. */
  readonly locale: string;
  readonly askedAt: Date;
  /** The process that writes the answer; absent if one process uses the store. */
  readonly writer?: string | undefined;
}

/** The answers in progress. */
export interface OpenAnswers {
  /** Stores an answer in progress, or its present state. */
  keep(answer: OpenAnswer): Promise<void>;
  close(id: string): Promise<void>;
  /** The answers in progress. If several processes use the store: those whose writer ended. */
  list(): Promise<readonly OpenAnswer[]>;
}

/** At most `most` questions within `withinMs`. */
export interface Quota {
  readonly most: number;
  readonly withinMs: number;
}

/** A question to the assistant, for its quota. */
interface CountedQuestion {
  readonly id: string;
  readonly person: string;
  /** Absent outside servers. */
  readonly server: string | undefined;
  readonly nowMs: number;
}

/** The quotas for questions; `all` is of all servers together, and without it nothing limits them. */
interface QuestionQuotas {
  readonly person: Quota;
  readonly server: Quota;
  readonly all?: Quota | undefined;
}

/** The exhausted quota, and when it has room again; undefined if it never has. */
export interface UsedUp {
  readonly whose: 'person' | 'server' | 'all';
  readonly freeAtMs: number | undefined;
}

/** The recent questions. They survive a restart. */
export interface QuestionCounts {
  /** Counts a question once. Without room, it counts nothing and resolves with the exhausted quota. */
  count(question: CountedQuestion, quotas: QuestionQuotas): Promise<UsedUp | undefined>;
  /** Returns the quota of a question without an answer. */
  giveBack(id: string): Promise<void>;
}

/** The stored state of conversations. */
export interface ConversationState {
  readonly conversationPoints: ConversationPoints;
  readonly openAnswers: OpenAnswers;
  readonly questionCounts: QuestionCounts;
}
