import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Firing, PlannedStep } from '../../firing.ts';
import type { StepReason } from '../../reasons/step-reason.ts';

/** Which of the times it is that a step is done. */
export interface Occurrence {
  readonly firing: Firing;
  readonly params: JsonObject;
  /** Of a list, by its key. */
  readonly element?: string | undefined;
  /** Of a thread, from 1. */
  readonly part: number;
}

/** Stands in the place of all platforms and people of a simulation. */
export interface World {
  /** What comes of a step that is done; `nowMs` is the simulated instant, in milliseconds since 1970. */
  resultOf(planned: PlannedStep, nowMs: number, occurrence: Occurrence): Json | undefined;
  /** Whether the target of a step refuses at this instant, or once and for all, or why the step is left out; absent: none ever does. */
  refuses?(planned: PlannedStep, nowMs: number, occurrence: Occurrence): boolean | 'forGood' | StepReason;
  /** What a person says by now to a question that was asked; undefined: nothing yet. Absent: nobody ever answers. */
  answerTo?(planned: PlannedStep, nowMs: number, occurrence: Occurrence): JsonObject | undefined;
}
