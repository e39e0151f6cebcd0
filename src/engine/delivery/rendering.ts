import type { Element } from '#src/rules/element.ts';
import type { FindEdited, Rendered } from '#src/rules/render.ts';
import type { StepResults } from '#src/rules/results.ts';
import type { Scope } from '#src/rules/rule.ts';
import type { Step, StepNames } from '#src/rules/step.ts';
import type { Delivery } from './delivery.ts';

/** A step that is due for the first time, as it was decided. */
export interface DueStep {
  readonly delivery: Delivery;
  readonly step: Step;
  readonly scope: Scope;
  readonly names: StepNames;
  /** The element, if the step is done for each element of a list. */
  readonly element?: Element | undefined;
}

/** Renders a step. The engine renders each delivery once. */
export type Render = (due: DueStep, results: StepResults, findEdited: FindEdited) => Rendered | Promise<Rendered>;
