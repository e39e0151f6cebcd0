import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { defaultOf, fieldsOf, meaningOf } from '../fields.ts';
import { code, codeBlock, table } from '../markdown.ts';
import { limitText, typeText, unwrapped } from '../type-text.ts';
import { answerText } from './answer-text.ts';
import type { AnsweredEndpoint, AnsweredRequest } from './run-examples.ts';

const ADDRESS = 'http://127.0.0.1:8081';
/** The column of the meaning has longer lists of choices. */
const MOST_CHOICES = 6;

/** The section of an endpoint. */
export function endpointSection(endpoint: AnsweredEndpoint): readonly string[] {
  const { method, path, summary, details, answer, query, examples, mistakes } = endpoint;
  return [
    `### ${method} /control${path}`,
    [summary, details].filter((part) => part !== undefined).join(' '),
    query ? fieldTable('parameter', query) : '',
    ...bodySections(endpoint),
    answer ?? '',
    ...examples.flatMap((example) => exampleParts(method, example)),
    mistakes.length === 0 ? '' : 'Mistakes are answered with status 400:',
    mistakes.length === 0 ? '' : mistakeTable(method, mistakes),
  ];
}

export function endpointName({ method, path }: AnsweredEndpoint): string {
  return `${method} /control${path}`;
}

function bodySections({ body, alternatives }: AnsweredEndpoint): readonly string[] {
  if (!body) return [];
  if (!alternatives) return [fieldTable('field', body) || 'The body is an empty object.'];
  const { field, forms } = alternatives;
  const names = Map.groupBy(forms, ([, form]) => form);
  return [
    field === undefined
      ? 'The body has one of these keys, which selects its form:'
      : `The field ${code(field)} selects the form of the body:`,
    table(
      [field === undefined ? 'key' : code(field), 'fields', 'effect'],
      [...names].map(([form, entries]) => [
        entries.map(([name]) => code(name)).join(', '),
        formFields(form, field)
          .map(([name, schema]) => code(`${name}${defaultOf(schema) === 'required' ? '' : '?'}`))
          .join(', ') || '–',
        meaningOf(form),
      ]),
    ),
    sharedTable(names, field),
  ];
}

function formFields(form: z.core.$ZodType, selector: string | undefined): readonly (readonly [string, z.core.$ZodType])[] {
  return fieldsOf(form).filter(([name]) => name !== selector);
}

/** The fields of all forms. The meaning is that of the first form with the field. */
function sharedTable(
  entries: ReadonlyMap<z.ZodObject, readonly (readonly [name: string, form: z.ZodObject])[]>,
  selector: string | undefined,
): string {
  const uses = [...entries].flatMap(([form, names]) =>
    formFields(form, selector).map(([field, schema]) => ({ field, schema, names: names.map(([name]) => code(name)) })),
  );
  const rows = [...Map.groupBy(uses, ({ field }) => field)].flatMap(([field, all]) => {
    const required = all.filter(({ schema }) => defaultOf(schema) === 'required');
    const [first] = all;
    if (!first) return [];
    const [name = '', type = '', standard = '', meaning = ''] = rowOf(field, first.schema);
    const isSame = required.length === 0 || required.length === all.length;
    return [[name, type, isSame ? standard : `required for ${required.flatMap(({ names }) => names).join(', ')}`, meaning]];
  });
  return table(['field', 'type', 'default', 'meaning'], rows);
}

function fieldTable(head: string, schema: z.core.$ZodType): string {
  return tableOf(head, fieldsOf(schema));
}

function tableOf(head: string, fields: readonly (readonly [string, z.core.$ZodType])[]): string {
  if (fields.length === 0) return '';
  const rows = fields.flatMap(([name, schema]) => [rowOf(name, schema), ...innerRows(name, schema)]);
  return table([head, 'type', 'default', 'meaning'], rows);
}

/** The rows of the objects in a list. */
function innerRows(name: string, schema: z.core.$ZodType): readonly (readonly string[])[] {
  const list = unwrapped(schema);
  if (!(list instanceof z.ZodArray)) return [];
  return fieldsOf(list.element).map(([inner, field]) => rowOf(`${name}[].${inner}`, field));
}

function rowOf(name: string, schema: z.core.$ZodType): readonly string[] {
  const choices = choicesOf(schema);
  const isLong = choices.length > MOST_CHOICES;
  const type = isLong ? (unwrapped(schema) instanceof z.ZodArray ? 'string[]' : 'string') : typeOf(schema);
  return [
    code(name),
    [code(type), limitText(schema)].filter((part) => part !== '').join(', '),
    isLong && defaultOf(schema).length > 40 ? 'all' : defaultOf(schema),
    meaningOf(schema) + (isLong ? ` One of ${choices.map(code).join(', ')}.` : ''),
  ];
}

/** The type in JSON. */
function typeOf(field: z.core.$ZodType): string {
  const schema = unwrapped(field);
  if (schema instanceof z.ZodNullable) return `${typeOf(schema.unwrap())} | null`;
  if (schema instanceof z.ZodRecord) return `{ [name]: ${typeOf(schema.valueType)} }`;
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject) return 'object[]';
  return typeText(schema);
}

function choicesOf(field: z.core.$ZodType): readonly string[] {
  const schema = unwrapped(field);
  if (schema instanceof z.ZodArray) return choicesOf(schema.element);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

function exampleParts(method: string, { title, path, body, answer, shows }: AnsweredRequest): readonly string[] {
  return [`${title.replace(/\.$/u, '')}:`, codeBlock('sh', curlOf(method, path, body)), codeBlock('jsonc', answerText(answer, shows))];
}

function curlOf(method: string, path: string, body: JsonObject | undefined): string {
  if (body !== undefined) return `curl -H 'content-type: application/json' \\\n  -d '${shellText(body)}' \\\n  ${ADDRESS}${path}`;
  const address = /[?&]/u.test(path) ? `'${ADDRESS}${path}'` : ADDRESS + path;
  return method === 'GET' ? `curl ${address}` : `curl -X ${method} ${address}`;
}

/** JSON in single quotes of a shell. */
function shellText(body: JsonObject): string {
  return JSON.stringify(body).replaceAll("'", "'\\''");
}

const MOST_CHARACTERS = 240;

function mistakeTable(method: string, mistakes: readonly AnsweredRequest[]): string {
  return table(
    [method === 'GET' || method === 'DELETE' ? 'request' : 'body', '`error`'],
    mistakes.map(({ path, body, answer }) => [code(body === undefined ? path : JSON.stringify(body)), errorOf(answer)]),
  );
}

function errorOf(answer: Json): string {
  const error = isJsonObject(answer) ? answer['error'] : undefined;
  const text = typeof error === 'string' ? error : '';
  return code(text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text);
}
