import { memoize } from '#src/clients/operation/memoize.ts';
import type { FalseClause } from '#src/rules/reasons/falsehood.ts';
import { ExpressionError } from './expression-error.ts';
import type { Expression, Inputs } from './expression.ts';
import { toJson } from './language/results.ts';
import { callArguments, calledName, isNode, walk, written, type Node } from './language/tree.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);
const LONGEST_VALUE = 80;

/** A clause of a condition. */
interface Clause {
  readonly node: Node;
  readonly source: string;
  /** The parts that the clause compares or passes to a function, without literals. */
  readonly operands: readonly { readonly expression: string; readonly node: Node }[];
}

/** The clauses of a condition that `&&` and `||` join. */
type Clauses = Clause | { readonly node: Node; readonly op: '&&' | '||'; readonly left: Clauses; readonly right: Clauses };

/** Evaluates a part of a condition. Undefined if its value is unknown, null if it is absent. */
type ValueOf = (part: Node) => unknown;

// A long list has many false results of one condition.
const clausesOf = memoize(readClauses);

/** The false clauses of a condition that is false for `inputs`, with their values. */
export function falseClauses(condition: Expression, inputs: Inputs): readonly FalseClause[] {
  const evaluate = condition.partsOf(inputs);
  const valueOf = (part: Node): unknown => {
    try {
      return toJson(evaluate(part)) ?? null;
    } catch (error) {
      // A part of a loop names variables of the loop.
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  };
  return falseIn(clausesOf(condition.tree), valueOf);
}

function readClauses(node: Node): Clauses {
  const [left, right] = Array.isArray(node.args) ? node.args.filter(isNode) : [];
  if (left && right && (node.op === '&&' || node.op === '||')) {
    return { node, op: node.op, left: readClauses(left), right: readClauses(right) };
  }
  const operands = operandsIn(node)
    .filter((operand) => !namesNothing(operand))
    .map((operand) => ({ expression: inLine(operand), node: operand }));
  // A part that stands twice is shown once, at its first place.
  return { node, source: inLine(node), operands: [...new Map(operands.map((operand) => [operand.expression, operand])).values()] };
}

function inLine(node: Node): string {
  return written(node).replace(/\s+/gu, ' ');
}

function operandsIn(clause: Node): readonly Node[] {
  const { op, args } = clause;
  if (op === '!_') return isNode(args) ? [args] : [];
  if (COMPARISONS.has(op)) return Array.isArray(args) ? args.filter(isNode) : [];
  const isLoop = clause.meta.alternate !== undefined;
  return calledName(clause) === undefined || isLoop ? [] : callArguments(clause);
}

function namesNothing(node: Node): boolean {
  let names = 0;
  walk(node, ({ op }) => {
    if (op === 'id') names++;
  });
  return names === 0;
}

function falseIn(clauses: Clauses, valueOf: ValueOf): readonly FalseClause[] {
  if (!('op' in clauses)) return [{ source: clauses.source, values: valuesIn(clauses, valueOf) }];
  const { op, left, right } = clauses;
  if (op === '||') return [...falseIn(left, valueOf), ...falseIn(right, valueOf)];
  return falseIn(valueOf(left.node) === false ? left : right, valueOf);
}

function valuesIn({ operands }: Clause, valueOf: ValueOf): FalseClause['values'] {
  return operands.flatMap(({ expression, node }) => {
    const value = valueOf(node);
    if (value === undefined || (typeof value === 'object' && value !== null)) return [];
    if (value === null) return [{ expression }];
    const text = JSON.stringify(value);
    return [{ expression, value: text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text }];
  });
}
