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
    fields.map(([name, field]) => [code(name), typeOf(field), defaultOf(field), describe(field)]),
  );
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
      describe(field),
    ]),
  );
}

function fieldsOf(schema: z.core.$ZodType): readonly (readonly [string, z.core.$ZodType])[] {
  return schema instanceof z.ZodObject ? Object.entries<z.core.$ZodType>(schema.shape) : [];
}

function defaultOf(field: z.core.$ZodType): string {
  if (field instanceof z.ZodDefault) return code(JSON.stringify(field.def.defaultValue));
  return field instanceof z.ZodOptional ? 'none' : 'required';
}

/** What the schema, or the one that it wraps, says of itself. */
function describe(field: z.core.$ZodType): string {
  const own = z.globalRegistry.get(field)?.description;
  if (own !== undefined) return own;
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault ? describe(field.unwrap()) : '';
}
