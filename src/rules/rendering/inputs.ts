import { isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { Inputs } from '../expression/expression.ts';
import type { Element } from '../element.ts';
import type { StepResult, StepResults } from '../results.ts';
import type { Scope } from '../rule.ts';
import type { Step, StepNames } from '../step.ts';

export interface InputsOptions {
  readonly step: Step;
  readonly names: StepNames;
  readonly scope: Scope;
  /** Who does it: `steps.<id>.own` is what the same account made of that step. */
  readonly account: string;
  readonly results: StepResults;
  /** The one that it is done for, where it is done for each of a list. */
  readonly element?: Element | undefined;
}

/** What the names in the expressions of a step stand for. */
export function inputsOf({ step, names, scope, account, results, element }: InputsOptions): Inputs {
  const steps = Object.entries(results).map(([id, its]) => [id, resultOf(its, { first: names.accounts?.[id]?.[0], account })]);
  return {
    ...scope,
    now: nowOf(scope.now, step),
    steps: Object.fromEntries(steps) as JsonObject, // the entries are JSON values
    ...(element && { it: element.it, index: element.index }),
  };
}

/** Of a step behind a `wait` the end of it. */
function nowOf(slot: string, { afterMs = 0 }: Step): string {
  return new Date(Date.parse(slot) + afterMs).toISOString();
}

/** What the first account made of a step, and beside it what the same account did and what every other one. */
function resultOf(
  results: readonly StepResult[],
  { first = results[0]?.account, account }: { readonly first: string | undefined; readonly account: string },
): Json | undefined {
  const by = new Map(results.map((one) => [one.account, one.result]));
  const result = by.get(first ?? '');
  if (result !== undefined && !isJsonObject(result)) return result;
  if (by.size === 0) return undefined;
  // Not among its fields where the record is handed on whole.
  return Object.defineProperties({ ...result }, { own: { value: by.get(account) }, on: { value: Object.fromEntries(by) } });
}
