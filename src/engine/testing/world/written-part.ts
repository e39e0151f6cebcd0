import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Shape } from '#src/rules/shape/shape.ts';

/** The fields that a write sets in its record: who can read it, which decides about later steps. */
export function writtenPart(shape: Shape, { visibility }: JsonObject): JsonObject | undefined {
  const isSet = typeof visibility === 'string' && shape.kind === 'record' && shape.fields.has('visibility');
  return isSet ? { visibility } : undefined;
}
