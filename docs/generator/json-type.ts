import type { JsonSchema } from '#src/rules/editor-schema.ts';

/** The type of a value in JSON, for example `string`, `Decision[]` or `"low" | "high"`. */
export function jsonType(schema: JsonSchema | boolean | undefined): string {
  if (typeof schema !== 'object') return 'JSON';
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//u, '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((choice) => JSON.stringify(choice)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(jsonType))].join(' | ');
  if (schema.type === 'array') return listOf(jsonType(Array.isArray(schema.items) ? undefined : schema.items));
  if (schema.type === 'string' && schema.format === 'date-time') return 'instant';
  if (schema.type === 'object') return 'object';
  return [schema.type ?? 'JSON'].flat().join(' | ');
}

function listOf(element: string): string {
  return element.includes(' ') ? `(${element})[]` : `${element}[]`;
}

/** A field of an object, or a field inside one. */
export interface SchemaField {
  /** As `owner.handle`, `embeds[].title` or `accounts.<name>.platform`. */
  readonly path: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** The fields of an object, with the fields of the objects in it. */
export function fieldsIn({ properties = {}, required = [] }: JsonSchema, above = ''): readonly SchemaField[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema !== 'object') return [];
    const path = `${above}${name}`;
    return [{ path, required: required.includes(name), schema }, ...innerFields(schema, path)];
  });
}

function innerFields(schema: JsonSchema, path: string): readonly SchemaField[] {
  if (schema.properties) return fieldsIn(schema, `${path}.`);
  const { items, additionalProperties } = schema;
  if (typeof items === 'object' && !Array.isArray(items) && items.properties) return fieldsIn(items, `${path}[].`);
  return typeof additionalProperties === 'object' && additionalProperties.properties
    ? fieldsIn(additionalProperties, `${path}.<name>.`)
    : [];
}
