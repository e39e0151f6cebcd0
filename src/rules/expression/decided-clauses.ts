import type { Watch } from '#src/clients/operation/declared.ts';
import { CHANGE_KINDS, type ChangeKind } from '#src/rules/rule.ts';
import { closestName } from '#src/clients/operation/closest-name.ts';
import { formatList } from '#src/rules/messages/format.ts';
import { constraintOf, decidingValues, literalOf, type Constraint } from './constraints.ts';
import { callArguments, calledName, operandsOf, walk, written, type Node } from './language/tree.ts';

/** A clause whose value is the same for every item. */
export interface IdleClause {
  /** Its offset in the expression, from 0. */
  readonly at: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

const SEARCHES: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith']);

/** Finds clauses that contradict others of their &&, and clauses that others of their || cover or complete. */
export function idleClauses(tree: Node): readonly IdleClause[] {
  const found: IdleClause[] = [];
  const seen = new Set<Node>();
  walk(tree, (node) => {
    if (node.op === '&&' || node.op === '||') {
      if (!seen.has(node)) found.push(...idleInChain(node, node.op), ...(node.op === '||' ? looseExclusions(node) : []));
      for (const operand of operandsOf(node)) if (operand.op === node.op) seen.add(operand);
    }
    const [, text] = SEARCHES.has(calledName(node) ?? '') ? callArguments(node) : [];
    if (text && literalOf(text) === '') {
      found.push({
        at: node.start,
        message: 'this is always true: every text has the empty text',
        hint: 'write a text between the quotes',
      });
    }
  });
  return found;
}

function idleInChain(chain: Node, op: '&&' | '||'): readonly IdleClause[] {
  const constraints = chainOf(chain, op).flatMap((clause) => undecided(clause) ?? []);
  return constraints.flatMap((constraint, index) => {
    const others = constraints.slice(0, index).filter(({ subject }) => subject === constraint.subject);
    const deciding = smallest(others, (some) => (op === '&&' ? isNever : isAlways)([...some, constraint]));
    if (deciding) return [op === '&&' ? neverMessage(constraint, deciding) : alwaysMessage(constraint, deciding)];
    const covering = op === '||' ? others.find((other) => covers(other, constraint)) : undefined;
    const message = 'this has no effect, because it is true only if this is true:';
    return covering ? [{ at: constraint.clause.start, message: `${message} ${written(covering.clause)}` }] : [];
  });
}

/** Finds `!a.contains("x") || !a.contains("y")`, which excludes only texts with both. */
function looseExclusions(chain: Node): readonly IdleClause[] {
  const excluding = chainOf(chain, '||').flatMap((clause) => {
    const [search] = clause.op === '!_' ? operandsOf(clause) : [];
    const [text, sought] = search && SEARCHES.has(calledName(search) ?? '') ? callArguments(search) : [];
    return text && sought && literalOf(sought) !== undefined ? [{ clause, text: written(text) }] : [];
  });
  return excluding.flatMap(({ clause, text }, index) => {
    const other = excluding.slice(0, index).find((one) => one.text === text);
    if (!other) return [];
    const message = `this or ${written(other.clause)} excludes only texts with both`;
    return [{ at: clause.start, message, hint: 'write && to exclude each of them' }];
  });
}

function neverMessage({ clause }: Constraint, others: readonly Constraint[]): IdleClause {
  return { at: clause.start, message: `this is never true together with ${formatList(others.map(sourceOf), 'and')}` };
}

function alwaysMessage(constraint: Constraint, others: readonly Constraint[]): IdleClause {
  const message = `this or ${formatList(others.map(sourceOf))} is always true: each value fits one of them`;
  const hint = [...others, constraint].every(({ excludes }) => excludes) ? 'write && to exclude all of these values' : undefined;
  return { at: constraint.clause.start, message, hint };
}

function sourceOf({ clause }: Constraint): string {
  return written(clause);
}

/** The constraint of a clause that values can decide either way. A clause that decides itself is reported at its parts. */
function undecided(clause: Node): Constraint | undefined {
  const constraint = constraintOf(clause);
  return constraint && !isAlways([constraint]) && !isNever([constraint]) ? constraint : undefined;
}

/** One of the constraints that satisfies a test, else all of them if they do; undefined: they do not. */
function smallest(constraints: readonly Constraint[], test: (some: readonly Constraint[]) => boolean): readonly Constraint[] | undefined {
  if (constraints.length === 0) return undefined;
  const one = constraints.find((constraint) => test([constraint]));
  if (one) return [one];
  return test(constraints) ? constraints : undefined;
}

/** Whether no value fits all constraints of a subject. */
function isNever(constraints: readonly Constraint[]): boolean {
  return decidingValues(constraints)?.every((value) => !constraints.every((one) => one.accepts(value))) ?? false;
}

/** Whether each value fits one of the constraints of a subject. */
function isAlways(constraints: readonly Constraint[]): boolean {
  return decidingValues(constraints)?.every((value) => constraints.some((one) => one.accepts(value))) ?? false;
}

/** Whether every value that fits `b` fits `a`. */
function covers(a: Constraint, b: Constraint): boolean {
  return decidingValues([a, b])?.every((value) => a.accepts(value) || !b.accepts(value)) ?? false;
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
  const required = facts.where ? chainOf(facts.where, '&&').flatMap((clause) => undecided(clause) ?? []) : [];
  return clausesIn(tree).flatMap((clause) => {
    const constraint = undecided(clause);
    if (!constraint) return [];
    const others = required.filter(({ subject }) => subject === constraint.subject);
    const deciding = smallest(others, (some) => isNever([...some, constraint]));
    if (deciding) {
      const message = `this is never true, because where requires ${formatList(deciding.map(sourceOf), 'and')}`;
      return [{ at: clause.start, message }];
    }
    const isOtherKind = constraint.subject === 'change.kind' && !facts.kinds.some((kind) => constraint.accepts(kind));
    return isOtherKind ? [{ at: clause.start, ...otherKindMessage(constraint, facts) }] : [];
  });
}

/** The clauses of an expression of && and ||. */
function clausesIn(node: Node): readonly Node[] {
  return node.op === '&&' || node.op === '||' ? operandsOf(node).flatMap(clausesIn) : [node];
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

function otherKindMessage(constraint: Constraint, { kinds, watch }: KnownFacts): Pick<IdleClause, 'message' | 'hint'> {
  const message = `this is never true, because the rule fires only for ${formatList(kinds, 'and')}`;
  const [kind] = constraint.limits.filter((limit) => typeof limit === 'string' && constraint.accepts(limit)).map(String);
  if (kind === undefined) return { message };
  const added = Object.entries(ADDED).find(([one]) => one === kind)?.[1];
  const never = watch === 'feed' ? ['left'] : watch === 'one' ? ['left', 'moved'] : [];
  if (added !== undefined) return never.includes(kind) ? { message } : { message, hint: `add ${added} to changes` };
  const meant = closestName(kind, CHANGE_KINDS);
  return { message, hint: meant === undefined ? `available: ${CHANGE_KINDS.join(', ')}` : `did you mean ${meant}?` };
}

/** The operands of a chain of && or ||; of another expression, itself. */
export function chainOf(node: Node, op: string): readonly Node[] {
  return node.op === op ? operandsOf(node).flatMap((operand) => chainOf(operand, op)) : [node];
}
