import { isMap, isPair, isScalar, isSeq, isAlias, type Alias, type Node, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';

export type AnyNode = Alias | Scalar | YAMLMap | YAMLSeq;

/** What to do next: go on into it, pass over what is in it, or stop for good. */
export type Next = 'in' | 'over' | 'stop';

/** Far deeper than any rule may nest; the stack would not bear to be led on and on. */
const MOST_HOLDERS = 500;

/** Visits every node in the order of the file, but for what nests absurdly deep; `above` are those that hold it, pairs included, and changes as the walk goes on. */
export function walkNodes(root: unknown, visit: (node: AnyNode, above: readonly unknown[]) => Next): void {
  const above: unknown[] = [];

  function walk(node: unknown): boolean {
    if (isPair(node)) return within(node, [node.key, node.value]);
    if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return true;
    const next = visit(node, above);
    if (next !== 'in' || !('items' in node)) return next !== 'stop';
    return within(node, node.items);
  }

  function within(holder: unknown, inside: readonly unknown[]): boolean {
    if (above.length >= MOST_HOLDERS) return true;
    above.push(holder);
    const goesOn = inside.every(walk);
    above.pop();
    return goesOn;
  }

  walk(root);
}

/** Where a node begins in the file. */
export function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}
