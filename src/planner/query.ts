import type { JsonObject } from '#src/operation/json.ts';
import type { Item } from '#src/rules/poll.ts';

/** One read of a platform. */
export interface Query {
  /** As `streaming.getStreams`. */
  readonly verb: string;
  readonly account: string;
  readonly params: JsonObject;
}

/** What a rule wants to be read. */
export interface Need extends Query {
  readonly rule: string;
}

/** A read that serves all the needs in it. */
export interface PlannedPoll extends Query {
  readonly needs: readonly Need[];
}

/** What a platform answered to a query; an operation that gives one record, a list of it. */
export interface Answer {
  readonly items: readonly unknown[];
  readonly approximate: boolean;
  /** The names that went unanswered, and why. */
  readonly partialErrors: readonly { readonly message: string; readonly values: readonly string[] }[];
  /** Whether the platform has more behind the last page. */
  readonly more?: boolean | undefined;
}

/** An answer that can be kept. */
export interface WrittenAnswer extends Answer {
  readonly items: readonly Item[];
}
