import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Inconclusive, Recovery } from '#src/operation/platform.ts';

/** One attempt at a step. */
export interface Attempt {
  /** The verb, as `social.createPost`. */
  readonly do: string;
  readonly account: string;
  readonly params: JsonObject;
  /** The same for every attempt at the step. */
  readonly key: string;
  /** When the first attempt began. */
  readonly since: Date;
  readonly signal: AbortSignal;
}

/** Does a step on its platform. */
export type Perform = (attempt: Attempt) => Promise<Json>;

/** An attempt whose end nobody knows. */
export interface LostAttempt extends Attempt {
  /** Ids of records that other deliveries made since then: none of them is the one looked for. */
  readonly taken: ReadonlySet<string>;
  /** When it ended without an outcome. */
  readonly lostAt: Date;
}

/** A step that may have been done by a state that was lost. */
export interface UnknownAttempt extends LostAttempt {
  /** Texts of the step that name what it is about: its record has them, whatever else it says. */
  readonly about: readonly string[];
}

/** Finds the record of a step that nothing is known of but what it would say now. */
export type Search = (attempt: UnknownAttempt) => Promise<Recovery<Json> | Inconclusive>;

/** Finds out what became of a step. */
export type Recover = (attempt: LostAttempt) => Promise<Recovery<Json> | Inconclusive>;
