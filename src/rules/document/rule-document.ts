import { isAlias, isMap, isScalar, isSeq, type Alias, type Document, type Node } from 'yaml';
import type { Path, Spot } from './report.ts';
import { offsetInScalar } from './scalar-offset.ts';

/** A rule file as YAML, with the places of everything in it. */
export interface RuleDocument {
  /** The node, or what the alias stands for. */
  follow(node: unknown): Node | undefined;
  /** What stands there; an alias is followed. */
  nodeAt(path: Path): Node | undefined;
  /** The value there, or what is nearest above it. */
  spot(path: Path): Spot;
  /** The key, where the map has it, else the map. */
  keySpot(path: Path, key: string): Spot;
  /** Whether the text there is cut off by what YAML takes for a comment. */
  endsAtComment(path: Path): boolean;
  /** What stands in a comment where a value should: `#general` of `channel: #general`. */
  commentInstead(path: Path): string | undefined;
  /** A place inside the text there: `at` counts in the text, from 0. */
  textSpot(path: Path, at: number): Spot;
}

/** The file; `aliases` has what each stands for. */
export function ruleDocument(yaml: Document.Parsed, aliases: ReadonlyMap<Alias, Node>, source: string): RuleDocument {
  function follow(node: unknown): Node | undefined {
    if (isAlias(node)) return aliases.get(node);
    return isScalar(node) || isMap(node) || isSeq(node) ? node : undefined;
  }

  /** As `nodeAt`, but an alias stands for itself: it is where the author wrote it. */
  function writtenAt(path: Path): unknown {
    let node: unknown = yaml.contents;
    for (const part of path) {
      const inside = follow(node);
      node = isMap(inside) ? inside.get(String(part), true) : isSeq(inside) ? inside.get(part, true) : undefined;
    }
    return node;
  }

  function spot(path: Path): Spot {
    for (let length = path.length; length > 0; length--) {
      const offset = startOf(writtenAt(path.slice(0, length)));
      if (offset !== undefined) return { path, offset };
    }
    return { path, offset: startOf(yaml.contents) ?? 0 };
  }

  return {
    follow,
    nodeAt: (path) => follow(writtenAt(path)),
    spot,

    keySpot(path, key) {
      const map = follow(writtenAt(path));
      const pair = isMap(map) ? map.items.find((item) => keyOf(item.key) === key) : undefined;
      const offset = startOf(pair?.key);
      return offset === undefined ? spot([...path, key]) : { path: [...path, key], offset };
    },

    endsAtComment(path) {
      const scalar = writtenAt(path);
      return isScalar(scalar) && scalar.type === 'PLAIN' && /^[ \t]+#/u.test(source.slice(scalar.range?.[1] ?? source.length));
    },

    commentInstead(path) {
      const scalar = writtenAt(path);
      if (!isScalar(scalar) || scalar.source !== '' || !scalar.range) return undefined;
      return /^[ \t]*(#\S[^\n]*?)\s*(?:\n|$)/u.exec(source.slice(scalar.range[0], scalar.range[0] + 300))?.[1];
    },

    textSpot(path, at) {
      const scalar = writtenAt(path);
      return isScalar(scalar) ? { path, offset: offsetInScalar(scalar, source, at) } : spot(path);
    },
  };
}

/** The key of a pair as text; undefined where it is a list, a map or nothing. */
export function keyOf(key: unknown): string | undefined {
  if (!isScalar(key) || key.value === null) return undefined;
  return typeof key.value === 'string' ? key.value : key.source;
}

function startOf(node: unknown): number | undefined {
  return (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) && node.range ? node.range[0] : undefined;
}
