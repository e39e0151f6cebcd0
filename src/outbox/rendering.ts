import type { Json } from '#src/operation/json.ts';
import type { Rendered } from '#src/rules/render.ts';
import type { Scope } from '#src/rules/rule.ts';
import type { Step, StepNames } from '#src/rules/step.ts';
import type { Delivery } from './delivery.ts';

/** A step that is due for the first time, as it was decided. */
export interface DueStep {
  readonly delivery: Delivery;
  readonly step: Step;
  readonly scope: Scope;
  readonly names: StepNames;
}

/** What one account made of a step; without a result it was not sent. */
export interface StepResult {
  readonly account: string;
  readonly result?: Json | undefined;
}

/** What the steps that a step reads came to, by their ids: the results that it reads, in the order of the step's accounts. */
export type StepResults = Readonly<Record<string, readonly StepResult[]>>;

/** Renders a step, once in its life. */
export type Render = (due: DueStep, results: StepResults) => Rendered | Promise<Rendered>;
