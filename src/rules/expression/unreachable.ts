import { boundOf, chainOf, contradicts, covers, operandsOf } from './bounds.ts';
import { written, type Node } from './language/tree.ts';

/** A clause that decides nothing. */
export interface IdleClause {
  /** Where it begins in the expression, from 0. */
  readonly at: number;
  readonly why: string;
  readonly hint?: string | undefined;
}

/** Finds clauses that can never hold beside the others of their &&, and such that others of their || hold for already. */
export function idleClauses(tree: Node): readonly IdleClause[] {
  const [left, right] = operandsOf(tree);
  if (!left || !right || (tree.op !== '&&' && tree.op !== '||')) return [];
  const clauses = chainOf(tree, tree.op);
  const bounds = clauses.flatMap((clause) => boundOf(clause) ?? []);
  const isIdle = tree.op === '&&' ? contradicts : covers;
  const verb = tree.op === '&&' ? 'this can never be true together with' : 'this is true only where this is already:';
  const idle = bounds.flatMap((bound, index) => {
    const other = bounds.slice(0, index).find((one) => one.of === bound.of && isIdle(one, bound));
    return other ? [{ at: bound.clause.start, why: `${verb} ${written(other.clause)}` }] : [];
  });
  return [...idle, ...clauses.flatMap(idleClauses)];
}
