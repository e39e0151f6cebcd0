import type { JsonObject } from '#src/operation/json.ts';
import type { WrittenAnswer } from './query.ts';

/** What a platform answered at a slot, and to which parameters. */
export interface RecordedAnswer {
  readonly slotMs: number;
  readonly params: JsonObject;
  readonly answer: WrittenAnswer;
}

/** What was read in the last days, by `sharedName` of its query. */
export interface RecordedPolls {
  /** Keeps an answer. Nobody needs to wait for it; it rejects where nothing can be kept. */
  record(query: string, recorded: RecordedAnswer): Promise<void>;
  /** What was recorded of a query, the oldest first. */
  read(query: string, sinceMs: number): AsyncIterable<RecordedAnswer>;
}
