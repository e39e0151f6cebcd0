import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Recovery } from '#src/operation/platform.ts';

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
}

/** Finds out what became of a step. */
export type Recover = (attempt: LostAttempt) => Promise<Recovery<Json>>;
