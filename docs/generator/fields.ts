import { z } from 'zod';
import { paging } from '#src/clients/operation/call.ts';
import { code, table } from './markdown.ts';
import { limitText, literalText, typeText, unwrapped, type SchemaNames } from './type-text.ts';

const SHARED: ReadonlySet<string> = new Set(Object.keys(paging));

/** A table of the parameters of an operation, without paging. */
export function parameterTable(params: z.ZodType): string {
  const fields = fieldsOf(params).filter(([name]) => !SHARED.has(name));
  if (fields.length === 0) return '';
  return tableOf(fields);
}

/** A table of the paging parameters. */
export function pagingTable(): string {
  return tableOf(Object.entries(paging));
}

function tableOf(fields: readonly (readonly [string, z.core.$ZodType])[]): string {
  return table(
    ['parameter', 'type', 'default', 'meaning'],
    fields.flatMap(([name, field]) => [fieldRow(name, field), ...innerRows(name, field)]),
  );
}

/** The rows of the fields of an object parameter. */
export function innerRows(name: string, field: z.core.$ZodType): readonly (readonly string[])[] {
  return fieldsOf(unwrapped(field)).map(([inner, schema]) => fieldRow(`${name}.${inner}`, schema));
}

function fieldRow(name: string, field: z.core.$ZodType): readonly string[] {
  return [code(name), typeOf(field), defaultOf(field), meaningOf(field)];
}

function typeOf(field: z.core.$ZodType): string {
  return [code(typeText(field)), limitText(field)].filter((part) => part !== '').join(', ');
}

/** A table of the fields of a record. */
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

/** The default of a field, or `required`. */
export function defaultOf(field: z.core.$ZodType): string {
  if (field instanceof z.ZodDefault) return code(literalText(field.def.defaultValue));
  return field instanceof z.ZodOptional ? 'none' : 'required';
}

/** The description of a schema or of its inner schema. */
export function meaningOf(field: z.core.$ZodType): string {
  const description = z.globalRegistry.get(field)?.description;
  if (description !== undefined) return description;
  const inner = unwrapped(field);
  return inner === field ? '' : meaningOf(inner);
}
