import type { Catalogue } from '#src/clients/operation/declared.ts';
import { textsIn } from '#src/rules/check/json-path.ts';
import { conditionSource } from '#src/rules/expression/condition.ts';
import { expressionsOf, type ExpressionSite } from '#src/rules/expression/expressions.ts';
import { stepOf } from '#src/rules/expression/reads.ts';
import type { Element } from '#src/rules/element.ts';
import { parseTemplate } from '#src/rules/grammar/template.ts';
import type { StepResults } from '#src/rules/results.ts';
import type { Scope } from '#src/rules/rule.ts';
import type { Step, StepNames } from '#src/rules/step.ts';
import { hasAudience, mergeOrigins, originsIn, type Origin } from './origin.ts';

export interface CauseOptions {
  readonly step: Step;
  readonly names: StepNames;
  readonly scope: Scope;
  readonly results: StepResults;
  readonly element?: Element | undefined;
  readonly site: ExpressionSite;
  readonly catalogue: Catalogue;
}

/**
 * The restricted records behind a step: the causes of its firing, and the records that its expressions read.
 *
 * The list and the changes of a poll cause a step that reads them, and each step of a rule with `per: poll`. An element of `forEach` with
 * an audience stands for its list.
 */
export function causesOf({ step, names, scope, results, element, site, catalogue }: CauseOptions): readonly Origin[] {
  const { item, previous, change, items, changes, held } = scope;
  const lists = { items, changes, held };
  const ofLists = Object.entries(lists).flatMap(([name, list]) => {
    const origins = originsIn(list);
    return origins.length === 0 ? [] : [{ name, origins }];
  });
  const ofResults = Object.entries(results).flatMap(([id, its]) => {
    const origins = its.flatMap((one) => [...(one.origins ?? []), ...originsIn(one.result)]);
    return origins.length === 0 ? [] : [{ name: id, origins }];
  });
  const ofFiring = [item, previous, change, element?.it].flatMap((record) => originsIn(record));
  if (ofLists.length + ofResults.length === 0) return mergeOrigins(ofFiring);

  const standsForList = element !== undefined && hasAudience(element.it);
  const read = readBy(step, { withList: !standsForList, site, catalogue });
  const isCause = (name: string): boolean => {
    if (read.names.has(name)) return true;
    return !element && ((name === 'changes' && names.per === 'poll') || (name === 'held' && site.kind === 'quiet'));
  };
  return mergeOrigins([
    ...ofFiring,
    ...ofLists.flatMap(({ name, origins }) => (isCause(name) ? origins : [])),
    ...ofResults.flatMap(({ name, origins }) => (read.steps.has(name) ? origins : [])),
  ]);
}

/** The names and the results that the expressions of a step read. */
function readBy(
  { with: parameters, if: condition, forEach }: Step,
  { withList, site, catalogue }: { readonly withList: boolean; readonly site: ExpressionSite; readonly catalogue: Catalogue },
): { readonly names: ReadonlySet<string>; readonly steps: ReadonlySet<string> } {
  const sources = textsIn(parameters).flatMap(({ text }) =>
    parseTemplate(text).pieces.flatMap((piece) => ('source' in piece ? [piece.source] : [])),
  );
  if (condition !== undefined) sources.push(conditionSource(condition).source);
  const compiled = sources.map((source) => expressionsOf(catalogue).compile(source, site));
  if (withList && forEach !== undefined) {
    compiled.push(expressionsOf(catalogue).compile(conditionSource(forEach).source, { kind: site.kind, names: site.names }));
  }
  return {
    names: new Set(compiled.flatMap(({ names }) => [...names])),
    steps: new Set(compiled.flatMap(({ reads }) => [...reads.keys()].map(stepOf))),
  };
}
