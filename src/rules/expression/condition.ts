import type { Catalogue } from '#src/operation/declared.ts';
import type { Falsehood, FalseClause } from '../reasons/falsehood.ts';
import type { Condition, Verdict } from '../rule.ts';
import { parseTemplate, onlyExpression } from '../grammar/template.ts';
import { ExpressionError } from './expression-error.ts';
import type { Inputs, Expression } from './expression.ts';
import { expressionsOf, type ExpressionSite } from './expressions.ts';
import { toJson } from './language/results.ts';
import { callArguments, calledName, isNode, walk, written, type Node } from './language/tree.ts';

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
  const expressions = expressionsOf(catalogue);
  const compile = (part: string) => expressions.compile(part, site);
  try {
    const expression = compile(conditionSource(source).source);
    const value = expression.run(inputs);
    if (value === true) return { holds: true };
    if (value === false) {
      // Computed on demand: a long list has many false results, and few are shown.
      return {
        holds: false,
        get because(): Falsehood {
          return { kind: 'false', clauses: whyFalse(expression, { inputs, compile }) };
        },
      };
    }
    return { error: 'it is neither true nor false' };
  } catch (error) {
    if (error instanceof ExpressionError) return { error: error.message };
    throw error;
  }
}

/** Makes a condition from checked text. */
export function conditionOf(text: string, options: { readonly site: ExpressionSite; readonly catalogue: Catalogue }): Condition {
  const { source } = conditionSource(text);
  return {
    source,
    test(scope) {
      const result = evaluateCondition(source, { ...scope }, options);
      return 'error' in result ? { holds: false, because: { kind: 'unclear', source, error: result.error } } : result;
    },
  };
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);
const LONGEST_VALUE = 80;

interface ClauseContext {
  readonly inputs: Inputs;
  /** Compiles a part of the expression alone. */
  readonly compile: (source: string) => Expression;
}

/** The false clauses of a condition, with their values. */
function whyFalse({ tree }: Expression, context: ClauseContext): readonly FalseClause[] {
  return falseClauses(tree, context).map((clause) => ({ source: inLine(clause), values: valuesIn(clause, context) }));
}

function inLine(node: Node): string {
  return written(node).replace(/\s+/gu, ' ');
}

function falseClauses(node: Node, context: ClauseContext): readonly Node[] {
  const [left, right] = Array.isArray(node.args) ? node.args.filter(isNode) : [];
  if (!left || !right) return [node];
  if (node.op === '||') return [...falseClauses(left, context), ...falseClauses(right, context)];
  if (node.op === '&&') return falseClauses(valueOf(left, context) === false ? left : right, context);
  return [node];
}

/** The values that a clause compares or passes to a function, without literals. */
function valuesIn(clause: Node, context: ClauseContext): FalseClause['values'] {
  const values = new Map(
    operandsIn(clause)
      .flatMap((node) => namedValue(node, context))
      .map((value) => [value.of, value]),
  );
  return [...values.values()];
}

function operandsIn(clause: Node): readonly Node[] {
  const { op, args } = clause;
  if (op === '!_') return isNode(args) ? [args] : [];
  if (COMPARISONS.has(op)) return Array.isArray(args) ? args.filter(isNode) : [];
  const isLoop = clause.meta.alternate !== undefined;
  return calledName(clause) === undefined || isLoop ? [] : callArguments(clause);
}

function namedValue(node: Node, context: ClauseContext): FalseClause['values'] {
  const value = namesNothing(node) ? undefined : valueOf(node, context);
  if (value === undefined || (typeof value === 'object' && value !== null)) return [];
  const of = inLine(node);
  if (value === null) return [{ of }];
  const text = JSON.stringify(value);
  return [{ of, is: text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text }];
}

function namesNothing(node: Node): boolean {
  let names = 0;
  walk(node, ({ op }) => {
    if (op === 'id') names++;
  });
  return names === 0;
}

/** The value of a part alone: null if it is absent, undefined if it is unknown. */
function valueOf(node: Node, { inputs, compile }: ClauseContext): unknown {
  try {
    return toJson(compile(written(node)).run(inputs)) ?? null;
  } catch (error) {
    // A part of a loop names variables of the loop.
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}
