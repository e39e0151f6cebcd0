import { z } from 'zod';
import project from '../../../package.json' with { type: 'json' };
import type { JsonSchema } from '#src/rules/schema.ts';
import { RECORDS, type RecordName } from './answer-schemas.ts';
import { RECORD_EXAMPLES } from './record-examples.ts';
import { ENDPOINTS, EVENTS, type AnswerContent, type Endpoint, type EndpointAnswer } from './endpoints.ts';

/** A parameter of an endpoint. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** An answer of an endpoint. */
export interface OpenApiResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

/** An endpoint of the description. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: true; readonly content: NonNullable<OpenApiResponse['content']> };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  /** The record of each server-sent event. */
  readonly 'x-events'?: Readonly<Record<string, JsonSchema>>;
}

/** An OpenAPI 3.1 description. */
export interface OpenApi {
  readonly openapi: '3.1.1';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Endpoint['method'], OpenApiOperation>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const FORBIDDEN: EndpointAnswer = {
  about: 'The host name of the request is not allowed. Add it to `FANFARE_ALLOWED_HOSTS`.',
  content: { kind: 'text', type: 'text/plain' },
};
const FAILED: EndpointAnswer = { about: 'An error in Fanfare. The log has the reason.', content: { kind: 'record', of: 'Error' } };

/** Describes the HTTP API. */
export function openApi(): OpenApi {
  const paths: Record<string, Partial<Record<Endpoint['method'], OpenApiOperation>>> = {};
  for (const endpoint of ENDPOINTS) paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: toOperation(endpoint) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Fanfare',
      version: project.version,
      description:
        'The HTTP API of Fanfare. It only reads, and it requires no authentication: protect the address, or use a proxy with authentication.',
    },
    paths,
    components: { schemas: recordSchemas() },
  };
}

function recordSchemas(): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of Object.entries(RECORDS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { ...CONVERSION, uri: (id) => `#/components/schemas/${id}` });
  // The registry has the records only.
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, { ...withoutIdentity(schema), examples: [RECORD_EXAMPLES[id as RecordName]] }]),
  );
}

function withoutIdentity({ ...schema }: JsonSchema): JsonSchema {
  delete schema.$schema;
  delete schema.$id;
  return schema;
}

const CONVERSION = {
  io: 'input',
  unrepresentable: 'any',
  override({ zodSchema, jsonSchema }) {
    if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
    delete jsonSchema.readOnly;
    delete jsonSchema.propertyNames;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  },
} as const satisfies z.core.ToJSONSchemaParams;

function toOperation({
  method,
  path,
  id,
  summary,
  about,
  params,
  headers = {},
  isForAnyHost = false,
  answers,
}: Endpoint): OpenApiOperation {
  const parameters = [
    ...Object.entries(params.shape).map(([name, schema]) => toParameter(name, schema)),
    ...Object.entries(headers).map(([name, description]): OpenApiParameter => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
  ];
  const all: Endpoint['answers'] = {
    ...answers,
    ...(method === 'get' && !isForAnyHost ? { 403: FORBIDDEN } : {}),
    ...(path.startsWith('/api/') ? { 500: FAILED } : {}),
  };
  const isStream = Object.values(answers).some(({ content }) => content.kind === 'events');
  return {
    operationId: id,
    summary,
    description: about,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(method === 'post' ? { requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } } } : {}),
    responses: Object.fromEntries(Object.entries(all).map(([status, answer]) => [status, toResponse(answer)])),
    ...(isStream ? { 'x-events': Object.fromEntries(Object.entries(EVENTS).map(([name, of]) => [name, refTo(of)])) } : {}),
  };
}

function toParameter(name: string, schema: z.ZodType): OpenApiParameter {
  const { $schema: _, description = '', number, ...text } = z.toJSONSchema(schema, CONVERSION);
  return { name, in: 'query', required: false, description, schema: isSchema(number) ? number : text };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object';
}

function toResponse({ about, content }: EndpointAnswer): OpenApiResponse {
  const body = toContent(content);
  return { description: about, ...(body ? { content: body } : {}) };
}

function toContent(content: AnswerContent): OpenApiResponse['content'] {
  switch (content.kind) {
    case 'record':
      return { 'application/json': { schema: refTo(content.of) } };
    case 'list':
    case 'page': {
      const version = content.kind === 'list' && content.version ? { version: refTo(content.version) } : {};
      const items: JsonSchema = { type: 'array', items: refTo(content.of) };
      const cursor: JsonSchema = { type: 'string', description: 'The start of the next page; absent on the last page.' };
      const properties = content.kind === 'page' ? { items, cursor } : { items, ...version };
      return { 'application/json': { schema: { type: 'object', properties, required: ['items'] } } };
    }
    case 'object':
      return { 'application/json': { schema: { type: 'object' } } };
    case 'text':
    case 'events':
      return { [content.type]: { schema: { type: 'string' } } };
    case 'empty':
      return undefined;
  }
}

function refTo(record: string): JsonSchema {
  return { $ref: `#/components/schemas/${record}` };
}
