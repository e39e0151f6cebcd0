import { isNode, written, type Node } from './language/tree.ts';

/** A comparison with a number or a text that is written out. */
export interface Bound {
  readonly clause: Node;
  readonly of: string;
  readonly op: string;
  readonly limit: number | string;
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==' };

/** The clauses of a chain of one operator. */
export function chainOf(node: Node, op: string): readonly Node[] {
  return node.op === op ? operandsOf(node).flatMap((operand) => chainOf(operand, op)) : [node];
}

/** What stands on the sides of an operator. */
export function operandsOf({ args }: Node): readonly Node[] {
  return Array.isArray(args) ? args.filter(isNode) : [];
}

/** The bound that a clause is; undefined: it is none. */
export function boundOf(clause: Node): Bound | undefined {
  const [left, right] = operandsOf(clause);
  const mirrored = MIRRORED[clause.op];
  if (!left || !right || mirrored === undefined) return undefined;
  const [first, second] = [limitOf(left), limitOf(right)];
  if (second !== undefined && first === undefined) return { clause, of: written(left), op: clause.op, limit: second };
  return first !== undefined && second === undefined ? { clause, of: written(right), op: mirrored, limit: first } : undefined;
}

function limitOf({ op, args }: Node): number | string | undefined {
  if (op === '-_') {
    const limit = isNode(args) ? limitOf(args) : undefined;
    return typeof limit === 'number' ? -limit : undefined;
  }
  if (op !== 'value') return undefined;
  if (typeof args === 'bigint') return Number(args);
  return typeof args === 'number' || typeof args === 'string' ? args : undefined;
}

/** Whether nothing can be within both bounds. */
export function contradicts(a: Bound, b: Bound): boolean {
  if (a.op === '==') return !isWithin(a.limit, b);
  if (b.op === '==') return !isWithin(b.limit, a);
  const [low, high] = a.op.startsWith('>') ? [a, b] : [b, a];
  if (!low.op.startsWith('>') || !high.op.startsWith('<')) return false;
  return low.limit > high.limit || (low.limit === high.limit && !(low.op === '>=' && high.op === '<='));
}

/** Whether all that is within `b` is within `a`. */
export function covers(a: Bound, b: Bound): boolean {
  if (b.op === '==') return isWithin(b.limit, a);
  if (a.op[0] !== b.op[0] || a.op === '==') return false;
  if (a.limit === b.limit) return a.op === b.op || a.op.endsWith('=');
  return a.op.startsWith('>') ? a.limit < b.limit : a.limit > b.limit;
}

function isWithin(value: number | string, { op, limit }: Bound): boolean {
  switch (op) {
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '>':
      return value > limit;
    case '>=':
      return value >= limit;
    default:
      return value === limit;
  }
}
