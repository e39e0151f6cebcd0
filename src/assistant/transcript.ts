import type { AssistantMessage } from './records.ts';

/**
 * The turns of conversations, kept over restarts. One that nobody has used for 90 days is forgotten, of more than a
 * thousand those that were used longest ago, and of each its thousand last turns are kept.
 */
export interface Transcripts {
  /** Begins a conversation; one that was begun before stays as it is. */
  begin(conversation: string, at: Date): Promise<void>;
  /** When a conversation was begun; undefined where it was not, whether or not something was said. */
  begunAt(conversation: string): Promise<Date | undefined>;
  /** Adds a turn at the end; one whose id is there already is not added again. */
  append(conversation: string, message: AssistantMessage): Promise<void>;
  /** The last `limit` turns, or all of them, oldest first; none where nothing was said. */
  read(conversation: string, options?: { readonly limit?: number | undefined }): Promise<readonly AssistantMessage[]>;
  /** Drops all turns, and that it was begun. */
  forget(conversation: string): Promise<void>;
}
