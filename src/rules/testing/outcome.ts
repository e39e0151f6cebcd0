import type { JsonObject } from '#src/operation/json.ts';
import type { PlannedStep, Section } from '../firing.ts';
import type { Explained } from '../reasons/reason.ts';
import type { UndoneReason } from './undone-reason.ts';

interface Outcome {
  /** The simulated instant, in milliseconds since 1970. */
  readonly atMs: number;
  /** The firing's id. */
  readonly firing: string;
  readonly section: Section;
  readonly planned: PlannedStep;
  /** The key of the element, if the step is done for each element of a list. */
  readonly element?: string | undefined;
}

/** A step through one account that was done. */
export interface Done extends Outcome {
  readonly params: JsonObject;
  /** The part of a thread, from 1. */
  readonly part: number;
  /** Whether it reads, and writes nothing. */
  readonly reads: boolean;
}

/** A step through one account that was not done, or not yet. */
export interface Undone extends Outcome, Explained<UndoneReason> {
  /** Whether the rule is wrong, and nothing decided against the step. */
  readonly failed: boolean;
}
