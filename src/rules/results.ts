import type { Json } from '#src/operation/json.ts';
import type { StepNames } from './step.ts';

/** What one account made of a step; without a result it was not sent. */
export interface StepResult {
  readonly account: string;
  readonly result?: Json | undefined;
}

/** What the steps that a step reads came to, by their ids: in the order of the step's accounts. */
export type StepResults = Readonly<Record<string, readonly StepResult[]>>;

/** What became of one delivery that a step reads. */
interface Read extends StepResult {
  readonly step: string;
  /** Which of a list it was done for; empty: it was done for none, or is the list itself. */
  readonly element: string;
}

/** What a step reads, from the deliveries that it needs, in their order. */
export function resultsOf(read: readonly Read[], { lists = [] }: Pick<StepNames, 'lists'>): StepResults {
  const steps = [...Map.groupBy(read, ({ step }) => step)];
  return Object.fromEntries(
    steps.map(([step, its]) => [step, lists.includes(step) ? listsOf(its) : its.map(({ account, result }) => ({ account, result }))]),
  );
}

/** Of each account the results for all elements, in their order: one that was not sent keeps its place. */
function listsOf(read: readonly Read[]): readonly StepResult[] {
  return [...Map.groupBy(read, ({ account }) => account)].map(([account, its]) => ({
    account,
    result: its.filter(({ element }) => element !== '').map(({ result }) => result ?? {}),
  }));
}
