import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';

/** A file that a record refers to. */
export interface BlobReference {
  readonly cid: string;
  readonly mimeType: string;
  readonly size: number;
}

/** The files that a record refers to, wherever in it. */
export function blobsIn(value: Json | undefined): readonly BlobReference[] {
  if (isJsonList(value)) return value.flatMap(blobsIn);
  if (!isJsonObject(value)) return [];
  const { $type, ref, mimeType, size } = value;
  const cid = textAt(isJsonObject(ref) ? ref : undefined, '$link');
  if ($type === 'blob' && cid !== undefined && typeof mimeType === 'string' && typeof size === 'number') return [{ cid, mimeType, size }];
  return Object.values(value).flatMap(blobsIn);
}

/** The text behind some keys, one in the other; undefined where there is none. */
export function textAt(value: Json | undefined, ...keys: readonly string[]): string | undefined {
  const found = valueAt(value, ...keys);
  return typeof found === 'string' ? found : undefined;
}

/** What stands behind some keys, one in the other. */
export function valueAt(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value);
}

/** The objects of a list behind some keys; none where there is no list. */
export function objectsAt(value: Json | undefined, ...keys: readonly string[]): readonly JsonObject[] {
  const found = valueAt(value, ...keys);
  return isJsonList(found) ? found.filter(isJsonObject) : [];
}
