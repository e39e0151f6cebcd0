import type { JsonObject } from '#src/operation/json.ts';
import type { PlannedStep, Section } from '../../firing.ts';
import type { Because } from '../../reasons/because.ts';
import type { UndoneReason } from './undone-reason.ts';

interface Outcome {
  /** The simulated instant, in milliseconds since 1970. */
  readonly atMs: number;
  /** The firing's id. */
  readonly firing: string;
  readonly section: Section;
  readonly planned: PlannedStep;
  /** Of a step that is done for each of a list: which of them, by its key. */
  readonly element?: string | undefined;
}

/** One step through one account, as it was done. */
export interface Done extends Outcome {
  readonly params: JsonObject;
  /** Which part of a thread it is, from 1. */
  readonly part: number;
  /** Whether it only asked something. */
  readonly reads: boolean;
}

/** One step through one account that was not done, or not yet, and why. */
export interface Undone extends Outcome, Because<UndoneReason> {
  /** Whether that is a mistake in the rule and no decision. */
  readonly failed: boolean;
}
