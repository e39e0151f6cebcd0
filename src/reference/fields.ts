import { z } from 'zod';
import { paging } from '#src/operation/call.ts';
import { code, table } from './markdown.ts';
import { limitText, typeText, type SchemaNames } from './type-text.ts';

const SHARED: ReadonlySet<string> = new Set(Object.keys(paging));

/** The parameters of an operation as a table; those of paging are told once a page, not here. */
export function parameterTable(params: z.ZodType): string {
  const fields = fieldsOf(params).filter(([name]) => !SHARED.has(name));
  if (fields.length === 0) return '';
  return tableOf(fields);
}

/** The parameters of every list call. */
export function pagingTable(): string {
  return tableOf(Object.entries(paging));
}

function tableOf(fields: readonly (readonly [string, z.core.$ZodType])[]): string {
  return table(
    ['parameter', 'type', 'default', 'meaning'],
    fields.flatMap(([name, field]) => [fieldRow(name, field), ...innerRows(name, field)]),
  );
}

/** A line for each field of a parameter that is an object. */
export function innerRows(name: string, field: z.core.$ZodType): readonly (readonly string[])[] {
  return fieldsOf(unwrapped(field)).map(([inner, schema]) => fieldRow(`${name}.${inner}`, schema));
}

/** One line of a table of parameters. */
function fieldRow(name: string, field: z.core.$ZodType): readonly string[] {
  return [code(name), typeOf(field), defaultOf(field), meaningOf(field)];
}

/** A schema without what makes it optional. */
function unwrapped(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault ? unwrapped(field.unwrap()) : field;
}

function typeOf(field: z.core.$ZodType): string {
  return [code(typeText(field)), limitText(field)].filter((part) => part !== '').join(', ');
}

/** The fields of a record. */
export function fieldTable(record: z.ZodType, names: SchemaNames): string {
  return table(
    ['field', 'type', 'meaning'],
    fieldsOf(record).map(([name, field]) => [
      code(`${name}${field instanceof z.ZodOptional ? '?' : ''}`),
      code(typeText(field, names)),
      meaningOf(field),
    ]),
  );
}

/** The fields of an object, by name. */
export function fieldsOf(schema: z.core.$ZodType): readonly (readonly [string, z.core.$ZodType])[] {
  return schema instanceof z.ZodObject ? Object.entries<z.core.$ZodType>(schema.shape) : [];
}

/** What stands where nothing is given. */
export function defaultOf(field: z.core.$ZodType): string {
  if (field instanceof z.ZodDefault) return code(valueText(field.def.defaultValue));
  return field instanceof z.ZodOptional ? 'none' : 'required';
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

/** What the schema, or the one that it wraps, says of itself. */
export function meaningOf(field: z.core.$ZodType): string {
  const own = z.globalRegistry.get(field)?.description;
  if (own !== undefined) return own;
  const inner = unwrapped(field);
  return inner === field ? '' : meaningOf(inner);
}
