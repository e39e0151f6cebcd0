import { conditionSource } from '#src/rules/expression/condition.ts';
import { dependsOn, episodeStepOf, stepOf } from '#src/rules/expression/reads.ts';
import { expressionsOf, type ExpressionSite } from '#src/rules/expression/expressions.ts';
import type { Catalogue } from '#src/clients/operation/declared.ts';
import { parseTemplate } from '#src/rules/grammar/template.ts';
import { textsIn } from '#src/rules/check/json-path.ts';
import type { Section } from '#src/rules/firing.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';
import type { StepResults } from '#src/rules/results.ts';
import { shapeAt, shapeOf, textOf } from '#src/rules/shape/shape.ts';
import type { Step, StepNames } from '#src/rules/step.ts';

export interface ReadingOptions {
  readonly section: Section;
  readonly step: Step;
  readonly account: string;
  readonly results: StepResults;
  readonly names: StepNames;
  readonly site: ExpressionSite;
  readonly catalogue: Catalogue;
}

interface FailedRead {
  readonly kind: 'lookUpFailed' | 'recordGone';
  readonly account: string;
}

/** The reason to skip a step whose list or text reads the result of a lookup that failed, or that found no record. */
export function failedLookup({ step, ...options }: ReadingOptions): StepReason | undefined {
  const { catalogue, site } = options;
  const failed = failedReads(step, options);
  if (failed.size === 0) return undefined;
  const compile = (source: string) => expressionsOf(catalogue).compile(source, site);
  for (const source of sourcesIn(step, options)) {
    const read = dependsOn(compile(source).tree, new Set(failed.keys()));
    const found = read === undefined ? undefined : failed.get(read);
    if (read !== undefined && found) return { ...found, step: episodeStepOf(read) ?? stepOf(read) };
  }
  return undefined;
}

/** The failed reads of a step, without lookups that its `if` handles. */
function failedReads(
  { reads, if: condition }: Step,
  { account, results, names, site, catalogue }: Omit<ReadingOptions, 'step' | 'section'>,
): ReadonlyMap<string, FailedRead> {
  const isLookup = (id: string): boolean => catalogue.get(names.steps[id] ?? '')?.kind !== 'write';
  const failed = reads.flatMap((read): (readonly [string, FailedRead])[] => {
    const [name = '', whose, named] = read.split('.');
    const its = results[name] ?? [];
    const id = episodeStepOf(name) ?? name;
    const wanted = whose === undefined ? (names.accounts?.[id]?.[0] ?? its[0]?.account) : whose === 'own' ? account : named;
    const one = its.find(({ account: through, isFailed, isGone }) => through === wanted && (isFailed || isGone));
    return one && isLookup(id) ? [[read, { kind: one.isGone ? 'recordGone' : 'lookUpFailed', account: one.account }]] : [];
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
