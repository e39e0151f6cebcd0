import type { FalseClause } from '../reasons/falsehood.ts';
import { ExpressionError } from './complaints/expression-error.ts';
import type { Expression, Inputs } from './expression.ts';
import { toJson } from './language/results.ts';
import { callArguments, calledName, isNode, walk, written, type Node } from './language/tree.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);
const LONGEST_VALUE = 80;

interface Asking {
  readonly inputs: Inputs;
  /** Compiles a part of the expression by itself. */
  readonly compile: (source: string) => Expression;
}

/** Why a condition does not hold: the clauses that were false, with the values in them. */
export function whyFalse({ tree }: Expression, asking: Asking): readonly FalseClause[] {
  return falseClauses(tree, asking).map((clause) => ({ source: inLine(clause), values: valuesIn(clause, asking) }));
}

function inLine(node: Node): string {
  return written(node).replace(/\s+/gu, ' ');
}

function falseClauses(node: Node, asking: Asking): readonly Node[] {
  const [left, right] = Array.isArray(node.args) ? node.args.filter(isNode) : [];
  if (!left || !right) return [node];
  if (node.op === '||') return [...falseClauses(left, asking), ...falseClauses(right, asking)];
  if (node.op === '&&') return falseClauses(valueOf(left, asking) === false ? left : right, asking);
  return [node];
}

/** What is compared or asked, and not written out as it is. */
function valuesIn(clause: Node, asking: Asking): FalseClause['values'] {
  const values = new Map(
    askedOf(clause)
      .flatMap((node) => sayValue(node, asking))
      .map((value) => [value.of, value]),
  );
  return [...values.values()];
}

function askedOf(clause: Node): readonly Node[] {
  const { op, args } = clause;
  if (op === '!_') return isNode(args) ? [args] : [];
  if (COMPARISONS.has(op)) return Array.isArray(args) ? args.filter(isNode) : [];
  const isLoop = clause.meta.alternate !== undefined;
  return calledName(clause) === undefined || isLoop ? [] : callArguments(clause);
}

function sayValue(node: Node, asking: Asking): FalseClause['values'] {
  const value = namesNothing(node) ? undefined : valueOf(node, asking);
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

/** The value of a part by itself: null where it is absent, undefined where it cannot be known. */
function valueOf(node: Node, { inputs, compile }: Asking): unknown {
  try {
    return toJson(compile(written(node)).run(inputs)) ?? null;
  } catch (error) {
    // A part in a loop names what only the loop knows.
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}
