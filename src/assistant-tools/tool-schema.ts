import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';

/** The JSON Schema of what a tool is given, as models are told it. */
export function toolSchema(input: z.ZodType): JsonObject {
  const schema = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Ours, not the standard's.
      delete jsonSchema['text'];
      delete jsonSchema['belonging'];
      delete jsonSchema['file'];
    },
  });
  const { $schema: _, ...rest } = JSON.parse(JSON.stringify(schema)) as JsonObject; // JSON is what comes of it
  return rest;
}
