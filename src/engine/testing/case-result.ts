import type { Decision } from '#src/rules/decision.ts';
import type { Mismatch } from './compare-sent.ts';
import type { Undone } from './outcome.ts';

export interface CaseResult {
  readonly file: string;
  /** The line of the case in the file, from 1. */
  readonly line: number;
  readonly it: string;
  readonly passed: boolean;
  readonly mismatches: readonly Mismatch[];
  /** Errors in the case or in the rule: an impossible record, a step that cannot be rendered. */
  readonly errors: readonly string[];
  /** The decisions of the rule and the steps that it did not do, at each instant after the start. */
  readonly instants: readonly Instant[];
}

export interface Instant {
  /** Milliseconds after the start. */
  readonly atMs: number;
  readonly decisions: readonly Decision[];
  readonly undone: readonly Undone[];
  /** Set if the case has a poll at this instant, but the schedule has no slot there. */
  readonly notASlot?: NotASlot | undefined;
}

/** A poll between the slots of `cron` or `at`. */
export interface NotASlot {
  /** The next slot, in milliseconds after the start; absent without one. */
  readonly nextMs?: number | undefined;
}
