import { ExpressionError } from './complaints/expression-error.ts';
import { fieldAccess, walk, type Node } from './language/tree.ts';

/** What an expression reads of what others made. */
export interface Reads {
  /** Results, as `post`, `post.own` or `post.on.bluesky`, and where each is named. */
  readonly reads: ReadonlyMap<string, number>;
  /** As `vars.least`. */
  readonly constants: ReadonlySet<string>;
}

/** Finds which results and which constants an expression reads; a result must be named with its account, if with any. */
export function readsOf(tree: Node): Reads {
  const reads = new Map<string, number>();
  const constants = new Set<string>();
  const seen = new Set<Node>();
  walk(tree, (node) => {
    const path = pathFrom(node);
    const [root, ...fields] = path?.names ?? [];
    if (!path || root === undefined || seen.has(node)) return;
    for (const part of path.nodes) seen.add(part);
    if (root === 'steps') reads.set(resultOf(fields, path.root), path.start);
    else if (root === 'vars' || root === 'each') constants.add(fields.length === 0 ? root : `${root}.${fields[0]}`);
  });
  return { reads, constants };
}

/** The result that a node reads, as `post.own`; undefined: the node is no name of a result. */
export function readAt(node: Node): string | undefined {
  const path = pathFrom(node);
  const [root, ...fields] = path?.names ?? [];
  return path && root === 'steps' ? resultOf(fields, path.root) : undefined;
}

/** The step that `post.own` is a result of. */
export function stepOf(read: string): string {
  return read.split('.')[0] ?? read;
}

interface NamePath {
  readonly names: readonly string[];
  readonly nodes: readonly Node[];
  readonly root: Node;
  readonly start: number;
}

/** The names of `a.b.c`, the outermost node first met; undefined for what is no such path. */
function pathFrom(node: Node): NamePath | undefined {
  const names: string[] = [];
  const nodes: Node[] = [];
  let at = node;
  for (let access = fieldAccess(at); access; access = fieldAccess(at)) {
    names.unshift(access.field);
    nodes.push(at);
    at = access.of;
  }
  if (at.op !== 'id') return undefined;
  return { names: [String(at.args), ...names], nodes: [...nodes, at], root: at, start: at.start };
}

function resultOf([id, field, account]: readonly string[], root: Node): string {
  if (id === undefined)
    throw new ExpressionError('steps are read one by one', { at: root.start, hint: 'write steps.<id>, and a field of it' });
  if (field === 'own') return `${id}.own`;
  if (field !== 'on') return id;
  if (account === undefined) {
    throw new ExpressionError('an account is missing', { at: root.start, hint: `write steps.${id}.on.<account>, and a field of it` });
  }
  return `${id}.on.${account}`;
}
