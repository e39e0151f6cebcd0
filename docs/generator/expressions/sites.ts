import { catalogue } from '#src/clients/catalogue.ts';
import type { ExpressionSite } from '#src/rules/expression/expressions.ts';
import { variablesOf, type ScopeKind } from '#src/rules/expression/scopes.ts';
import { EXAMPLE_NAMES } from './example-values.ts';

const KINDS: readonly ScopeKind[] = ['fixed', 'item', 'firing', 'step', 'quiet'];
/** Steps with `forEach` have these, and the variables of other steps. */
const OF_ELEMENT = ['it', 'index'];

/** The sites at which a variable exists, for a rule that watches a list and fires once for each item. */
export function sitesOf(name: string): readonly (ScopeKind | 'element')[] {
  const kinds = KINDS.filter((kind) => variablesOf(kind, EXAMPLE_NAMES, catalogue).has(name) && !(kind === 'quiet' && name === 'command'));
  return kinds.includes('step') || OF_ELEMENT.includes(name) ? [...kinds, 'element'] : kinds;
}

/** The site of an example: the steps of `quiet` for `held`, a step with `forEach` for its element, else a step. */
export function siteOf(expression: string): ExpressionSite {
  const kind = /\bheld\b/u.test(expression) ? 'quiet' : 'step';
  return { kind, names: EXAMPLE_NAMES, forEach: /\b(?:it|index)\b/u.test(expression) ? 'item.tags' : undefined };
}

/** The names of all variables of expressions. */
export function allVariables(): ReadonlySet<string> {
  return new Set([...KINDS.flatMap((kind) => [...variablesOf(kind, EXAMPLE_NAMES, catalogue).keys()]), ...OF_ELEMENT]);
}
