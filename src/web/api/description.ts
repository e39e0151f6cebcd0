import { OpenAPIHono } from '@hono/zod-openapi';
import { z } from 'zod';
import project from '../../../package.json' with { type: 'json' };
import { ANSWER_CONVERSION } from '#src/admin/queries/answer-conversion.ts';
import type { JsonSchema } from '#src/rules/editor-schema.ts';
import { PLATFORM_EXAMPLES, RECORDS } from './records.ts';
import { ROUTES } from './routes.ts';
import { SANDBOX_RECORDS } from './sandbox-records.ts';
import { SANDBOX_ROUTES } from './sandbox-routes.ts';

/** A parameter of a route. */
interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** An answer of a route. */
interface DescribedResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

/** A route in the description. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly required: true; readonly content: NonNullable<DescribedResponse['content']> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
  /** The record of each server-sent event. */
  readonly 'x-events'?: Readonly<Record<string, JsonSchema>>;
}

/** An OpenAPI 3.1 description. */
export interface Description {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<'get' | 'post' | 'patch' | 'delete', DescribedOperation>>>>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>>; readonly securitySchemes: object };
}

const INFO = {
  title: 'Fanfare',
  version: project.version,
  description:
    'The HTTP API of Fanfare: what it decided, sent and reads, and the actions of people. Errors are problem details (RFC 9457). On the loopback, it requires no authentication.',
};

const SCHEMES = { token: { type: 'http', scheme: 'bearer', description: 'The text that `fanfare token create` prints.' } };
/** Without an entry: on the loopback, requests need no token. */
const SECURITY = [{}, { token: [] }];

/** Describes the HTTP API. The records come from the converter of zod, which knows all of its schemas. `hasSandbox`: with the operations of a sandbox. */
export function describeApi({ hasSandbox = false }: { readonly hasSandbox?: boolean } = {}): Description {
  const api = new OpenAPIHono();
  for (const route of [...ROUTES, ...(hasSandbox ? SANDBOX_ROUTES : [])]) api.openAPIRegistry.registerPath(route);
  const { openapi, info, paths } = api.getOpenAPI31Document({ openapi: '3.1.0', info: INFO });
  // The library describes the same form with wider types.
  return {
    openapi,
    info,
    security: SECURITY,
    paths,
    components: { schemas: recordSchemas({ ...RECORDS, ...(hasSandbox && SANDBOX_RECORDS) }), securitySchemes: SCHEMES },
  } as unknown as Description;
}

function recordSchemas(records: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of Object.entries(records)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { ...ANSWER_CONVERSION, uri: (id) => `#/components/schemas/${id}` });
  const examples = new Map(Object.entries(PLATFORM_EXAMPLES));
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const example = examples.get(id);
      return [id, { ...withoutIdentity(schema), ...(example !== undefined && { examples: [example] }) }];
    }),
  );
}

function withoutIdentity({ ...schema }: JsonSchema): JsonSchema {
  delete schema.$schema;
  delete schema.$id;
  return schema;
}
