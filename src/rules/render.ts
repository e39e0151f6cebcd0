import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Json, JsonObject } from '#src/operation/json.ts';
import { issuesOf } from './check/issues.ts';
import { pathText } from './document/report.ts';
import { ExpressionError } from './expression/complaints/expression-error.ts';
import { ask } from './expression/condition.ts';
import type { Place } from './expression/expressions.ts';
import { fillParameters } from './rendering/fill-parameters.ts';
import type { Scope } from './rule.ts';
import { shapeOf } from './shape/shape.ts';
import type { Step, StepNames } from './step.ts';

export interface RenderOptions {
  readonly step: Step;
  readonly names: StepNames;
  readonly scope: Scope;
  /** What `steps.<id>` is, by id; a step that gave nothing is left out. */
  readonly results: Readonly<Record<string, Json | undefined>>;
  readonly catalogue: Catalogue;
}

/** What a step says: its parameters, why there is nothing to do, or why it cannot be said. */
export type Rendered = { readonly params: JsonObject } | { readonly skip: string } | { readonly failure: string };

/** Works out what a step says. */
export function renderStep({ step, names, scope, results, catalogue }: RenderOptions): Rendered {
  const declared = catalogue.get(step.do);
  if (!declared) return { failure: `there is no operation ${step.do}` };
  const place: Place = { kind: 'step', names };
  const inputs = { ...scope, steps: results };

  if (step.if !== undefined) {
    const answer = ask(step.if, inputs, { place, catalogue });
    if ('error' in answer) return { failure: `if: ${step.if} cannot be worked out: ${answer.error}` };
    if (!answer.holds) return { skip: `if: ${answer.because}` };
  }
  try {
    const filled = fillParameters(step.with, shapeOf(declared.params), { inputs, place, catalogue });
    if ('empty' in filled) return { skip: filled.empty };
    const [issue] = issuesOf(declared.params, filled.params);
    return issue ? { failure: `${step.do}: ${pathText(issue.path)}: ${issue.message}` } : filled;
  } catch (error) {
    if (error instanceof ExpressionError) return { failure: `${step.do}: ${error.message}` };
    throw error;
  }
}
