import { conditionSource } from '../expression/condition.ts';
import { dependsOn, stepOf } from '../expression/reads.ts';
import { expressionsOf, type ExpressionSite } from '../expression/expressions.ts';
import type { Catalogue } from '#src/operation/declared.ts';
import { parseTemplate } from '../grammar/template.ts';
import { textsIn } from '../check/json-path.ts';
import type { Section } from '../firing.ts';
import type { StepReason } from '../reasons/step-reason.ts';
import type { StepResults } from '../results.ts';
import { shapeAt, shapeOf, textOf } from '../shape/shape.ts';
import type { Step, StepNames } from '../step.ts';

export interface ReadingOptions {
  readonly section: Section;
  readonly step: Step;
  readonly account: string;
  readonly results: StepResults;
  readonly names: StepNames;
  readonly site: ExpressionSite;
  readonly catalogue: Catalogue;
}

/** The reason to skip a step whose list or text reads the result of a failed lookup. */
export function failedLookup({ step, ...options }: ReadingOptions): StepReason | undefined {
  const { catalogue, site } = options;
  const failed = failedReads(step, options);
  if (failed.size === 0) return undefined;
  const compile = (source: string) => expressionsOf(catalogue).compile(source, site);
  for (const source of sourcesIn(step, options)) {
    const read = dependsOn(compile(source).tree, new Set(failed.keys()));
    const account = read === undefined ? undefined : failed.get(read);
    if (read !== undefined && account !== undefined) return { kind: 'lookUpFailed', step: stepOf(read), account };
  }
  return undefined;
}

/** The failed reads of a step and their accounts, without lookups that its `if` handles. */
function failedReads(
  { reads, if: condition }: Step,
  { account, results, names, site, catalogue }: Omit<ReadingOptions, 'step' | 'section'>,
): ReadonlyMap<string, string> {
  const isLookup = (id: string): boolean => catalogue.get(names.steps[id] ?? '')?.kind !== 'write';
  const failed = reads.flatMap((read): (readonly [string, string])[] => {
    const [id = '', whose, named] = read.split('.');
    const its = results[id] ?? [];
    const wanted = whose === undefined ? (names.accounts?.[id]?.[0] ?? its[0]?.account) : whose === 'own' ? account : named;
    const isFailed = wanted !== undefined && its.some((one) => one.account === wanted && one.isFailed);
    return isFailed && isLookup(id) ? [[read, wanted]] : [];
  });
  if (failed.length === 0 || condition === undefined) return new Map(failed);
  const handled = [...expressionsOf(catalogue).compile(conditionSource(condition).source, site).reads.keys()].map(stepOf);
  return new Map(failed.filter(([read]) => !handled.includes(stepOf(read))));
}

/** The expressions that need all results: parameters of a lookup, texts, and everything that an edit of `while` would make empty. */
function sourcesIn(
  { do: verb, forEach, with: parameters }: Step,
  { section, catalogue }: Pick<ReadingOptions, 'section' | 'catalogue'>,
): readonly string[] {
  const declared = catalogue.get(verb);
  if (!declared) return [];
  const shape = shapeOf(declared.params);
  const texts = textsIn(parameters).filter(
    ({ path }) => section === 'while' || declared.kind !== 'write' || textOf(shapeAt(shape, path) ?? shape)?.markup !== undefined,
  );
  const sources = texts.flatMap(({ text }) => parseTemplate(text).pieces.flatMap((piece) => ('source' in piece ? [piece.source] : [])));
  return forEach === undefined ? sources : [conditionSource(forEach).source, ...sources];
}
