import { literalOf } from './constraints.ts';
import { chainOf, type IdleClause } from './decided-clauses.ts';
import { callArguments, calledName, operandsOf, written, type Node } from './language/tree.ts';

const BEFORE: ReadonlySet<string> = new Set(['<', '<=']);
const AFTER: ReadonlySet<string> = new Set(['>', '>=']);

/** Finds `now < timestamp("2020-01-01T00:00:00Z")` in a condition, which is false from that time on. */
export function pastLimits(tree: Node, nowMs: number): readonly IdleClause[] {
  return chainOf(tree, '&&').flatMap((clause) => {
    const [left, right] = operandsOf(clause);
    const limit = BEFORE.has(clause.op) && isNow(left) ? right : AFTER.has(clause.op) && isNow(right) ? left : undefined;
    const text = limit && calledName(limit) === 'timestamp' ? literalOf(callArguments(limit)[0] ?? limit) : undefined;
    if (!limit || typeof text !== 'string' || !(Date.parse(text) <= nowMs)) return [];
    return [
      { at: clause.start, message: `this is never true again: ${written(limit)} is in the past`, hint: 'write a time in the future' },
    ];
  });
}

function isNow(node: Node | undefined): boolean {
  return node?.op === 'id' && node.args === 'now';
}
