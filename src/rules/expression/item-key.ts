import type { Catalogue } from '#src/clients/operation/declared.ts';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { boundedKey } from '#src/rules/bounded-key.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Shape } from '#src/rules/shape/shape.ts';
import { ExpressionError } from './expression-error.ts';
import { expressionsOf, type ExpressionSite } from './expressions.ts';
import { withoutPlaceholders } from './language/author-text.ts';
import { toJson } from './language/results.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';

/** PostgreSQL indexes rows of up to 2,704 bytes, in which the key takes up to three bytes for each character, beside other names. */
const LONGEST_KEY = 500;

/** The key of an item. It is undefined if the item has none: the key is empty, or its expression fails. */
export interface KeyReader {
  readonly key: (item: Item) => string | undefined;
  /** Why the expression fails; undefined: it has a value, which may be empty. */
  readonly keyFailure?: ((item: Item) => string | undefined) | undefined;
}

/**
 * Makes the key function of items: the expression, else the channel of a stream or the id of another record, of an edited post on X the
 * id of its first version. With several accounts, the key starts with the account. A long key becomes its hash.
 */
export function keyReader(
  source: string | undefined,
  { site, catalogue }: { readonly site: ExpressionSite; readonly catalogue: Catalogue },
): KeyReader {
  const { watch = '', byAccount } = site.names;
  const fields = keyFields(itemShape(catalogue.get(watch)));
  if (source === undefined && !byAccount) return { key: fieldReader(fields) };
  const fallback = fields.length === 1 ? fields.join() : `either(${fields.join(', ')})`;
  const key = source ?? `${fallback} == "" ? "" : item.account + "/" + ${fallback}`;
  const compile = expressionsOf(catalogue).compiler(key, site);
  const read = (item: Item): Json | ExpressionError | undefined => {
    try {
      return toJson(compile().run({ item }));
    } catch (error) {
      if (error instanceof ExpressionError) return error;
      throw error;
    }
  };
  return {
    key(item) {
      const value = read(item);
      return value instanceof ExpressionError ? undefined : keyText(value);
    },
    keyFailure(item) {
      const value = read(item);
      return value instanceof ExpressionError ? value.message : undefined;
    },
  };
}

// Few fields are keys, and thousands of rules share them.
const fieldReaders = new Map<string, (item: Item) => string | undefined>();

/** Reads the first of the fields that an item has, for example `item.owner.id`, without an evaluation. */
function fieldReader(fields: readonly string[]): (item: Item) => string | undefined {
  const paths = fields.map((field) => field.split('.').slice(1));
  const read = (item: Item): string | undefined => {
    for (const path of paths) {
      const value = valueAt(item, path);
      const key = keyText(typeof value === 'string' ? withoutPlaceholders(value) : value);
      if (key !== undefined) return key;
    }
    return undefined;
  };
  const name = fields.join();
  const known = fieldReaders.get(name) ?? read;
  fieldReaders.set(name, known);
  return known;
}

function valueAt(item: Item, path: readonly string[]): Json | undefined {
  let value: Json | undefined = item;
  for (const field of path) value = isJsonObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return value;
}

/**
 * The fields of the default key, of which the first one that a record has counts. A trend has a name and no id; figures have the id of their
 * post; the id of a delivery is that of its record; each edit of a post on X has a new id.
 */
function keyFields(shape: Shape): readonly string[] {
  if (isBroadcast(shape)) return ['item.owner.id'];
  const [field = 'id'] = shape.kind === 'record' ? ['delivery', 'id', 'name', 'postId'].filter((name) => shape.fields.has(name)) : [];
  return hasVersions(shape) ? ['item.firstVersionId', `item.${field}`] : [`item.${field}`];
}

/** Whether an edit of the record may have another id. */
export function hasVersions(shape: Shape): boolean {
  return shape.kind === 'record' && shape.fields.has('firstVersionId');
}

/** Whether the record is a live stream: only streams have an owner, viewers and a start. */
function isBroadcast(shape: Shape): boolean {
  return shape.kind === 'record' && ['owner', 'startedAt', 'viewerCount'].every((name) => shape.fields.has(name));
}

/** The stored form of the key of an item. */
export function storedKey(key: string): string {
  return boundedKey(key, LONGEST_KEY);
}

function keyText(key: Json | undefined): string | undefined {
  if (typeof key === 'number') return String(key);
  return typeof key === 'string' && key !== '' ? storedKey(key) : undefined;
}
