import type { AssistantMessage } from './records.ts';

/** A conversation in a list. */
export interface ConversationLine {
  readonly id: string;
  /** The first stored question. */
  readonly begins: string | undefined;
  readonly createdAt: Date;
  /** The time of the last message. */
  readonly updatedAt: Date;
}

interface AppendOptions {
  /** The message before; absent for the last one of the conversation. */
  readonly after?: string | undefined;
  /** The author. */
  readonly by?: string | undefined;
}

interface ReadOptions {
  /** The last message to read; absent for the last one of the conversation. */
  readonly upTo?: string | undefined;
  /** The number of messages to read from the end; absent for all. */
  readonly limit?: number | undefined;
}

export interface ListOptions {
  /** Only conversations with a message of this author. */
  readonly by?: string | undefined;
  /** Only conversations whose id begins with this text. */
  readonly prefix?: string | undefined;
  readonly limit: number;
}

/**
 * The stored conversations. A conversation is a tree: each message follows one, and several may follow the same. Unused conversations are
 * kept for 90 days, up to a thousand of them, with a thousand messages each.
 */
export interface Transcripts {
  /** Begins a conversation; an existing one stays unchanged. */
  begin(conversation: string, at: Date): Promise<void>;
  /** When a conversation began; undefined if it was not begun. */
  begunAt(conversation: string): Promise<Date | undefined>;
  /** Adds a message; a known id is not added again. */
  append(conversation: string, message: AssistantMessage, options?: AppendOptions): Promise<void>;
  /** The messages from the beginning up to one message, oldest first; empty if it does not exist. */
  read(conversation: string, options?: ReadOptions): Promise<readonly AssistantMessage[]>;
  /** The answer to a question, by the question's id. */
  answerTo(conversation: string, question: string): Promise<AssistantMessage | undefined>;
  /** The conversations with messages, last used first. */
  list(options: ListOptions): Promise<readonly ConversationLine[]>;
  /** Deletes a conversation with its messages. */
  forget(conversation: string): Promise<void>;
}
