import { isJsonList, isJsonObject, type Json } from '#src/operation/json.ts';
import { restrictionOf } from '#src/operation/audience.ts';
import type { Origin } from './audience/origin.ts';
import type { Step, StepNames } from './step.ts';

/** The result of a step through one account. Without a result, it was not sent. */
export interface StepResult {
  readonly account: string;
  readonly result?: Json | undefined;
  /** The step failed, and its author did not write `onError: continue`. */
  readonly isFailed?: boolean | undefined;
  /** The restricted records that it was made from. */
  readonly origins?: readonly Origin[] | undefined;
  /** Whether only people who can read these records can read its record. */
  readonly keepsAudience?: boolean | undefined;
}

/** The results that a step reads, by step id, in the order of the accounts. */
export type StepResults = Readonly<Record<string, readonly StepResult[]>>;

/** The result of a delivery that a step reads. */
interface Read extends StepResult {
  readonly step: string;
  /** The key of the element. Empty without `forEach` and for the list itself. */
  readonly element: string;
}

/** Whether a step failed for the steps that read its result. A step that was skipped after a failed look-up also counts. */
export function isFailedFor(
  { onError }: Pick<Step, 'onError'>,
  { state, reason }: { readonly state: string; readonly reason?: string | undefined },
): boolean {
  return onError !== 'continue' && (state === 'failed' || (state === 'skipped' && reason === 'lookUpFailed'));
}

/** The results that a step reads, from the deliveries that it needs, in their order. */
export function resultsOf(read: readonly Read[], { lists = [] }: Pick<StepNames, 'lists'>): StepResults {
  const steps = [...Map.groupBy(read, ({ step }) => step)];
  return Object.fromEntries(steps.map(([step, its]) => [step, lists.includes(step) ? listsOf(its) : its.map((one) => toResult(one, one))]));
}

/** The result of a look-up without restricted records, except those of `include`. Other results are unchanged. */
export function readableResult(result: Json | undefined, { include = [] }: Pick<Step, 'include'>): Json | undefined {
  if (!isJsonObject(result) || !isJsonList(result['items'])) return result;
  const items = result['items'].filter((item) => {
    const restriction = isJsonObject(item) ? restrictionOf(item) : undefined;
    return restriction === undefined || include.includes(restriction);
  });
  return { ...result, items };
}

function toResult(
  { account, result }: StepResult,
  { isFailed, origins, keepsAudience }: Pick<StepResult, 'isFailed' | 'origins' | 'keepsAudience'>,
): StepResult {
  return { account, result, ...(isFailed && { isFailed }), ...(origins && { origins, keepsAudience }) };
}

/** The results of all elements by account. An element that was not sent keeps its position. */
function listsOf(read: readonly Read[]): readonly StepResult[] {
  return [...Map.groupBy(read, ({ account }) => account)].map(([account, its]) => {
    const result = its.filter(({ element }) => element !== '').map((one) => one.result ?? {});
    const origins = its.flatMap((one) => one.origins ?? []);
    return toResult(
      { account, result },
      { isFailed: its.some(({ isFailed }) => isFailed), origins: origins.length > 0 ? origins : undefined },
    );
  });
}
