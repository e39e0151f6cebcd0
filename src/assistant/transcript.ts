import type { AssistantMessage } from './records.ts';

/** A conversation, as a list shows it. */
export interface ConversationLine {
  readonly id: string;
  /** The first question that is kept. */
  readonly begins: string | undefined;
  readonly createdAt: Date;
  /** When the last turn was made. */
  readonly updatedAt: Date;
}

interface AppendOptions {
  /** The turn that it follows; absent: the last one of the conversation. */
  readonly after?: string | undefined;
  /** Who says it. */
  readonly by?: string | undefined;
}

interface ReadOptions {
  /** The turn with which it ends; absent: the last one of the conversation. */
  readonly upTo?: string | undefined;
  /** So many of its last turns; absent: all. */
  readonly limit?: number | undefined;
}

export interface ListOptions {
  /** Only those in which they said something. */
  readonly by?: string | undefined;
  /** Only those whose id begins so. */
  readonly prefix?: string | undefined;
  readonly limit: number;
}

/**
 * The turns of conversations, kept over restarts. A conversation can go on from any of its turns: each follows one, and
 * several may follow the same. One that nobody has used for 90 days is forgotten, of more than a thousand those that
 * were used longest ago, and of each its thousand last turns are kept.
 */
export interface Transcripts {
  /** Begins a conversation; one that was begun before stays as it is. */
  begin(conversation: string, at: Date): Promise<void>;
  /** When a conversation was begun; undefined where it was not, whether or not something was said. */
  begunAt(conversation: string): Promise<Date | undefined>;
  /** Adds a turn; one whose id is there already is not added again. */
  append(conversation: string, message: AssistantMessage, options?: AppendOptions): Promise<void>;
  /** The turns that led to one, and that one, oldest first; none where there is no such turn. */
  read(conversation: string, options?: ReadOptions): Promise<readonly AssistantMessage[]>;
  /** The answer to a question, by the id of its turn. */
  answerTo(conversation: string, question: string): Promise<AssistantMessage | undefined>;
  /** Conversations in which something was said, those used last first. */
  list(options: ListOptions): Promise<readonly ConversationLine[]>;
  /** Drops all turns, and that it was begun. */
  forget(conversation: string): Promise<void>;
}
