import type { Element } from '#src/rules/element.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import type { StepNames } from '#src/rules/step.ts';
import type { Delivery } from './delivery.ts';
import type { Position } from './ordering.ts';

/** A delivery in memory, with the step and the firing that it came from. */
export interface MemoryDelivery extends Position {
  delivery: Delivery;
  planned: PlannedStep;
  readonly firing: Firing;
  /** The names for the expressions of the step; absent: those of the firing. */
  names?: StepNames | undefined;
  readonly element?: Element | undefined;
  readonly beginsMs: number;
  /** The order in which deliveries were stored. */
  readonly seq: number;
  /** The same for all deliveries of a step through an account in one section of an episode. */
  readonly repeatKey: string;
}

/** Whether the next delivery of a step is compared with this one: it was begun, or it had to be sent in any case. */
export function isComparable({ since, evenIfUnchanged }: Delivery): boolean {
  return since !== undefined || evenIfUnchanged;
}

/** See `Needed.waitsUntilMs`. */
export function toWaitsUntilMs({ delivery: { state }, beginsMs }: MemoryDelivery): number | undefined {
  return state === 'pending' && beginsMs !== -Infinity ? beginsMs : undefined;
}

/** See `MemoryDelivery.repeatKey`. */
export function repeatKeyOf({ rule, episode, section, step, account }: Delivery): string {
  return JSON.stringify([rule, episode, section, step, account]);
}
