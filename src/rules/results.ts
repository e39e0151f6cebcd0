import type { Json } from '#src/operation/json.ts';
import type { Step, StepNames } from './step.ts';

/** What one account made of a step; without a result it was not sent. */
export interface StepResult {
  readonly account: string;
  readonly result?: Json | undefined;
  /** The step failed, and its author did not write `onError: continue`. */
  readonly isFailed?: boolean | undefined;
}

/** What the steps that a step reads came to, by their ids: in the order of the step's accounts. */
export type StepResults = Readonly<Record<string, readonly StepResult[]>>;

/** What became of one delivery that a step reads. */
interface Read extends StepResult {
  readonly step: string;
  /** Which of a list it was done for; empty: it was done for none, or is the list itself. */
  readonly element: string;
}

/** Whether a step failed for those that read its result; one that was not done as a look-up failed counts, too. */
export function isFailedFor(
  { onError }: Pick<Step, 'onError'>,
  { state, why }: { readonly state: string; readonly why?: string | undefined },
): boolean {
  return onError !== 'continue' && (state === 'failed' || (state === 'skipped' && why === 'lookUpFailed'));
}

/** What a step reads, from the deliveries that it needs, in their order. */
export function resultsOf(read: readonly Read[], { lists = [] }: Pick<StepNames, 'lists'>): StepResults {
  const steps = [...Map.groupBy(read, ({ step }) => step)];
  return Object.fromEntries(steps.map(([step, its]) => [step, lists.includes(step) ? listsOf(its) : its.map((one) => toResult(one, one))]));
}

function toResult({ account, result }: StepResult, { isFailed }: Pick<StepResult, 'isFailed'>): StepResult {
  return { account, result, ...(isFailed && { isFailed }) };
}

/** Of each account the results for all elements, in their order: one that was not sent keeps its place. */
function listsOf(read: readonly Read[]): readonly StepResult[] {
  return [...Map.groupBy(read, ({ account }) => account)].map(([account, its]) => {
    const result = its.filter(({ element }) => element !== '').map((one) => one.result ?? {});
    return toResult({ account, result }, { isFailed: its.some(({ isFailed }) => isFailed) });
  });
}
