import type { Json, JsonObject } from '#src/operation/json.ts';

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

/** What a platform answered to a query. */
export interface Answer {
  readonly items: readonly unknown[];
  readonly approximate: boolean;
  /** The names that went unanswered, and why. */
  readonly partialErrors: readonly { readonly message: string; readonly values: readonly string[] }[];
}

/** A name for a value that does not depend on the order in which its keys were written. */
export function canonical(value: Json | undefined): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
