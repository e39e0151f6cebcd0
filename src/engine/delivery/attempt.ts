import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { Inconclusive, Recovery } from '#src/clients/operation/platform.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';

/** One attempt at a step. */
export interface Attempt {
  /** The verb, for example `social.createPost`. */
  readonly do: string;
  readonly account: string;
  readonly params: JsonObject;
  /** The same for every attempt at the step. */
  readonly key: string;
  /** The slot, or the first sight of the episode, that decided the step; absent for a step that a person decided. */
  readonly decidedAt?: Date | undefined;
  /** When the step was to begin. Equal look-ups of one instant share a response. */
  readonly plannedAt?: Date | undefined;
  /** When the first attempt began. */
  readonly since: Date;
  readonly signal: AbortSignal;
}

/** Sends a step to its platform. */
export type Perform = (attempt: Attempt) => Promise<Json>;

/** An attempt without a known outcome. */
export interface LostAttempt extends Attempt {
  /** Ids of records that other deliveries made since then. The search leaves them out. */
  readonly taken: ReadonlySet<string>;
  /** When the attempt ended without an outcome. */
  readonly lostAt: Date;
}

/** A step that may have been sent after the restored backup was made. */
export interface UnknownAttempt extends LostAttempt {
  /** Names and addresses in the step. The record has them, even if its other text differs. */
  readonly about: readonly string[];
}

/** After a restore: searches for the record of a step by its text and its time. */
export type Search = (attempt: UnknownAttempt) => Promise<Recovery<Json> | Inconclusive>;

/** After an attempt without an answer: searches for the record that it may have made. */
export type Recover = (attempt: LostAttempt) => Promise<Recovery<Json> | Inconclusive>;

/** An attempt at a delivery, or a reconciliation, that has ended. */
export interface EndedAttempt {
  readonly kind: 'attempt' | 'reconcile';
  /** The delivery as it was begun. */
  readonly delivery: Delivery;
  /** The outcome, which is not stored yet. */
  readonly change: DeliveryChange;
  readonly beganMs: number;
  readonly endedMs: number;
}
