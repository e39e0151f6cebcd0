import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { episodeRead, episodeStepOf } from '#src/rules/expression/reads.ts';
import type { Origin } from '#src/rules/audience/origin.ts';
import { readableRecord } from './readable-record.ts';
import type { Step, StepNames } from './step.ts';

/** The result of a look-up of one record that its platform does not have. */
export const GONE = { gone: true } as const;

/** Whether the platform of a look-up does not have its record. */
export function isGone(result: Json | undefined): boolean {
  return isJsonObject(result) && result['gone'] === true;
}

/** Whether an id or an address names the record of a result. */
export function isNamed(result: Json | undefined, name: string): boolean {
  return isJsonObject(result) && (result['id'] === name || result['url'] === name);
}

/** The result of a step through one account. Without a result, it was not sent. */
export interface StepResult {
  readonly account: string;
  readonly result?: Json | undefined;
  /** The step failed, and its author did not write `onError: continue`. */
  readonly isFailed?: boolean | undefined;
  /** Its record does not exist, and its author did not write `onError: continue`. */
  readonly isGone?: boolean | undefined;
  /** The restricted records that it was made from. */
  readonly origins?: readonly Origin[] | undefined;
  /** Whether only people who can read these records can read its record. */
  readonly keepsAudience?: boolean | undefined;
}

/** The results that a step reads, by step id, in the order of the accounts; `@post` for the result of an earlier firing. */
export type StepResults = Readonly<Record<string, readonly StepResult[]>>;

/** The result of a delivery that a step reads. */
interface Read extends StepResult {
  readonly step: string;
  readonly firing: string;
  /** The key of the element. Empty without `forEach` and for the list itself. */
  readonly element: string;
}

/** Whether a step failed for the steps that read its result. A step that was skipped for want of a result also counts. */
export function isFailedFor(
  { onError }: Pick<Step, 'onError'>,
  { state, reason }: { readonly state: string; readonly reason?: string | undefined },
): boolean {
  return onError !== 'continue' && (state === 'failed' || (state === 'skipped' && (reason === 'lookUpFailed' || reason === 'recordGone')));
}

interface ReadingStep {
  readonly names: Pick<StepNames, 'lists'>;
  /** Its firing. */
  readonly firing: string;
  /** See `Step.reads`. */
  readonly reads: readonly string[];
}

/** The results that a step reads, from the deliveries that it needs, in their order. */
export function resultsOf(read: readonly Read[], { names: { lists = [] }, firing, reads }: ReadingStep): StepResults {
  const ofEpisode = new Set(reads.flatMap((name) => episodeStepOf(name) ?? []));
  const steps = [...Map.groupBy(read, ({ step }) => step)].flatMap(([step, its]) => {
    const some = ofOneFiring(its, firing);
    const results = [step, lists.includes(step) ? listsOf(some) : some.map((one) => toResult(one, one))] as const;
    if (!ofEpisode.has(step)) return [results];
    const earlier = lastResults(its.filter((one) => one.firing !== firing));
    return [results, [episodeRead(step), earlier] as const];
  });
  return Object.fromEntries(steps);
}

/** The deliveries of the firing, or of the first other one: `while` and `finally` read the announcement. */
function ofOneFiring(read: readonly Read[], firing: string): readonly Read[] {
  const own = read.filter((one) => one.firing === firing);
  return own.length > 0 ? own : read.filter((one) => one.firing === read[0]?.firing);
}

/** The last result of each account. A delivery that was not sent has none. */
function lastResults(read: readonly Read[]): readonly StepResult[] {
  return [...Map.groupBy(read, ({ account }) => account).values()].flatMap((its) => {
    const last = its.findLast(({ result }) => result !== undefined);
    return last ? [toResult(last, last)] : [];
  });
}

/** The result of a look-up without restricted records, except those of `include`. Other results are unchanged. */
export function readableResult(result: Json | undefined, { include }: Pick<Step, 'include'>): Json | undefined {
  if (!isJsonObject(result) || !isJsonList(result['items'])) return result;
  const items = result['items'].flatMap((item): readonly Json[] => {
    if (!isJsonObject(item)) return [item];
    const shown = readableRecord(item, include);
    return 'record' in shown ? [shown.record] : [];
  });
  return { ...result, items };
}

function toResult(
  { account, result }: StepResult,
  { isFailed, isGone: hasNone, origins, keepsAudience }: Pick<StepResult, 'isFailed' | 'isGone' | 'origins' | 'keepsAudience'>,
): StepResult {
  return {
    account,
    result,
    ...(isFailed && { isFailed }),
    ...(hasNone && { isGone: hasNone }),
    ...(origins && { origins, keepsAudience }),
  };
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
