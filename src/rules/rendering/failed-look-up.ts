import { conditionSource } from '../expression/condition.ts';
import { dependsOn } from '../expression/depends-on.ts';
import { stepOf } from '../expression/reads.ts';
import { expressionsOf, type Place } from '../expression/expressions.ts';
import type { Catalogue } from '#src/operation/catalogue.ts';
import { parseTemplate } from '../grammar/template.ts';
import { textsIn } from '../check/parameters/texts-in.ts';
import type { StepReason } from '../reasons/step-reason.ts';
import type { StepResults } from '../results.ts';
import { shapeAt, shapeOf, textOf } from '../shape/shape.ts';
import type { Step, StepNames } from '../step.ts';

export interface ReadingOptions {
  readonly step: Step;
  readonly account: string;
  readonly results: StepResults;
  readonly names: StepNames;
  readonly place: Place;
  readonly catalogue: Catalogue;
}

/** Why a step is not done, if its list or its text reads the result of a failed look-up and does not handle the failure. */
export function failedLookUp({ step, ...options }: ReadingOptions): StepReason | undefined {
  const { catalogue, place } = options;
  const failed = failedReads(step, options);
  if (failed.size === 0) return undefined;
  const compile = (source: string) => expressionsOf(catalogue).compile(source, place);
  for (const source of sourcesIn(step, catalogue)) {
    const read = dependsOn(compile(source).tree, new Set(failed.keys()));
    const account = read === undefined ? undefined : failed.get(read);
    if (read !== undefined && account !== undefined) return { kind: 'lookUpFailed', step: stepOf(read), account };
  }
  return undefined;
}

/** The reads of a step that failed, with the account of each; its `if` handles the look-ups that it reads. */
function failedReads(
  { reads, if: condition }: Step,
  { account, results, names, place, catalogue }: Omit<ReadingOptions, 'step'>,
): ReadonlyMap<string, string> {
  const isLookUp = (id: string): boolean => catalogue.get(names.steps[id] ?? '')?.kind !== 'write';
  const failed = reads.flatMap((read): (readonly [string, string])[] => {
    const [id = '', whose, named] = read.split('.');
    const its = results[id] ?? [];
    const wanted = whose === undefined ? (names.accounts?.[id]?.[0] ?? its[0]?.account) : whose === 'own' ? account : named;
    const isFailed = wanted !== undefined && its.some((one) => one.account === wanted && one.isFailed);
    return isFailed && isLookUp(id) ? [[read, wanted]] : [];
  });
  if (failed.length === 0 || condition === undefined) return new Map(failed);
  const handled = [...expressionsOf(catalogue).compile(conditionSource(condition).source, place).reads.keys()].map(stepOf);
  return new Map(failed.filter(([read]) => !handled.includes(stepOf(read))));
}

/** The expressions of a step whose value must not miss a result: a look-up must not ask for something else, and a text must not have a gap. */
function sourcesIn({ do: verb, forEach, with: parameters }: Step, catalogue: Catalogue): readonly string[] {
  const declared = catalogue.get(verb);
  if (!declared) return [];
  const shape = shapeOf(declared.params);
  const texts = textsIn(parameters).filter(
    ({ path }) => declared.kind !== 'write' || textOf(shapeAt(shape, path) ?? shape)?.markup !== undefined,
  );
  const sources = texts.flatMap(({ text }) => parseTemplate(text).pieces.flatMap((piece) => ('source' in piece ? [piece.source] : [])));
  return forEach === undefined ? sources : [conditionSource(forEach).source, ...sources];
}
