import type { JsonObject } from '#src/clients/operation/json.ts';
import type { PlannedStep, Section } from '#src/rules/firing.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';
import type { UndoneReason } from './undone-reason.ts';

interface Outcome {
  /** The simulated instant, in milliseconds since 1970. */
  readonly atMs: number;
  /** The firing's id. */
  readonly firing: string;
  readonly section: Section;
  readonly planned: PlannedStep;
  /** The key of the element of `forEach`. */
  readonly element?: string | undefined;
}

/** A finished step of one account. */
export interface Done extends Outcome {
  readonly params: JsonObject;
  /** The part of a thread, from 1. */
  readonly part: number;
  /** Whether the step only reads. */
  readonly reads: boolean;
}

/** An unfinished step of one account. */
export interface Undone extends Outcome, Explained<UndoneReason> {
  /** Whether the step failed. Otherwise it was skipped. */
  readonly failed: boolean;
}
