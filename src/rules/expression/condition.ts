import type { Catalogue } from '#src/clients/operation/declared.ts';
import { hasRestricted } from '#src/clients/operation/audience.ts';
import { withoutTexts, type Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { Condition, Verdict } from '#src/rules/rule.ts';
import { parseTemplate, onlyExpression } from '#src/rules/grammar/template.ts';
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

/** Makes the condition that all of these texts hold; undefined: there is none. */
export function allOf(
  texts: readonly (string | undefined)[],
  options: { readonly site: ExpressionSite; readonly catalogue: Catalogue },
): Condition | undefined {
  const [first, ...others] = texts.flatMap((text) => (text === undefined ? [] : [conditionOf(text, options)]));
  if (!first || others.length === 0) return first;
  return {
    source: [first, ...others].map(({ source }) => `(${source})`).join(' && '),
    test(scope) {
      for (const condition of [first, ...others]) {
        const verdict = condition.test(scope);
        if (!verdict.holds) return verdict;
      }
      return HOLDS;
    },
  };
}

// Rules with equal conditions share them.
const conditions = new WeakMap<() => Expression, Condition>();

function createCondition(source: string, compile: () => Expression): Condition {
  return {
    source,
    test(scope) {
      const inputs = scope as Readonly<Partial<typeof scope>> & Inputs; // every field of a scope is JSON
      const result = resultOf(compile, inputs);
      if (!('error' in result)) return result;
      const condition: Falsehood = { kind: 'error', source, error: result.error };
      return { holds: false, condition: areRestricted(inputs, ABOUT_ITEM) ? withoutTexts(condition) : condition };
    },
  };
}

/** The inputs with the item of a condition. */
const ABOUT_ITEM = ['item', 'previous', 'change'];

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
  #condition: Falsehood | undefined;

  constructor(expression: Expression, inputs: Inputs) {
    this.#expression = expression;
    this.#inputs = inputs;
  }

  get condition(): Falsehood {
    return (this.#condition ??= this.#explain());
  }

  #explain(): Falsehood {
    const condition: Falsehood = { kind: 'false', clauses: falseClauses(this.#expression, this.#inputs) };
    return areRestricted(this.#inputs, this.#expression.names) ? withoutTexts(condition) : condition;
  }
}

/** Whether one of these inputs has records that not everyone can read. */
function areRestricted(inputs: Inputs, names: Iterable<string>): boolean {
  return [...names].some((name) => hasRestricted(inputs[name]));
}
