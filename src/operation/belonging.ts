import { z } from 'zod';

/**
 * A parameter that may be left out and names what a write belongs to, as the post that it answers.
 *
 * In a rule nothing is written where it is there and comes out empty: the answer would be a post of its own.
 */
export function belonging<S extends z.ZodType>(schema: S): S {
  return schema.meta({ belonging: true });
}

/** Whether what is written belongs to what the parameter names. */
export function isBelonging(schema: z.core.$ZodType): boolean {
  return z.globalRegistry.get(schema)?.['belonging'] === true;
}
