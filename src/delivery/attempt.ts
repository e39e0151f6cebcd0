import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Inconclusive, Recovery } from '#src/operation/platform.ts';
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

/** A step that a lost state may have done. */
export interface UnknownAttempt extends LostAttempt {
  /** Names and addresses in the step. The record has them, even if its other text differs. */
  readonly about: readonly string[];
}

/** Searches for the record of a step by its text and its time. */
export type Search = (attempt: UnknownAttempt) => Promise<Recovery<Json> | Inconclusive>;

/** Reconciles an attempt: searches for the record that it may have made. */
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
