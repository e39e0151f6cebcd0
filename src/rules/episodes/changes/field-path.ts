import { isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';

/** What a record says at a path, as `game.name`. */
export function valueAt(record: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = record;
  for (const field of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, field)) return undefined;
    value = value[field];
  }
  return value;
}

/** The record with another value at a path. */
export function withValue(record: JsonObject, path: string, value: Json | undefined): JsonObject {
  const [field = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...record, [field]: value };
  const inner = record[field];
  return { ...record, [field]: withValue(isJsonObject(inner) ? inner : {}, rest.join('.'), value) };
}
