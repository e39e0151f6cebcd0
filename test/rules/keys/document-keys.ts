import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from 'yaml';
import type { Json } from '#src/clients/operation/json.ts';
import { keysOf, type Shape } from '#src/rules/shape/shape.ts';

type Path = readonly (string | number)[];

/** A key of a YAML document that its schema names. */
export interface DocumentKey {
  readonly path: Path;
  readonly key: string;
  /** Its location, for example `4:3`. */
  readonly location: string;
  /** All keys that the schema allows at this place. */
  readonly known: readonly string[];
  readonly isRequired: boolean;
  /** The document with another key in its place; with `value`, also with another value. */
  renamed(key: string, value?: string): string;
  /** The document without the key and its value. */
  readonly removed: string;
}

/** The shape of the map at a path; undefined if its keys are free. */
export type ShapeOf = (above: Path, document: Json) => Shape | undefined;

/** Every key of a document that a schema names. */
export function documentKeys(text: string, shapeOf: ShapeOf): readonly DocumentKey[] {
  const lines = new LineCounter();
  const source = protectVariables(text);
  const document = parseDocument(source, { lineCounter: lines, intAsBigInt: true });
  const plain = parseDocument(source).toJS() as Json; // YAML without tags is JSON
  const found: DocumentKey[] = [];

  function visit(node: unknown, path: Path): void {
    if (isSeq(node)) node.items.forEach((one, index) => visit(one, [...path, index]));
    if (!isMap(node)) return;
    const shape = shapeOf(path, plain);
    const known = [...new Set(keysOf(shape))];
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      if (known.includes(key) && shape) found.push(describe(pair, { path: [...path, key], key, known, shape }));
      visit(pair.value, [...path, key]);
    }
  }

  function describe(
    pair: Pair,
    { path, key, known, shape }: Pick<DocumentKey, 'path' | 'key' | 'known'> & { readonly shape: Shape },
  ): DocumentKey {
    const [from, to] = rangeOf(pair.key);
    const { line, col } = lines.linePos(from);
    return {
      path,
      key,
      known,
      location: `${line}:${col}`,
      isRequired: isRequired(shape, key),
      renamed: (other, value) => {
        const [start, end] = value === undefined ? [to, to] : rangeOf(pair.value ?? pair.key);
        const lineEnd = source.slice(start, end).endsWith('\n') ? '\n' : '';
        return withVariables(source.slice(0, from) + other + source.slice(to, start) + (value ?? '') + lineEnd + source.slice(end));
      },
      get removed() {
        const copy = document.clone();
        copy.deleteIn(path);
        return withVariables(String(copy));
      },
    };
  }

  visit(document.contents, []);
  return found;
}

// Between braces, YAML reads ${NAME} as a map.
function protectVariables(source: string): string {
  return source.replaceAll(/\$\{(\w+)\}/gu, '$<$1>');
}

function withVariables(source: string): string {
  return source.replaceAll(/\$<(\w+)>/gu, '${$1}');
}

function rangeOf(node: unknown): readonly [number, number] {
  const [from, to] = (node as Node).range ?? [0, 0]; // every parsed node has a range
  return [from, to];
}

function isRequired(shape: Shape, key: string): boolean {
  if (shape.kind === 'either') return shape.of.every((one) => isRequired(one, key));
  return shape.kind === 'record' && shape.fields.get(key)?.optional === false;
}

/** Names that differ from a key by one typing error: two letters swapped, one doubled, one missing. */
export function misspellings(key: string): readonly string[] {
  const wrong = key.split('').flatMap((letter, at) => {
    const [before, after, next] = [key.slice(0, at), key.slice(at + 1), key[at + 1]];
    return [
      ...(at > 0 && next !== undefined && next !== letter ? [before + next + letter + key.slice(at + 2)] : []),
      before + letter + letter + after,
      ...(at > 0 && key.length > 2 ? [before + after] : []),
    ];
  });
  return [...new Set(wrong)];
}

/** Whether one name becomes the other by one added, removed, replaced or swapped letter. */
export function editedOnce(one: string, other: string): boolean {
  const isReplaced = one.length === other.length && one.split('').filter((letter, at) => letter !== other[at]).length === 1;
  return isReplaced || misspellings(one).includes(other) || misspellings(other).includes(one);
}
