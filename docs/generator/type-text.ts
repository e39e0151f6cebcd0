import { z } from 'zod';

/** The names of exported schemas, for example `Post`. */
export type SchemaNames = ReadonlyMap<z.core.$ZodType, string>;

/** The type of a schema in TypeScript, for example `string`, `User[]` or `'Top' | 'Latest'`. */
export function typeText(schema: z.core.$ZodType, names: SchemaNames = new Map()): string {
  // A description makes a copy of a schema, whose parent has the name.
  const known = names.get(schema) ?? (schema._zod.parent && names.get(schema._zod.parent));
  if (known !== undefined) return known;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return typeText(schema.unwrap(), names);
  if (schema instanceof z.ZodPipe) return typeText(schema.in, names);
  if (schema instanceof z.ZodDate) return 'Date';
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => `'${option}'`).join(' | ');
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(literalText).join(' | ');
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.map((option) => typeText(option, names)))].join(' | ');
  if (schema instanceof z.ZodArray) return listText(typeText(schema.element, names));
  if (schema instanceof z.ZodTuple) return `[${schema.def.items.map((item) => typeText(item, names)).join(', ')}]`;
  if (schema instanceof z.ZodObject) return objectText(schema, names);
  return schema._zod.def.type;
}

/** A value as a TypeScript literal. */
export function literalText(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function listText(element: string): string {
  return /[ |]/.test(element) && !element.startsWith('{') ? `(${element})[]` : `${element}[]`;
}

function objectText(schema: z.ZodObject, names: SchemaNames): string {
  const fields = Object.entries<z.core.$ZodType>(schema.shape).map(
    ([name, field]) => `${name}${field instanceof z.ZodOptional || field instanceof z.ZodDefault ? '?' : ''}: ${typeText(field, names)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** The limits of a number, a text or a list. */
export function limitText(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return limitText(schema.unwrap());
  if (schema instanceof z.ZodUnion) return limitText(schema.options[0] ?? z.unknown());
  if (schema instanceof z.ZodString && schema.maxLength !== null) return `at most ${schema.maxLength} characters`;
  if (schema instanceof z.ZodArray) {
    const { minItems = 0, maxItems } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return boundsOf(minItems > 0 ? minItems : undefined, maxItems);
  }
  return schema instanceof z.ZodNumber ? boundsOf(schema.minValue ?? undefined, schema.maxValue ?? undefined) : '';
}

/** The bounds that are narrower than those of the type. */
function boundsOf(least = -Infinity, most = Infinity): string {
  const bounds = [
    ...(least > Number.MIN_SAFE_INTEGER ? [`at least ${least}`] : []),
    ...(most < Number.MAX_SAFE_INTEGER ? [`at most ${most}`] : []),
  ];
  return bounds.join(', ');
}

/** The inner schema of an optional one. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrapped(schema.unwrap()) : schema;
}
