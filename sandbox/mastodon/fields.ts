import type { Json, JsonObject } from '#src/clients/operation/json.ts';

/** The parameters of a request from its query, form or JSON body, with the names of Rails. */
export interface Fields {
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  /** Undefined if the request does not contain the field. */
  flag(name: string): boolean | undefined;
  whole(name: string): number | undefined;
  /** The fields below a name, such as `poll[options][]`. */
  part(name: string): Fields | undefined;
  has(name: string): boolean;
  file(name: string): File | undefined;
}

type Value = Json | File | undefined;
interface Tree {
  [name: string]: Value | Tree | (Value | Tree)[];
}

const FALSE = new Set(['', '0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF']);

/** The fields of a request. Throws a `SyntaxError` if the body does not match its content type. */
export async function fieldsOf(request: Request): Promise<Fields> {
  const tree: Tree = {};
  for (const [name, value] of new URL(request.url).searchParams) put(tree, name, value);
  if (request.method !== 'GET' && request.method !== 'HEAD') await readBody(request, tree);
  return fieldsIn(tree);
}

/** The fields of a request without parameters. */
export const NO_FIELDS: Fields = fieldsIn({});

async function readBody(request: Request, tree: Tree): Promise<void> {
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) {
    const text = await request.text();
    if (text !== '') Object.assign(tree, JSON.parse(text) as JsonObject); // a value that is not an object adds no field
  } else if (type.startsWith('multipart/form-data')) {
    for (const [name, value] of await request.formData()) put(tree, name, value);
  } else if (type.startsWith('application/x-www-form-urlencoded')) {
    for (const [name, value] of new URLSearchParams(await request.text())) put(tree, name, value);
  }
}

/** Rails reads `a[b]` as field b of a, and `a[]` as one more item of a. */
function put(tree: Tree, name: string, value: Value): void {
  const [first = '', ...keys] = name.split('[').map((part) => part.replace(/\]$/, ''));
  let parent = tree;
  let key = first;
  for (const next of keys) {
    const below = parent[key];
    if (next === '') {
      parent[key] = Array.isArray(below) ? [...below, value] : [value];
      return;
    }
    const branch: Tree = isTree(below) ? below : {};
    parent[key] = branch;
    parent = branch;
    key = next;
  }
  parent[key] = value;
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
      return (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item) ?? []);
    },
    flag(name) {
      const value = text(name);
      return value === undefined ? undefined : !FALSE.has(value);
    },
    whole(name) {
      const number = Number.parseInt(text(name) ?? '', 10);
      return Number.isNaN(number) ? undefined : number;
    },
    part(name) {
      const value = tree[name];
      return isTree(value) ? fieldsIn(value) : undefined;
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
