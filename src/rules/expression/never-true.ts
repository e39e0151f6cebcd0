import type { Watch } from '#src/operation/declared.ts';
import type { ChangeKind } from '../rule.ts';
import { closestName } from '../wording/closest-name.ts';
import { enumerate } from '../wording/enumerate.ts';
import { boundOf, chainOf, contradicts, operandsOf, type Bound } from './bounds.ts';
import { written, type Node } from './language/tree.ts';
import type { IdleClause } from './unreachable.ts';

/** What is known of the item and the change of a firing before any condition on them is asked. */
export interface Given {
  /** The condition that the item was let in by. */
  readonly where: Node | undefined;
  /** The kinds of changes for which the rule fires. */
  readonly kinds: readonly ChangeKind[];
  /** What a missing item means. */
  readonly watch: Watch;
}

/** Finds clauses that can never be true after what is given. */
export function clausesNeverTrue(tree: Node, given: Given): readonly IdleClause[] {
  const held = given.where ? chainOf(given.where, '&&').flatMap((clause) => boundOf(clause) ?? []) : [];
  return clausesIn(tree).flatMap((clause) => {
    const bound = boundOf(clause);
    if (!bound) return [];
    const other = held.find((one) => one.of === bound.of && contradicts(one, bound));
    if (other) return [{ at: clause.start, why: `this can never be true: where lets nothing in but ${written(other.clause)}` }];
    return isOtherKind(bound, given) ? [{ at: clause.start, ...otherKindWords(bound, given) }] : [];
  });
}

/** What an expression of && and || is made of. */
function clausesIn(node: Node): readonly Node[] {
  return node.op === '&&' || node.op === '||' ? operandsOf(node).flatMap(clausesIn) : [node];
}

function isOtherKind({ of, op, limit }: Bound, { kinds }: Given): boolean {
  return of === 'change.kind' && op === '==' && !kinds.some((kind) => kind === limit);
}

/** How each kind is added to `changes`. */
const ADDED: Readonly<Record<ChangeKind, string>> = {
  entered: 'entered',
  left: 'left',
  moved: 'moved',
  changed: '{ changed: [<field>] }',
  rose: '{ rose: { field: <field>, above: <number> } }',
  fell: '{ fell: { field: <field>, below: <number> } }',
};

const KINDS = Object.keys(ADDED);

function otherKindWords({ limit }: Bound, { kinds, watch }: Given): Pick<IdleClause, 'why' | 'hint'> {
  const why = `this can never be true: the rule fires for ${enumerate(kinds, 'and')} only`;
  const kind = String(limit);
  const added = Object.entries(ADDED).find(([one]) => one === kind)?.[1];
  const never = watch === 'feed' ? ['left'] : watch === 'one' ? ['left', 'moved'] : [];
  if (added !== undefined) return never.includes(kind) ? { why } : { why, hint: `add ${added} to changes` };
  const meant = closestName(kind, KINDS);
  return { why, hint: meant === undefined ? `kinds are ${enumerate(KINDS, 'and')}` : `did you mean ${meant}?` };
}
