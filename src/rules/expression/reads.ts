import { ExpressionError } from './expression-error.ts';
import { namesOfId } from './language/lookups.ts';
import { fieldAccess, walk, type Node, callArguments, calledName, isLoop, isNode, loopOf } from './language/tree.ts';

/** The results and constants that an expression reads. */
interface Reads {
  /** Results, for example `post`, `post.own` or `post.on.bluesky`, with their offsets; `@post` for `episode.steps.post`. */
  readonly reads: ReadonlyMap<string, number>;
  /** As `vars.least`. */
  readonly constants: ReadonlySet<string>;
}

/** Finds the results and constants that an expression reads. Throws an `ExpressionError` for an incomplete name. */
export function readsOf(tree: Node): Reads {
  const reads = new Map<string, number>();
  const constants = new Set<string>();
  const seen = new Set<Node>();
  walk(tree, (node) => {
    const path = pathFrom(node);
    const [root, ...fields] = (path?.names ?? []).flatMap((name, index) => (index === 0 ? namesOfId(name) : [name]));
    if (!path || root === undefined || seen.has(node)) return;
    for (const part of path.nodes) seen.add(part);
    if (root === 'steps') reads.set(resultOf(fields, path.root), path.start);
    else if (root === 'episode' && fields[0] === 'steps') reads.set(OF_EPISODE + resultOf(fields.slice(1), path.root), path.start);
    else if (root === 'vars' || root === 'each') constants.add(fields.length === 0 ? root : `${root}.${fields[0]}`);
  });
  return { reads, constants };
}

/** The result that a node reads, for example `post.own`; undefined for other nodes. */
function readAt(node: Node): string | undefined {
  const path = pathFrom(node);
  const [root, ...fields] = path?.names ?? [];
  if (path && root === 'episode' && fields[0] === 'steps') return OF_EPISODE + resultOf(fields.slice(1), path.root);
  return path && root === 'steps' ? resultOf(fields, path.root) : undefined;
}

/** Begins the names of results of earlier firings, for example `@post` for `episode.steps.post`. No id of a step has it. */
const OF_EPISODE = '@';

/** The id of a step whose result an earlier firing of the episode made; undefined for a result of this firing. */
export function episodeStepOf(read: string): string | undefined {
  return read.startsWith(OF_EPISODE) ? stepOf(read).slice(OF_EPISODE.length) : undefined;
}

/** The name of the result of a step in an earlier firing. */
export function episodeRead(step: string): string {
  return OF_EPISODE + step;
}

/** The step of a result, for example `post` for `post.own`, and `@post` for `@post.own`. */
export function stepOf(read: string): string {
  return read.split('.')[0] ?? read;
}

interface NamePath {
  readonly names: readonly string[];
  readonly nodes: readonly Node[];
  readonly root: Node;
  readonly start: number;
}

/** The names of `a.b.c`; undefined for other nodes. */
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
  if (id === undefined) throw new ExpressionError('steps needs a step id', { at: root.start, hint: 'write steps.<id>.<field>' });
  if (field === 'own') return `${id}.own`;
  if (field !== 'on') return id;
  if (account === undefined) {
    throw new ExpressionError(`steps.${id}.on needs an account`, { at: root.start, hint: `write steps.${id}.on.<account>.<field>` });
  }
  return `${id}.on.${account}`;
}

/**
 * A result among `missing` that the value of an expression depends on, for example `vods.own`; undefined: none.
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
