import type { Fault } from '#src/errors.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { RoundOptions } from '#src/clients/operation/call.ts';
import type { Item } from '#src/rules/poll.ts';

/** One read operation on a platform. */
export interface Query {
  /** As `streaming.getStreams`. */
  readonly verb: string;
  readonly account: string;
  readonly params: JsonObject;
}

/** The options of a poll. */
export interface PollOptions extends RoundOptions {
  /** The rank of the highest priority of its rules: 0 is the highest. */
  readonly rank?: number | undefined;
  /** The ids of its rules. */
  readonly rules?: readonly string[] | undefined;
  /** When its rules were due, in milliseconds since 1970: its wait for the rate limit counts from then on. */
  readonly sinceMs?: number | undefined;
}

/** A query of one rule. */
export interface Need extends Query {
  readonly rule: string;
  /** Whether the rule takes what was read if some names could not be read. */
  readonly isPartial?: boolean | undefined;
}

/** A query that serves several needs. */
export interface PlannedPoll extends Query {
  readonly needs: readonly Need[];
}

/** The answer of a platform to a query. A single record becomes a list of one. */
export interface PollResult {
  readonly items: readonly unknown[];
  readonly approximate: boolean;
  /** The names without an answer, and the reason. */
  readonly partialErrors: readonly { readonly message: string; readonly fault?: Fault | undefined; readonly values: readonly string[] }[];
  /** Whether the platform has further pages. */
  readonly more?: boolean | undefined;
}

/** A result that can be stored. */
export interface StoredPollResult extends PollResult {
  readonly items: readonly Item[];
  /** The users with other names than the query; absent: there are none. */
  readonly renamed?: readonly RenamedUsers[] | undefined;
  /** Why the whole poll failed. It has no items then. Absent: it succeeded. */
  readonly failed?: PollFailure | undefined;
}

/** The error of a failed poll. */
interface PollFailure {
  readonly message: string;
  readonly fault?: Fault | undefined;
}

/** Users that the platform found by names which their records do not have: after a renaming, or by an address. */
export interface RenamedUsers {
  /** The names of one query without a record, in lower case. */
  readonly names: readonly string[];
  /** The ids of the users in its answer that it does not name, in lower case. */
  readonly users: readonly string[];
}
