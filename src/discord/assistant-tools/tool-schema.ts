import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';

/** The JSON Schema of the input of a tool, for models. */
export function toolSchema(input: z.ZodType): JsonObject {
  const schema = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // These keys are extensions of Fanfare.
      delete jsonSchema['text'];
      delete jsonSchema['belonging'];
      delete jsonSchema['isUser'];
      delete jsonSchema['isAddress'];
      delete jsonSchema['file'];
    },
  });
  const { $schema: _, ...rest } = JSON.parse(JSON.stringify(schema)) as JsonObject; // the parsed value is JSON
  return rest;
}
