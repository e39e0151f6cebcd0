import type { Json, JsonObject } from '#src/operation/json.ts';

/** What a request says, wherever it says it: in its query, in a form or in JSON, in the way of Rails. */
export interface Fields {
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  /** Undefined where nothing is said. */
  flag(name: string): boolean | undefined;
  whole(name: string): number | undefined;
  /** What is said below a name, as `poll[options][]`. */
  part(name: string): Fields | undefined;
  /** Likewise for each of a list, as `media_attributes[][id]`. */
  parts(name: string): readonly Fields[];
  has(name: string): boolean;
  file(name: string): File | undefined;
}

type Value = Json | File | undefined;
interface Tree {
  [name: string]: Value | Tree | (Value | Tree)[];
}

const FALSE = new Set(['', '0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF']);

/** The fields of a request whose body can be read. Throws a `SyntaxError` where the body is not what it calls itself. */
export async function fieldsOf(request: Request): Promise<Fields> {
  const tree: Tree = {};
  for (const [name, value] of new URL(request.url).searchParams) put(tree, name, value);
  if (request.method !== 'GET' && request.method !== 'HEAD') await readBody(request, tree);
  return fieldsIn(tree);
}

async function readBody(request: Request, tree: Tree): Promise<void> {
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) {
    const text = await request.text();
    if (text !== '') Object.assign(tree, JSON.parse(text) as JsonObject); // what is no object adds nothing that is read
  } else if (type.startsWith('multipart/form-data')) {
    const form = await request.formData().catch((cause: unknown) => {
      throw new SyntaxError('the form cannot be read', { cause });
    });
    for (const [name, value] of form) put(tree, name, value);
  } else if (type.startsWith('application/x-www-form-urlencoded')) {
    for (const [name, value] of new URLSearchParams(await request.text())) put(tree, name, value);
  }
}

/** As Rails reads names: `a[b]` is b of a, `a[]` one more of a list. */
function put(tree: Tree, name: string, value: Value): void {
  const [first = '', ...keys] = name.split('[').map((part) => part.replace(/\]$/, ''));
  let at = tree;
  let key = first;
  for (const [place, next] of keys.entries()) {
    if (next === '') {
      at[key] = joined(at[key], keys.slice(place + 1).join('['), value);
      return;
    }
    const below = at[key];
    const branch: Tree = isTree(below) ? below : {};
    at[key] = branch;
    at = branch;
    key = next;
  }
  at[key] = value;
}

/** A list with one more: what has a name of its own belongs to the last item until that has the name already. */
function joined(standing: Tree[string] | undefined, name: string, value: Value): (Value | Tree)[] {
  const list = Array.isArray(standing) ? standing : [];
  if (name === '') return [...list, value];
  const last = list.at(-1);
  const open = isTree(last) && !(name in last) ? last : {};
  put(open, name, value);
  return open === last ? list : [...list, open];
}

function isTree(value: Tree[string] | undefined): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof File);
}

function fieldsIn(tree: Tree): Fields {
  const text = (name: string): string | undefined => textOf(tree[name]);
  return {
    text,
    texts(name) {
      const value = tree[name];
      const list = Array.isArray(value) ? value : [value];
      return list.flatMap((one) => textOf(one) ?? []);
    },
    flag(name) {
      const said = text(name);
      return said === undefined ? undefined : !FALSE.has(said);
    },
    whole(name) {
      const number = Number.parseInt(text(name) ?? '', 10);
      return Number.isNaN(number) ? undefined : number;
    },
    part(name) {
      const value = tree[name];
      return isTree(value) ? fieldsIn(value) : undefined;
    },
    parts(name) {
      const value = tree[name];
      return Array.isArray(value) ? value.flatMap((one) => (isTree(one) ? [fieldsIn(one)] : [])) : [];
    },
    has: (name) => tree[name] !== undefined && tree[name] !== null,
    file(name) {
      const value = tree[name];
      return value instanceof File ? value : undefined;
    },
  };
}

function textOf(value: Tree[string] | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
