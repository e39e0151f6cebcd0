import type { JsonSchema } from '#src/rules/editor-schema.ts';
import type { DescribedOperation, Description } from '#src/web/api/description.ts';
import { literalText } from './type-text.ts';

const HEAD = '// Generated from the OpenAPI document by npm run docs. Do not edit.\n';

type NamedSchema = readonly [name: string, schema: JsonSchema];

/** The generated files of the typed client by name: the records and the operations of the HTTP API. */
export function apiClientFiles({ paths, components }: Pick<Description, 'paths' | 'components'>): ReadonlyMap<string, string> {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => (answerOf(operation) ? [{ method, path, operation }] : [])),
  );
  const records = Object.entries(components.schemas).filter(([name]) => name !== 'Error' && name !== 'Change');
  const operations = routes.map(({ operation }) => operationType(operation));
  const used = records.map(([name]) => name).filter((name) => operations.some((text) => new RegExp(`\\b${name}\\b`, 'u').test(text)));
  return new Map([
    [
      'records.ts',
      `${HEAD}\n${records.map((one) => recordType(one, one[0] === 'Problem' || used.includes(one[0]), baseOf(one, records))).join('\n')}`,
    ],
    [
      'operations.ts',
      `${HEAD}import type { ${used.join(', ')} } from './records.ts';\n
/** The inputs and the answers of the operations. */
export interface Operations {\n${operations.join('\n')}\n}

/** The method and the path of each operation. */
export const ROUTES = {
${routes.map(({ method, path, operation }) => `  ${operation.operationId}: ['${method.toUpperCase()}', '${path}'],`).join('\n')}
} as const satisfies Readonly<Record<keyof Operations, readonly [method: string, path: string]>>;\n`,
    ],
  ]);
}

/** The schema of the JSON that an operation answers. */
function answerOf({ responses }: DescribedOperation): JsonSchema | undefined {
  const answer = responses['200']?.content?.['application/json']?.schema;
  return answer && (answer.$ref !== undefined || answer.properties) ? answer : undefined;
}

/** Records that are only parts of others are not exported. */
function recordType([name, schema]: NamedSchema, isExported: boolean, base: NamedSchema | undefined): string {
  const fields = fieldLines(schema, '  ').slice(base ? fieldLines(base[1], '').length : 0);
  const head = `${isExported ? 'export ' : ''}interface ${name}${base ? ` extends ${base[0]}` : ''}`;
  return `/** A record of the HTTP API. */\n${head} {\n${fields.join('\n')}\n}\n`;
}

/** The record that a record extends: its fields come first. */
function baseOf([name, schema]: NamedSchema, records: readonly NamedSchema[]): NamedSchema | undefined {
  const fields = fieldLines(schema, '').join('\n');
  return records.find(([other, base]) => other !== name && fields.startsWith(`${fieldLines(base, '').join('\n')}\n`));
}

function operationType(operation: DescribedOperation): string {
  const { operationId, parameters = [], requestBody } = operation;
  const body = requestBody?.content['application/json']?.schema ?? {};
  const inputs = [
    ...parameters.filter((parameter) => parameter.in !== 'header').map(({ name, required, schema }) => fieldText(name, required, schema)),
    ...fieldLines(body, ''),
  ];
  return `  readonly ${operationId}: { readonly input: { ${inputs.join(' ')} }; readonly answer: ${typeText(answerOf(operation) ?? {})} };`;
}

function fieldLines({ properties = {}, required = [] }: JsonSchema, indent: string): readonly string[] {
  return Object.entries(properties).map(([name, schema]) => `${indent}${fieldText(name, required.includes(name), schema)}`);
}

function fieldText(name: string, isRequired: boolean, schema: JsonSchema | boolean): string {
  return `readonly ${/^\w+$/u.test(name) ? name : `'${name}'`}${isRequired ? '' : '?'}: ${typeText(schema)}${isRequired ? '' : ' | undefined'};`;
}

/** The type of a value in JSON. Dates are texts. */
function typeText(schema: JsonSchema | boolean | undefined): string {
  if (typeof schema !== 'object') return 'unknown';
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//u, '');
  if (schema.const !== undefined) return literalText(schema.const);
  if (schema.enum) return schema.enum.map(literalText).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(' | ');
  if (schema.type === 'array') return `readonly (${typeText(Array.isArray(schema.items) ? undefined : schema.items)})[]`;
  if (schema.properties) return `{ ${fieldLines(schema, '').join(' ')} }`;
  if (schema.type === 'object') return `Readonly<Record<string, ${typeText(schema.additionalProperties)}>>`;
  const types = [schema.type ?? []].flat().map((type) => (type === 'integer' ? 'number' : type));
  return types.length === 0 ? 'unknown' : types.join(' | ');
}
