import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Firing, PlannedStep } from '../../firing.ts';
import type { StepReason } from '../../reasons/step-reason.ts';

/** One time that a step is done. */
export interface Occurrence {
  readonly firing: Firing;
  readonly params: JsonObject;
  /** The key of the element, if the step is done for each element of a list. */
  readonly element?: string | undefined;
  /** The part of a thread, from 1. */
  readonly part: number;
}

/** The platforms and the people of a simulation; `nowMs` is the simulated instant, in milliseconds since 1970. */
export interface World {
  /** The result of a step that is done; an `Error` that it throws says why the step cannot be done. */
  resultOf(planned: PlannedStep, nowMs: number, occurrence: Occurrence): Json | undefined | Promise<Json | undefined>;
  /** Whether the target of a step refuses now, or for good; absent: no target refuses. */
  refuses?(planned: PlannedStep, nowMs: number, occurrence: Occurrence): boolean | 'forGood';
  /** The reason why a step is left out; absent: no step is. */
  skips?(planned: PlannedStep, nowMs: number, occurrence: Occurrence): StepReason | undefined;
  /** The answer of a person to a question that was asked; undefined: none yet; absent: nobody ever answers. */
  answerTo?(planned: PlannedStep, nowMs: number, occurrence: Occurrence): JsonObject | undefined;
}
