import { callArguments, calledName, isLoop, isNode, loopOf, type Node } from './language/tree.ts';
import { readAt, readsOf } from './reads.ts';

/**
 * A result among `missing` that the value of an expression depends on, as `vods.own`; undefined: none.
 *
 * `either(a, b)` depends on a result only if both do. A condition before `?` that reads a result handles its absence on both sides.
 */
export function dependsOn(node: Node, missing: ReadonlySet<string>): string | undefined {
  if (missing.size === 0) return undefined;
  const read = readAt(node);
  if (read !== undefined) return missing.has(read) ? read : undefined;
  const parts = partsOf(node);
  if (calledName(node) === 'either') {
    const found = parts.map((part) => dependsOn(part, missing));
    return found.includes(undefined) ? undefined : found[0];
  }
  const [condition] = parts;
  const left = node.op === '?:' && condition ? missing.difference(new Set(readsOf(condition).reads.keys())) : missing;
  for (const part of parts) {
    const found = dependsOn(part, left);
    if (found !== undefined) return found;
  }
  return undefined;
}

function partsOf(node: Node): readonly Node[] {
  const { alternate } = node.meta;
  if (alternate && isLoop(alternate)) return [loopOf(alternate).iterable, loopOf(alternate).step];
  return isNode(node.args) ? [node.args] : callArguments(node);
}
