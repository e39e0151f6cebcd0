import { written, type Node, isNode } from './language/tree.ts';
import type { Watch } from '#src/clients/operation/declared.ts';
import { CHANGE_KINDS, type ChangeKind } from '#src/rules/rule.ts';
import { closestName } from '#src/clients/operation/closest-name.ts';
import { formatList } from '#src/rules/messages/format.ts';

/** A clause whose value is the same for every item. */
export interface IdleClause {
  /** Its offset in the expression, from 0. */
  readonly at: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Finds clauses that contradict others of their &&, and clauses that others of their || cover. */
export function idleClauses(tree: Node): readonly IdleClause[] {
  const [left, right] = operandsOf(tree);
  if (!left || !right || (tree.op !== '&&' && tree.op !== '||')) return [];
  const clauses = chainOf(tree, tree.op);
  const bounds = clauses.flatMap((clause) => boundOf(clause) ?? []);
  const isIdle = tree.op === '&&' ? contradicts : covers;
  const verb = tree.op === '&&' ? 'this is never true together with' : 'this has no effect, because it is true only if this is true:';
  const idle = bounds.flatMap((bound, index) => {
    const other = bounds.slice(0, index).find((one) => one.of === bound.of && isIdle(one, bound));
    return other ? [{ at: bound.clause.start, message: `${verb} ${written(other.clause)}` }] : [];
  });
  return [...idle, ...clauses.flatMap(idleClauses)];
}

/** Facts about the item and the change of a firing that hold before its conditions run. */
export interface KnownFacts {
  /** The condition of `where`, which holds for every item. */
  readonly where: Node | undefined;
  /** The kinds of changes that fire. */
  readonly kinds: readonly ChangeKind[];
  /** The meaning of a missing item. */
  readonly watch: Watch;
}

/** Finds clauses that contradict the facts. */
export function clausesNeverTrue(tree: Node, facts: KnownFacts): readonly IdleClause[] {
  const bounds = facts.where ? chainOf(facts.where, '&&').flatMap((clause) => boundOf(clause) ?? []) : [];
  return clausesIn(tree).flatMap((clause) => {
    const bound = boundOf(clause);
    if (!bound) return [];
    const other = bounds.find((one) => one.of === bound.of && contradicts(one, bound));
    if (other) return [{ at: clause.start, message: `this is never true, because where requires ${written(other.clause)}` }];
    return isOtherKind(bound, facts) ? [{ at: clause.start, ...otherKindMessage(bound, facts) }] : [];
  });
}

/** The clauses of an expression of && and ||. */
function clausesIn(node: Node): readonly Node[] {
  return node.op === '&&' || node.op === '||' ? operandsOf(node).flatMap(clausesIn) : [node];
}

function isOtherKind({ of, op, limit }: Bound, { kinds }: KnownFacts): boolean {
  return of === 'change.kind' && op === '==' && !kinds.some((kind) => kind === limit);
}

/** The text that adds each kind to `changes`. */
const ADDED: Readonly<Record<ChangeKind, string>> = {
  entered: 'entered',
  left: 'left',
  moved: 'moved',
  changed: '{ changed: [<field>] }',
  rose: '{ rose: { field: <field>, above: <number> } }',
  fell: '{ fell: { field: <field>, below: <number> } }',
};

function otherKindMessage({ limit }: Bound, { kinds, watch }: KnownFacts): Pick<IdleClause, 'message' | 'hint'> {
  const message = `this is never true, because the rule fires only for ${formatList(kinds, 'and')}`;
  const kind = String(limit);
  const added = Object.entries(ADDED).find(([one]) => one === kind)?.[1];
  const never = watch === 'feed' ? ['left'] : watch === 'one' ? ['left', 'moved'] : [];
  if (added !== undefined) return never.includes(kind) ? { message } : { message, hint: `add ${added} to changes` };
  const meant = closestName(kind, CHANGE_KINDS);
  return { message, hint: meant === undefined ? `available: ${CHANGE_KINDS.join(', ')}` : `did you mean ${meant}?` };
}

/** A comparison with a literal number or text. */
interface Bound {
  readonly clause: Node;
  readonly of: string;
  readonly op: string;
  readonly limit: number | string;
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==' };

/** The clauses of a chain of one operator. */
function chainOf(node: Node, op: string): readonly Node[] {
  return node.op === op ? operandsOf(node).flatMap((operand) => chainOf(operand, op)) : [node];
}

/** The operands of an operator. */
function operandsOf({ args }: Node): readonly Node[] {
  return Array.isArray(args) ? args.filter(isNode) : [];
}

/** The clause as a bound; undefined if it is no comparison with a literal. */
function boundOf(clause: Node): Bound | undefined {
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

/** Whether no value fits both bounds. */
function contradicts(a: Bound, b: Bound): boolean {
  if (a.op === '==') return !isWithin(a.limit, b);
  if (b.op === '==') return !isWithin(b.limit, a);
  const [low, high] = a.op.startsWith('>') ? [a, b] : [b, a];
  if (!low.op.startsWith('>') || !high.op.startsWith('<')) return false;
  return low.limit > high.limit || (low.limit === high.limit && !(low.op === '>=' && high.op === '<='));
}

/** Whether every value that fits `b` fits `a`. */
function covers(a: Bound, b: Bound): boolean {
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
