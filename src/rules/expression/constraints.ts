import { isNode, knownTypeOf, operandsOf, written, type Node } from './language/tree.ts';

type Literal = number | string | boolean;
/** A value of a subject; undefined: it is absent. */
type Value = Literal | undefined;

/** What a clause requires of a value, for example `item.viewerCount > 100`. */
export interface Constraint {
  readonly clause: Node;
  /** The value, as written. */
  readonly subject: string;
  /** The part with the value. */
  readonly operand: Node;
  readonly limits: readonly Literal[];
  /** Whether it excludes single values. */
  readonly excludes: boolean;
  accepts(value: Value): boolean;
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==', '!=': '!=' };

/** The constraint of a clause; undefined: it compares nothing with literals. */
export function constraintOf(clause: Node): Constraint | undefined {
  const [left, right] = operandsOf(clause);
  if (clause.op === '!_') return left && negated(clause, left);
  if (!left || !right) return flagOf(clause);
  if (clause.op === '&&' || clause.op === '||') return joined(clause, left, right);
  if (clause.op === 'in') return memberOf(clause, left, right);
  const mirrored = MIRRORED[clause.op];
  if (mirrored === undefined) return flagOf(clause);
  const [first, second] = [literalOf(left), literalOf(right)];
  if (second !== undefined && first === undefined) return comparison(clause, { operand: left, op: clause.op, limit: second });
  return first !== undefined && second === undefined ? comparison(clause, { operand: right, op: mirrored, limit: first }) : flagOf(clause);
}

function negated(clause: Node, inner: Node): Constraint | undefined {
  const constraint = constraintOf(inner);
  if (!constraint) return undefined;
  return { ...constraint, clause, excludes: !constraint.excludes, accepts: (value) => !constraint.accepts(value) };
}

/** Two constraints of one value. */
function joined(clause: Node, left: Node, right: Node): Constraint | undefined {
  const [a, b] = [constraintOf(left), constraintOf(right)];
  if (!a || a.subject !== b?.subject) return flagOf(clause);
  const accepts =
    clause.op === '&&' ? (value: Value) => a.accepts(value) && b.accepts(value) : (value: Value) => a.accepts(value) || b.accepts(value);
  return { ...a, clause, limits: [...a.limits, ...b.limits], excludes: a.excludes && b.excludes, accepts };
}

function memberOf(clause: Node, operand: Node, list: Node): Constraint | undefined {
  const limits = list.op === 'list' ? operandsOf(list).map(literalOf) : [];
  if (limits.length === 0 || !limits.every((limit) => limit !== undefined)) return flagOf(clause);
  return {
    clause,
    subject: written(operand),
    operand,
    limits,
    excludes: false,
    accepts: (value) => limits.some((limit) => limit === value),
  };
}

function comparison(
  clause: Node,
  { operand, op, limit }: { readonly operand: Node; readonly op: string; readonly limit: Literal },
): Constraint {
  const accepts = (value: Value): boolean => value !== undefined && compare(value, op, limit);
  return { clause, subject: written(operand), operand, limits: [limit], excludes: op === '!=', accepts };
}

/** A clause that is a flag itself. The steps of loops have parts that are not written. */
function flagOf(clause: Node): Constraint | undefined {
  if (clause.op.startsWith('accu') || clause.op === 'value' || knownTypeOf(clause)?.name !== 'bool') return undefined;
  return { clause, subject: written(clause), operand: clause, limits: [true], excludes: false, accepts: (value) => value === true };
}

/** The text, number or flag that a node is. */
export function literalOf({ op, args }: Node): Literal | undefined {
  if (op === '-_') {
    const limit = isNode(args) ? literalOf(args) : undefined;
    return typeof limit === 'number' ? -limit : undefined;
  }
  if (op !== 'value') return undefined;
  if (typeof args === 'bigint') return Number(args);
  return typeof args === 'number' || typeof args === 'string' || typeof args === 'boolean' ? args : undefined;
}

function compare(value: Literal, op: string, limit: Literal): boolean {
  switch (op) {
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '>':
      return value > limit;
    case '>=':
      return value >= limit;
    case '!=':
      return value !== limit;
    default:
      return value === limit;
  }
}

/** Values that decide about constraints of one subject: each combination of results that a value can have occurs for one of them. */
export function decidingValues(constraints: readonly Constraint[]): readonly Value[] | undefined {
  const limits = constraints.flatMap((constraint) => constraint.limits);
  const [operand] = constraints.map((constraint) => constraint.operand);
  const type = operand && knownTypeOf(operand);
  // A value of any type can have another type than the limits.
  if (!type || type.name === 'dyn' || type.valueType?.name === 'dyn') return undefined;
  if (limits.every((limit) => typeof limit === 'boolean')) return [true, false];
  // The text after a text ends with the first character.
  if (limits.every((limit) => typeof limit === 'string')) return ['', ...limits.flatMap((limit) => [limit, `${limit}\0`])];
  if (!limits.every((limit) => typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER)) return undefined;
  const numbers = limits.filter((limit) => typeof limit === 'number').toSorted((a, b) => a - b);
  const around = (type.valueType ?? type).name === 'int' ? numbers.flatMap(wholeAround) : numbers.flatMap(decimalAround);
  return type.kind === 'optional' ? [...around, undefined] : around;
}

function wholeAround(limit: number): readonly number[] {
  return [Math.floor(limit) - 1, Math.floor(limit), Math.ceil(limit), Math.ceil(limit) + 1];
}

function decimalAround(limit: number, index: number, sorted: readonly number[]): readonly number[] {
  const [before, after] = [sorted[index - 1] ?? limit - 2, sorted[index + 1] ?? limit + 2];
  return [(before + limit) / 2, limit, (limit + after) / 2];
}
