import { isAlias, isMap, isPair, isScalar, isSeq, type Alias, type Node, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Location, Path } from './report.ts';

/** A YAML file with the locations of its parts. */
export interface RuleDocument {
  /** The node, or the target of an alias. */
  follow(node: unknown): Node | undefined;
  /** The node at a path. It follows aliases. */
  nodeAt(path: Path): Node | undefined;
  /** The location of the value, or of the nearest value above it. */
  locationOf(path: Path): Location;
  /** The location of a key, or of its map if the key is missing. */
  keyLocation(path: Path, key: string): Location;
  /** Whether a YAML comment cuts off the text. */
  endsAtComment(path: Path): boolean;
  /** Whether the value is text without quotes. */
  isPlain(path: Path): boolean;
  /** The comment in the place of a value: `#general` in `channel: #general`, and a heading of Markdown in `content: # Tonight`. */
  commentInstead(path: Path): string | undefined;
  /** A location inside a text. `at` counts in the text, from 0. */
  textLocation(path: Path, at: number): Location;
}

/** Makes a document from the YAML tree. `aliases` has their targets. */
export function ruleDocument(contents: Node, aliases: ReadonlyMap<Alias, Node>, source: string): RuleDocument {
  function follow(node: unknown): Node | undefined {
    if (isAlias(node)) return aliases.get(node);
    return isScalar(node) || isMap(node) || isSeq(node) ? node : undefined;
  }

  /** Like `nodeAt`, but returns an alias itself, because a diagnostic points at it. */
  function writtenAt(path: Path): unknown {
    let node: unknown = contents;
    for (const part of path) {
      const inside = follow(node);
      node = isMap(inside) ? pairOf(inside, String(part))?.value : isSeq(inside) ? inside.get(part, true) : undefined;
    }
    return node;
  }

  function locationOf(path: Path): Location {
    for (let length = path.length; length > 0; length--) {
      const offset = offsetOf(writtenAt(path.slice(0, length)));
      if (offset !== undefined) return { path, offset };
    }
    return { path, offset: offsetOf(contents) ?? 0 };
  }

  return {
    follow,
    nodeAt: (path) => follow(writtenAt(path)),
    locationOf,

    keyLocation(path, key) {
      const map = follow(writtenAt(path));
      const offset = isMap(map) ? offsetOf(pairOf(map, key)?.key) : undefined;
      return offset === undefined ? locationOf([...path, key]) : { path: [...path, key], offset };
    },

    endsAtComment(path) {
      const scalar = writtenAt(path);
      return isScalar(scalar) && scalar.type === 'PLAIN' && /^[ \t]+#/u.test(source.slice(scalar.range?.[1] ?? source.length));
    },

    isPlain(path) {
      const scalar = writtenAt(path);
      return isScalar(scalar) && scalar.type === 'PLAIN';
    },

    commentInstead(path) {
      const scalar = writtenAt(path);
      if (!isScalar(scalar) || scalar.source !== '' || !scalar.range) return undefined;
      const [, comment] = /^[ \t]*(#[^\n]*?)\s*(?:\n|$)/u.exec(source.slice(scalar.range[0], scalar.range[0] + 300)) ?? [];
      const isHeading = path.at(-1) === 'content' && /^#{1,3} \S/u.test(comment ?? '');
      return isHeading || /^#\S/u.test(comment ?? '') ? comment : undefined;
    },

    textLocation(path, at) {
      const scalar = writtenAt(path);
      return isScalar(scalar) ? { path, offset: offsetInScalar(scalar, source, at) } : locationOf(path);
    },
  };
}

function pairOf(map: YAMLMap, key: string): YAMLMap['items'][number] | undefined {
  return map.items.find((pair) => keyOf(pair.key) === key);
}

/** The key of a pair as text; undefined for a list, a map or nothing. */
export function keyOf(key: unknown): string | undefined {
  if (!isScalar(key) || key.value === null) return undefined;
  return typeof key.value === 'string' ? key.value : key.source;
}

type AnyNode = Alias | Scalar | YAMLMap | YAMLSeq;

function isAnyNode(node: unknown): node is AnyNode {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node);
}

function offsetOf(node: unknown): number | undefined {
  return isAnyNode(node) && node.range ? node.range[0] : undefined;
}

/** The offset of a node in the file. */
export function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** How a walk continues: into the node, over its content, or not at all. */
export type Next = 'in' | 'over' | 'stop';

/** Bounds the recursion. No rule nests this deep. */
const MOST_HOLDERS = 500;

/** Visits all nodes in the order of the file. `above` has the nodes around each, pairs included; the walk reuses the array. */
export function walkNodes(root: unknown, visit: (node: AnyNode, above: readonly unknown[]) => Next): void {
  const above: unknown[] = [];

  function walk(node: unknown): boolean {
    if (isPair(node)) return within(node, [node.key, node.value]);
    if (!isAnyNode(node)) return true;
    const next = visit(node, above);
    if (next !== 'in' || !('items' in node)) return next !== 'stop';
    return within(node, node.items);
  }

  function within(holder: unknown, inside: readonly unknown[]): boolean {
    if (above.length >= MOST_HOLDERS) return true;
    above.push(holder);
    const keepsRunning = inside.every(walk);
    above.pop();
    return keepsRunning;
  }

  walk(root);
}

const SPACE = /[ \n\t\r]/gu;

/** A character that is no space. */
interface VisibleCharacter {
  readonly char: string;
  readonly at: number;
}

/**
 * The file offset of a character of the scalar's text, or the nearest offset before it that is certain.
 *
 * Line breaks and indentation differ between text and file. All other characters have the same order.
 */
export function offsetInScalar({ range, type, value }: Scalar, source: string, at: number): number {
  const [start, end] = range ?? [0, 0];
  if (typeof value !== 'string') return start;
  const raw = source.slice(start, end);
  const wanted = value.slice(0, at).replace(SPACE, '');
  const characters = visibleCharacters(raw, type);
  const index = characters.findIndex(({ char }, position) => position >= wanted.length || char !== wanted[position]);
  const [found, last] = [characters[index], characters.at(-1)];
  return start + (found?.at ?? (last ? last.at + 1 : 0));
}

function visibleCharacters(raw: string, type: Scalar['type']): readonly VisibleCharacter[] {
  const characters: VisibleCharacter[] = [];
  const isDouble = type === 'QUOTE_DOUBLE';
  for (let at = bodyStart(raw, type); at < raw.length; at++) {
    const char = raw[at] ?? '';
    const next = raw[at + 1] ?? '';
    if (char.trim() === '') continue;
    if (isDouble && char === '\\' && 'ntr \n'.includes(next)) at++;
    else if (isDouble && char === '\\') characters.push({ char: next, at: ++at });
    else if (type === 'QUOTE_SINGLE' && char === "'" && next === "'") characters.push({ char, at: at++ });
    else characters.push({ char, at });
  }
  return characters;
}

/** The offset behind the opening quote, or behind the line with `|` or `>`. */
function bodyStart(raw: string, type: Scalar['type']): number {
  if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') return 1;
  return type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED' ? raw.indexOf('\n') + 1 : 0;
}
