import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { shapeAt, type Shape } from '#src/rules/shape/shape.ts';
import { fieldAccess, isNode, walk, type Node } from './tree.ts';

/** The names whose maps are looked up by key. */
const ROOTS = ['vars', 'each', 'lists'];
/** Begins the variables of look-ups. No name in an expression has it. */
const MARK = '#';

/**
 * Replaces the maps of look-ups, for example `vars.lines[?item.owner.handle]`, by variables that have one type for all values. The
 * library's records have fixed fields only. Entries of a list are looked up by their id. Call it before the check.
 */
export function bindLookUps(tree: Node, lookUp: (root: string, path: readonly string[]) => string | undefined): void {
  walk(tree, (node) => {
    if ((node.op !== '[]' && node.op !== '[?]') || !Array.isArray(node.args)) return;
    const [of, key]: readonly unknown[] = node.args;
    if (!isNode(of) || !isNode(key)) return;
    const found = pathOf(of);
    if (!found) return;
    const [root = '', ...path] = found.path;
    const isList = root === 'lists';
    // A fixed key of a map is a field, and a number is an index of a list.
    if (key.op === 'value' && !(isList && typeof key.args === 'string')) return;
    if (!ROOTS.includes(root) || path.length === 0 || (isList && path.length !== 1)) return;
    const name = lookUp(root, path);
    if (name === undefined) return;
    of.op = 'id';
    of.args = name;
    of.setMeta('check', found.root.meta.check);
    of.setMeta('evaluate', found.root.meta.evaluate);
  });
}

/** The name and the fields of `a.b.c`. */
function pathOf(node: Node): { readonly path: readonly string[]; readonly root: Node } | undefined {
  const access = fieldAccess(node);
  if (access) {
    const of = pathOf(access.of);
    return of && { path: [...of.path, access.field], root: of.root };
  }
  return node.op === 'id' ? { path: [String(node.args)], root: node } : undefined;
}

/** The variable of a look-up. */
export function lookUpName(root: string, path: readonly string[]): string {
  return MARK + [root, ...path].join('.');
}

/** The names that an identifier stands for: of a look-up, those of its map. */
export function namesOfId(name: string): readonly string[] {
  return name.startsWith(MARK) ? name.slice(MARK.length).split('.') : [name];
}

/** The map of a bound look-up; undefined for other nodes. The key decides which value it is, not what the value is made of. */
export function lookedUp({ op, args }: Node): Node | undefined {
  if ((op !== '[]' && op !== '[?]') || !Array.isArray(args)) return undefined;
  const [of]: readonly unknown[] = args;
  return isNode(of) && of.op === 'id' && String(of.args).startsWith(MARK) ? of : undefined;
}

/** The shape of all values of a map, or of the entries of a list; undefined: there is nothing to look up. */
export function valueShape(root: string, shape: Shape, path: readonly string[]): Shape | undefined {
  const at = shapeAt(shape, path);
  // Other lists have no keys: a computed number is an index.
  if (at?.kind === 'list') return root === 'lists' ? at.of : undefined;
  if (at?.kind !== 'record') return undefined;
  const [first, ...others] = [...at.fields.values()].map((field) => field.shape);
  if (!first) return undefined;
  return others.reduce(common, first);
}

/** The shape of two values: a record has the fields of both. */
function common(a: Shape, b: Shape): Shape {
  if (a.kind === 'record' && b.kind === 'record') {
    const fields = new Map(a.fields);
    for (const [name, field] of b.fields) {
      const known = fields.get(name);
      fields.set(name, known ? { ...field, shape: common(known.shape, field.shape) } : field);
    }
    return { kind: 'record', fields };
  }
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', of: common(a.of, b.of) };
  if (a.kind === b.kind) return a;
  const kinds = new Set([a.kind, b.kind]);
  if (kinds.has('whole') && kinds.has('number')) return { kind: 'number' };
  return [...kinds].every((kind) => kind === 'text' || kind === 'whole' || kind === 'number') ? { kind: 'text' } : { kind: 'anything' };
}

/** The stored values of a map by key, or the entries of a list by id. Of entries with the same id, the first one counts. */
export function valuesByKey(stored: Json | undefined, path: readonly string[]): ReadonlyMap<string, Json> {
  let value = stored;
  for (const part of path) value = isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  if (isJsonList(value))
    return new Map(
      value
        .filter(isJsonObject)
        .toReversed()
        .flatMap((entry): [string, JsonObject][] => (typeof entry['id'] === 'string' ? [[entry['id'], entry]] : [])),
    );
  if (!isJsonObject(value)) return new Map();
  return new Map(Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, one]])));
}
