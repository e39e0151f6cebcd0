import type { z } from 'zod';

/** How zod makes JSON Schema of an answer: a date is a text. */
export const ANSWER_CONVERSION = {
  io: 'input',
  unrepresentable: 'any',
  override({ zodSchema, jsonSchema }) {
    if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
    delete jsonSchema.readOnly;
    delete jsonSchema.propertyNames;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  },
} as const satisfies z.core.ToJSONSchemaParams;
