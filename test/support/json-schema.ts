import type { JsonSchema } from '#src/rules/editor-schema.ts';

type Nested = JsonSchema | boolean;

/** The errors of a value, by path. Supports the keywords of JSON Schema that the schema of a rule uses. */
export function objectionsTo(value: unknown, root: JsonSchema): readonly string[] {
  return objections(value, root, '');

  function objections(one: unknown, schema: Nested, path: string): readonly string[] {
    if (typeof schema === 'boolean') return schema ? [] : [`${path}: nothing may stand here`];
    if (schema.$ref !== undefined) return objections(one, definition(schema.$ref), path);
    return [...ofType(one, schema, path), ...ofParts(one, schema, path), ...ofChoices(one, schema, path)];
  }

  function definition(ref: string): Nested {
    return root.$defs?.[ref.replace('#/$defs/', '')] ?? false;
  }

  function ofType(
    one: unknown,
    { type, format, enum: choices, const: only, pattern, minLength = 0, minimum = -Infinity }: JsonSchema,
    path: string,
  ): readonly string[] {
    const types = [type ?? []].flat();
    if (types.length > 0 && !types.some((name) => isOf(one, name))) return [`${path}: is no ${types.join(' or ')}`];
    if (choices && !choices.some((choice) => choice === one)) return [`${path}: is none of ${choices.join(', ')}`];
    if (only !== undefined && only !== one) return [`${path}: is not ${String(only)}`];
    if (typeof one === 'string' && ((pattern !== undefined && !new RegExp(pattern, 'u').test(one)) || one.length < minLength))
      return [`${path}: does not fit`];
    if (typeof one === 'string' && format === 'date-time' && Number.isNaN(Date.parse(one))) return [`${path}: is no instant`];
    return typeof one === 'number' && one < minimum ? [`${path}: is too small`] : [];
  }

  function ofParts(one: unknown, schema: JsonSchema, path: string): readonly string[] {
    if (Array.isArray(one)) {
      const { items = true, prefixItems = [], minItems = 0 } = schema;
      const few = one.length < minItems ? [`${path}: is too short`] : [];
      // An array of schemas is the keyword of older drafts.
      const rest = Array.isArray(items) ? true : items;
      return [...few, ...one.flatMap((element, index) => objections(element, prefixItems[index] ?? rest, `${path}[${index}]`))];
    }
    if (typeof one !== 'object' || one === null) return [];
    const {
      properties = {},
      required = [],
      additionalProperties = true,
      dependentRequired = {},
      minProperties = 0,
      maxProperties,
    } = schema;
    const keys = Object.keys(one);
    if (keys.length < minProperties || keys.length > (maxProperties ?? Infinity)) return [`${path}: has ${keys.length} keys`];
    const needed = [...required, ...keys.flatMap((key) => dependentRequired[key] ?? [])];
    return [
      ...needed.filter((key) => !keys.includes(key)).map((key) => `${path}.${key}: is missing`),
      ...Object.entries(one).flatMap(([key, inside]) => objections(inside, properties[key] ?? additionalProperties, `${path}.${key}`)),
    ];
  }

  function ofChoices(one: unknown, schema: JsonSchema, path: string): readonly string[] {
    const { allOf = [], anyOf, oneOf, not } = schema;
    const fits = (part: Nested): boolean => objections(one, part, path).length === 0;
    const branch = schema.if === undefined ? true : ((fits(schema.if) ? schema.then : schema.else) ?? true);
    return [
      ...allOf.flatMap((part) => objections(one, part, path)),
      ...(anyOf && !anyOf.some(fits) ? [`${path}: fits no choice`] : []),
      ...(oneOf && oneOf.filter(fits).length !== 1 ? [`${path}: fits none or several`] : []),
      ...(not !== undefined && fits(not) ? [`${path}: is what it must not be`] : []),
      ...objections(one, branch, path),
    ];
  }
}

function isOf(value: unknown, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
