import type { JsonSchema } from '#src/rules/editor-schema.ts';
import { fieldsIn, jsonType } from './json-type.ts';
import { anchorOf, code, codeBlock, frontMatter, paragraphs, table } from './markdown.ts';

/** A parameter, or a field of the body. */
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** An endpoint in an OpenAPI description. */
interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >;
  readonly 'x-events'?: Readonly<Record<string, JsonSchema>>;
}

/** The parts of an OpenAPI description that the page shows. */
export interface HttpApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const INTRODUCTION = `This page lists the endpoints of the HTTP API, their parameters and their answers.

The API is served from the page's address, for example \`http://127.0.0.1:8080\`. The OpenAPI 3.1 description is at
\`/api/openapi.json\`; client generators and API browsers can load it.

On this machine, the API requires no authentication. From other machines, requests need a token:
\`Authorization: Bearer <token>\`, as [\`fanfare token create\`](cli.md#fanfare-token) prints it. Fanfare answers only requests to localhost, to the address in \`HOST\` and to the names in \`FANFARE_ALLOWED_HOSTS\`.
\`/healthz\` and \`/readyz\` answer under any name, so that supervisors need no setting.

- Timestamps are ISO 8601 in UTC, for example \`2026-11-20T18:00:00.000Z\`. Fields without a value are omitted.
- Lists with pages have a \`cursor\`. Send it as \`cursor\` to get the next page. The last page has none.
- An error under \`/api\` is a [problem](#problem) of RFC 9457. \`code\` is for programs, and \`detail\` for people. Codes stay the same in later versions.
- A write has a JSON body and the header \`Content-Type: application/json\`. The body of a request without values is \`{}\`. Writes of web pages with another origin are refused. Reads that such a page embeds, for example as a picture, are refused too.
- A write with an \`Idempotency-Key\` can be repeated, for example after a time-out: for 24 hours, a repeat gets the answer of the first request, and nothing is done again. The
  answers of successful requests and of refusals (404, 409) are kept. The same key with another request is a 422. While the first request runs in another process, a repeat is a 409
  with \`Retry-After\`; a key of a process that ended is free after 10 minutes.
- Two people who change a rule: read it, and send its \`ETag\` as \`If-Match\` with the write. If somebody changed or paused the rule since then, the answer is 412. Of two
  such writes at once, one succeeds, also in several processes.
- New versions can add endpoints and fields. Ignore fields that you do not know.`;

const EXAMPLE = `curl 'http://127.0.0.1:8080/api/decisions?rule=valorant-top&outcome=suppressed&limit=1'`;
const WRITE = `curl -X POST -H 'Content-Type: application/json' -H 'Idempotency-Key: pause-1' -d '{}' http://127.0.0.1:8080/api/rules/valorant-top/pause`;

/** The reference of the HTTP API. */
export function httpApiPage({ paths, components }: HttpApi): string {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  return paragraphs(
    frontMatter('HTTP API'),
    '# HTTP API',
    INTRODUCTION,
    codeBlock('sh', EXAMPLE),
    codeBlock('json', exampleOf(components.schemas['Decision'], 'items')),
    codeBlock('sh', WRITE),
    codeBlock('json', JSON.stringify(components.schemas['ChangedRules']?.examples?.[0], undefined, 2)),
    '## Endpoints',
    table(
      ['endpoint', 'answer'],
      endpoints.map(({ name, operation }) => [`[\`${name}\`](#${anchorOf(name)})`, operation.summary]),
    ),
    ...endpoints.flatMap(({ name, operation }) => endpointSection(name, operation)),
    '## Records',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => recordSection(name, schema)),
  ).concat('\n');
}

function endpointSection(
  name: string,
  { description, parameters: own = [], requestBody, responses, 'x-events': events }: Operation,
): readonly string[] {
  const parameters = [...own, ...fieldsOf(requestBody)];
  return [
    `### ${name}`,
    description,
    parameters.length === 0
      ? ''
      : table(
          ['parameter', 'type', 'default', 'meaning'],
          parameters.map(({ name: parameter, in: place, required, description: about, schema }) => [
            code(parameter) + (place === 'query' ? '' : ` (${place})`),
            code(jsonType(schema)) + rangeOf(schema),
            required ? 'required' : schema.default === undefined ? 'none' : code(JSON.stringify(schema.default)),
            about,
          ]),
        ),
    events === undefined
      ? ''
      : table(
          ['event', 'data'],
          Object.entries(events).map(([event, schema]) => [code(event), linkedType(schema)]),
        ),
    table(
      ['status', 'answer', 'when'],
      Object.entries(responses).map(([status, { description: about, content }]) => [status, contentOf(content), about]),
    ),
  ];
}

/** The fields of a body. */
function fieldsOf(body: Operation['requestBody']): readonly Parameter[] {
  const { properties = {}, required = [] } = body?.content['application/json']?.schema ?? {};
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema !== 'object') return [];
    return [{ name, in: 'body', required: required.includes(name), description: schema.description ?? '', schema }];
  });
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  return minimum === undefined || maximum === undefined ? '' : `, ${minimum} to ${maximum}`;
}

function contentOf(content: Operation['responses'][string]['content']): string {
  const [type, { schema }] = Object.entries(content ?? {})[0] ?? ['', { schema: {} }];
  if (!type.endsWith('json')) return code(type);
  const { items, cursor, version } = schema.properties ?? {};
  if (items === undefined) return linkedType(schema);
  const beside = [...(cursor === undefined ? [] : ['`cursor`']), ...(version === undefined ? [] : [`\`version\`: ${linkedType(version)}`])];
  return `an object with \`items\`: ${linkedType(items)}${beside.map((field) => `, and ${field}`).join('')}`;
}

/** The type with a link to the record in it. */
function linkedType(schema: JsonSchema | boolean): string {
  const type = jsonType(schema);
  const [, record] = /^([A-Z]\w+)(?:\[\])?$/u.exec(type) ?? [];
  return record === undefined || record === 'JSON' ? code(type) : `[\`${type}\`](#${anchorOf(record)})`;
}

function recordSection(name: string, schema: JsonSchema): readonly string[] {
  const fields = fieldsIn(schema);
  if (fields.length === 0) return [`### ${name}`, schema.description ?? 'An object without fields.'];
  const example = schema.examples?.[0];
  return [
    `### ${name}`,
    schema.description ?? '',
    table(
      ['field', 'type', 'meaning'],
      fields.map(({ path, required, schema: field }) => [
        code(`${path}${required ? '' : '?'}`),
        /[A-Z]/u.test(jsonType(field)) && field.enum === undefined ? linkedType(field) : code(jsonType(field)),
        field.description ?? '',
      ]),
    ),
    ...(example === undefined ? [] : [codeBlock('json', JSON.stringify(example, undefined, 2))]),
  ];
}

function exampleOf(schema: JsonSchema | undefined, list: string): string {
  return JSON.stringify({ [list]: [schema?.examples?.[0]] }, undefined, 2);
}
