import type { IdleClause } from './decided-clauses.ts';
import { certain, operandsOf, walk, written, type Node } from './language/tree.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=']);
const WITH_DOT = /^[1-9]\d{0,2}\.\d{3}$/u;

/** The warning for a number with a dot between its thousands, which is a decimal point: `1.000` is 1; undefined: it has no such dot. */
export function misreadThousands(source: string): Pick<IdleClause, 'message' | 'hint'> | undefined {
  if (!WITH_DOT.test(source)) return undefined;
  return { message: `${source} is the number ${Number(source)}`, hint: `write ${source.replace('.', '')}` };
}

/** Finds comparisons of a whole number with a number that has a dot between its thousands, for example `item.viewerCount > 1.000`. */
export function misreadNumbers(tree: Node): readonly IdleClause[] {
  const found: IdleClause[] = [];
  walk(tree, (node) => {
    const [left, right] = COMPARISONS.has(node.op) ? operandsOf(node) : [];
    if (!left || !right) return;
    for (const [number, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const misread = number.op === 'value' ? misreadThousands(written(number)) : undefined;
      if (misread && certain(other.checkedType)?.name === 'int') found.push({ at: number.start, ...misread });
    }
  });
  return found;
}
