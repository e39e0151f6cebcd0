import { isJsonObject, type Json } from '#src/operation/json.ts';
import type { Path } from '../document/report.ts';

/** What stands at a path; undefined where nothing does. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let at = value;
  for (const part of path) {
    if (Array.isArray(at)) at = at[Number(part)];
    else if (isJsonObject(at) && Object.hasOwn(at, part)) at = at[part];
    else return undefined;
  }
  return at;
}

/** The value without what stands at the path; lists keep their places. */
export function withoutAt(value: Json | undefined, [part, ...rest]: Path): Json | undefined {
  if (part === undefined) return undefined;
  if (Array.isArray(value)) return value.map((one: Json, index) => (index === part ? (withoutAt(one, rest) ?? null) : one));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, one]) => [key, key === part ? withoutAt(one, rest) : one] as const);
  return Object.fromEntries(fields.filter(([, one]) => one !== undefined));
}
