import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { callArguments, calledName, isNode, typeOf, type Node } from './language/tree.ts';

/** A value that an expression writes out, for example `{'url': m.url}`. Texts in place of computed parts are templates. */
export interface WrittenValue {
  readonly value: Json;
  /** The offset in the expression. */
  readonly at: number;
  /** Whether the expression contains this very value, for example `"red"` or `5`. */
  readonly isLiteral: boolean;
  /** The offset of the key of this value, if it has one. */
  readonly keyAt?: number | undefined;
  /** The values of its keys or its elements. */
  readonly parts?: ReadonlyMap<string | number, WrittenValue>;
}

/** The value of a part that only a run of the rule knows. */
const COMPUTED = '${{ }}';

/** Calls that return one of their arguments, or elements of the first. */
const PASSING_ON: ReadonlySet<string> = new Set(['either', 'orValue']);
const OF_FIRST: ReadonlySet<string> = new Set(['filter', 'top']);

/**
 * The values that an expression writes out, one for each alternative of its conditions.
 *
 * Empty if the expression writes no map and no list.
 */
export function writtenValues(tree: Node): readonly WrittenValue[] {
  return alternatives(tree).filter(({ parts }) => parts !== undefined);
}

/** A value that is known before the rule runs, for example a constant of `vars`. */
export function constantValue(value: Json): WrittenValue {
  const parts = Array.isArray(value)
    ? value.map((one: Json, index) => [index, constantValue(one)] as const)
    : Object.entries(isJsonObject(value) ? value : {}).map(([key, one]) => [key, constantValue(one ?? null)] as const);
  return { value, at: 0, isLiteral: false, parts: new Map<string | number, WrittenValue>(parts) };
}

function alternatives(node: Node): readonly WrittenValue[] {
  const { op, args, start } = node;
  const parts: readonly unknown[] = Array.isArray(args) ? args : [];
  switch (op) {
    case 'value':
      return [literal(args, start)];
    case '?:':
      return parts.slice(1).filter(isNode).flatMap(alternatives);
    case 'list':
      return listsOf(parts.filter(isNode), start);
    case 'map':
      return mapsOf(parts, start);
    case '+':
      return typeOf(node).kind === 'list' ? parts.filter(isNode).flatMap(alternatives) : [computed(start)];
    default:
      return ofCall(node);
  }
}

function ofCall(node: Node): readonly WrittenValue[] {
  const name = calledName(node) ?? '';
  const passed = callArguments(node);
  if (PASSING_ON.has(name)) return passed.flatMap(alternatives);
  if (OF_FIRST.has(name)) return passed.slice(0, 1).flatMap(alternatives);
  return name === 'map' ? listsOf(passed.slice(-1), node.start) : [computed(node.start)];
}

function computed(at: number): WrittenValue {
  return { value: COMPUTED, at, isLiteral: false };
}

function literal(value: unknown, at: number): WrittenValue {
  if (typeof value === 'bigint') return { value: Number(value), at, isLiteral: true };
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? { value, at, isLiteral: true } : computed(at);
}

function listsOf(elements: readonly Node[], at: number): readonly WrittenValue[] {
  return combined(elements.map((element, index) => [index, alternatives(element)] as const)).map((parts) => ({
    value: [...parts.values()].map(({ value }) => value),
    at,
    isLiteral: false,
    parts,
  }));
}

function mapsOf(entries: readonly unknown[], at: number): readonly WrittenValue[] {
  const named = entries.flatMap((entry) => {
    const [key, value]: readonly unknown[] = Array.isArray(entry) ? entry : [];
    if (!isNode(key) || !isNode(value) || typeof key.args !== 'string' || key.op !== 'value') return [];
    return [[key.args, alternatives(value).map((one) => ({ ...one, keyAt: key.start }))] as const];
  });
  // The names of computed keys are unknown.
  if (named.length < entries.length) return [computed(at)];
  return combined(named).map((parts) => ({
    value: Object.fromEntries([...parts].map(([key, { value }]) => [key, value])),
    at,
    isLiteral: false,
    parts,
  }));
}

/** Combinations in which each alternative of each part occurs. */
function combined<K>(parts: readonly (readonly [K, readonly WrittenValue[]])[]): readonly ReadonlyMap<K, WrittenValue>[] {
  const count = Math.max(1, ...parts.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, index) => {
    const chosen = parts.flatMap(([key, values]) => {
      const value = values[Math.min(index, values.length - 1)];
      return value ? [[key, value] as const] : [];
    });
    return new Map(chosen);
  });
}
