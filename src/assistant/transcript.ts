import type { AssistantMessage } from './records.ts';

/** The turns of conversations, kept over restarts. */
export interface Transcripts {
  /** Adds a turn at the end; one whose id is there already is not added again. */
  append(conversation: string, message: AssistantMessage): Promise<void>;
  /** The last `limit` turns, or all of them, oldest first; none where nothing was said. */
  read(conversation: string, options?: { readonly limit?: number | undefined }): Promise<readonly AssistantMessage[]>;
  /** Drops all turns. */
  forget(conversation: string): Promise<void>;
}
