import type { Json, JsonObject } from '#src/operation/json.ts';
import type { PlannedStep } from '../../firing.ts';

/** Stands in the place of all platforms and people of a simulation. */
export interface World {
  /** What comes of a step that is done; `nowMs` is the simulated instant, in milliseconds since 1970. */
  resultOf(planned: PlannedStep, nowMs: number): Json | undefined;
  /** Whether the target of a step refuses at this instant; absent: none ever does. */
  refuses?(planned: PlannedStep, nowMs: number): boolean;
  /** What a person says by now to a question that was asked; undefined: nothing yet. Absent: nobody ever answers. */
  answerTo?(planned: PlannedStep, nowMs: number): JsonObject | undefined;
}
