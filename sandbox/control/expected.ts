import { z } from 'zod';

/** What a field expects, such as `a whole number from 1 to 1000`. */
export function expectedOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return expectedOf(schema.unwrap());
  if (schema instanceof z.ZodNullable) return `${expectedOf(schema.unwrap())}, or null`;
  if (schema instanceof z.ZodPipe) return expectedOf(schema.in);
  if (schema instanceof z.ZodISODateTime) return 'an instant such as 2026-11-20T18:00:00Z';
  if (schema instanceof z.ZodString) return `a text${boundsOf(schema.minLength ?? 0, schema.maxLength ?? undefined, ' of', 'characters')}`;
  if (schema instanceof z.ZodNumber) return numberText(schema);
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.join(', ')}`;
  if (schema instanceof z.ZodLiteral) return [...schema.values].map((value) => JSON.stringify(value)).join(' or ');
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.map(expectedOf))].join(', or ');
  if (schema instanceof z.ZodArray) return `a list${boundsOf(minItemsOf(schema), undefined, ' of', 'items')}`;
  return 'an object';
}

function numberText(schema: z.ZodNumber): string {
  const kind = schema.format === 'safeint' ? 'a whole number' : 'a number';
  const [least, most] = [schema.minValue ?? -Infinity, schema.maxValue ?? Infinity];
  return kind + boundsOf(least, most, '', '');
}

/** Bounds such as ` of at least 2 items` or ` from 1 to 1000`. */
function boundsOf(least: number, most = Infinity, before: string, unit: string): string {
  const hasLeast = least > (unit === '' ? Number.MIN_SAFE_INTEGER : 1);
  const hasMost = most < Number.MAX_SAFE_INTEGER;
  const after = unit === '' ? '' : ` ${unit}`;
  if (hasLeast && hasMost) return unit === '' ? ` from ${least} to ${most}` : `${before} ${least} to ${most}${after}`;
  if (hasLeast) return `${before || ' of'} at least ${least}${after}`;
  return hasMost ? `${before || ' of'} at most ${most}${after}` : '';
}

function minItemsOf(schema: z.ZodArray): number {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).minItems ?? 0;
}

/** The schema of the value at a path; undefined if the schema has no such value. */
export function schemaAt(schema: z.core.$ZodType | undefined, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return path.length === 0 ? schema : schemaAt(schema.unwrap(), path);
  }
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  if (schema instanceof z.ZodObject) return schemaAt(schema.shape[String(key)], rest);
  if (schema instanceof z.ZodArray) return schemaAt(schema.element, rest);
  return schema instanceof z.ZodRecord ? schemaAt(schema.valueType, rest) : undefined;
}
