import type { Json, JsonObject } from '#src/operation/json.ts';

/** Whether the value is a map. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
