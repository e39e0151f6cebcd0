import { z } from 'zod';

/** The same record as it comes in JSON, where instants are text: what is read are `Date`s again. */
export function overJson<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return rewritten(schema) as z.ZodType<T>; // what comes out is the same, only instants go in as text
}

function rewritten(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodDate) return z.iso.datetime().transform((text) => new Date(text));
  if (schema instanceof z.ZodOptional) return z.optional(rewritten(schema.unwrap()));
  if (schema instanceof z.ZodArray) return z.array(rewritten(schema.element));
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(rewritten));
  if (!(schema instanceof z.ZodObject)) return schema;
  const shape: z.core.$ZodShape = schema.shape;
  return z.object(Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, rewritten(field)])));
}
