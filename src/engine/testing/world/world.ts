import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';

/** One run of a step. */
export interface Occurrence {
  readonly firing: Firing;
  readonly params: JsonObject;
  /** The record that the step edits, as it was before; absent: it edits none. */
  readonly edited?: Json | undefined;
  /** The key of the element of `forEach`. */
  readonly element?: string | undefined;
  /** The part of a thread, from 1. */
  readonly part: number;
}

/** The platforms and the users of a simulation. `nowMs` is the simulated instant, in milliseconds since 1970. */
export interface World {
  /** The result of a step. Throws an `Error` if the step cannot run. */
  resultOf(planned: PlannedStep, nowMs: number, occurrence: Occurrence): Json | undefined | Promise<Json | undefined>;
  /** Whether the target of a step fails now, or permanently. Absent: no target fails. */
  refuses?(planned: PlannedStep, nowMs: number, occurrence: Occurrence): boolean | 'forGood';
  /** The reason to skip a step. Absent: no step is skipped. */
  skips?(planned: PlannedStep, nowMs: number, occurrence: Occurrence): StepReason | undefined;
  /** The answer of a user to a question. Undefined: no answer yet. Absent: no question is answered. */
  answerTo?(planned: PlannedStep, nowMs: number, occurrence: Occurrence): JsonObject | undefined;
}
