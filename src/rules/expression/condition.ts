import type { Catalogue } from '#src/operation/declared.ts';
import type { Falsehood } from '../reasons/falsehood.ts';
import type { Condition, Verdict } from '../rule.ts';
import { parseTemplate, onlyExpression } from '../grammar/template.ts';
import { ExpressionError } from './expression-error.ts';
import type { Inputs, Expression } from './expression.ts';
import { expressionsOf, type ExpressionSite } from './expressions.ts';
import { falseClauses } from './false-clauses.ts';

/** The result of a condition, or the error that prevents one. */
type ConditionResult = Verdict | { readonly error: string };

/** The expression of a condition, without `${{ }}` around it. */
export function conditionSource(text: string): { readonly source: string; readonly at: number } {
  const only = onlyExpression(parseTemplate(text.trim()));
  const lead = text.length - text.trimStart().length;
  return only ? { source: only.source, at: lead + only.at } : { source: text.trim(), at: lead };
}

/** Evaluates a checked condition. */
export function evaluateCondition(
  source: string,
  inputs: Inputs,
  { site, catalogue }: { readonly site: ExpressionSite; readonly catalogue: Catalogue },
): ConditionResult {
  return resultOf(expressionsOf(catalogue).compiler(conditionSource(source).source, site), inputs);
}

/** Makes a condition from checked text. */
export function conditionOf(
  text: string,
  { site, catalogue }: { readonly site: ExpressionSite; readonly catalogue: Catalogue },
): Condition {
  const { source } = conditionSource(text);
  const compile = expressionsOf(catalogue).compiler(source, site);
  const known = conditions.get(compile) ?? createCondition(source, compile);
  conditions.set(compile, known);
  return known;
}

// Rules with equal conditions share them.
const conditions = new WeakMap<() => Expression, Condition>();

function createCondition(source: string, compile: () => Expression): Condition {
  return {
    source,
    test(scope) {
      const result = resultOf(compile, scope as Readonly<Partial<typeof scope>> & Inputs); // every field of a scope is JSON
      return 'error' in result ? { holds: false, because: { kind: 'unclear', source, error: result.error } } : result;
    },
  };
}

const HOLDS: Verdict = { holds: true };

function resultOf(compile: () => Expression, inputs: Inputs): ConditionResult {
  try {
    const expression = compile();
    const value = expression.run(inputs);
    if (value === true) return HOLDS;
    return value === false ? new FalseVerdict(expression, inputs) : { error: 'the result is neither true nor false' };
  } catch (error) {
    if (error instanceof ExpressionError) return { error: error.message };
    throw error;
  }
}

/** A false condition. Its reason is computed on demand: a long list has many false results, and few are shown. */
class FalseVerdict {
  readonly holds = false;
  readonly #expression: Expression;
  readonly #inputs: Inputs;
  #because: Falsehood | undefined;

  constructor(expression: Expression, inputs: Inputs) {
    this.#expression = expression;
    this.#inputs = inputs;
  }

  get because(): Falsehood {
    return (this.#because ??= { kind: 'false', clauses: falseClauses(this.#expression, this.#inputs) });
  }
}
