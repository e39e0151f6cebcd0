import { isMap, isScalar, isSeq, type Scalar } from 'yaml';
import type { Json } from '#src/clients/operation/json.ts';
import type { Shape } from '#src/rules/shape/shape.ts';
import type { Path } from './report.ts';
import { keyOf, type RuleDocument } from './rule-document.ts';
import { MOST_LEVELS } from './structure-limit.ts';

/** Aliases can make a small file very large. */
const MOST_NODES = 10_000;

/** The file with its aliases expanded is too large. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** The value at a path. Where the shape wants text, a number becomes text as written. */
export function plainValue(document: RuleDocument, path: Path, shape: Shape, mostNodes = MOST_NODES): Json | undefined {
  let nodes = 0;

  function plain(value: unknown, wanted: Shape, level: number): Json | undefined {
    if (++nodes > mostNodes || level > MOST_LEVELS) throw new TooLarge();
    const node = document.follow(value);
    if (isScalar(node)) return plainScalar(node, wanted);
    if (isSeq(node)) return node.items.map((item) => plain(item, elementShape(wanted), level + 1) ?? null);
    if (!isMap(node)) return undefined;
    const fields = new Map<string, Json | undefined>();
    for (const { key, value: item } of node.items) {
      const name = keyOf(key);
      if (name !== undefined && !fields.has(name)) fields.set(name, plain(item, fieldShape(wanted, name), level + 1));
    }
    return Object.fromEntries(fields);
  }

  return plain(document.nodeAt(path), shape, 0);
}

function plainScalar({ value, source }: Scalar, wanted: Shape): Json {
  if (typeof value === 'string') return detachedText(wantsText(wanted) ? value.replace(/\r?\n$/u, '') : value);
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'number' && typeof value !== 'bigint') return null;
  const number = Number(value);
  const isExact = typeof value === 'number' || Number.isSafeInteger(number);
  if (source !== undefined && (!isExact || (wantsText(wanted) && !wantsNumber(wanted)))) return source;
  return number;
}

/** Copies a text. A slice would keep the text of the whole file in memory. */
function detachedText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string; // JSON keeps strings
}

function alternatives(shape: Shape): readonly Shape[] {
  return shape.kind === 'either' ? shape.of.flatMap(alternatives) : [shape];
}

function wantsText(shape: Shape): boolean {
  return alternatives(shape).some(({ kind }) => kind === 'text');
}

function wantsNumber(shape: Shape): boolean {
  return alternatives(shape).some(({ kind }) => kind === 'whole' || kind === 'number');
}

function elementShape(shape: Shape): Shape {
  const list = alternatives(shape).find(({ kind }) => kind === 'list');
  return list?.kind === 'list' ? list.of : { kind: 'anything' };
}

function fieldShape(shape: Shape, key: string): Shape {
  const fields = alternatives(shape).flatMap((one) => (one.kind === 'record' ? (one.fields.get(key)?.shape ?? []) : []));
  return fields[0] ?? { kind: 'anything' };
}
