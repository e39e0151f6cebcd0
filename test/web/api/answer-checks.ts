import type { JsonSchema } from '#src/rules/editor-schema.ts';
import { describeApi, type DescribedOperation } from '#src/web/api/description.ts';
import { objectionsTo } from '../../support/json-schema.ts';

const description = describeApi({ hasSandbox: true });
const schemas = Object.fromEntries(Object.entries(description.components.schemas).map(([name, schema]) => [name, strict(schema)]));

/** An answer of the server. */
export interface Answered {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

/** The description of an endpoint. Fails if there is none. */
export function operationOf(method: 'get' | 'post' | 'patch', path: string): DescribedOperation {
  const operation = description.paths[path]?.[method];
  if (!operation) throw new Error(`/api/openapi.json does not have ${method} ${path}`);
  return operation;
}

/** How an answer differs from the description. Fields that the description does not have are differences, too. */
export function differencesFrom({ responses }: DescribedOperation, { status, type, body }: Answered): readonly string[] {
  const response = responses[status];
  if (!response) return [`the status ${status} is not described`];
  if (!response.content) return body === '' ? [] : [`the answer ${status} has a body`];
  const mediaType = type?.split(';')[0] ?? '';
  const schema = response.content[mediaType]?.schema;
  if (!schema) return [`the media type ${mediaType} is not described for ${status}`];
  return differencesFromSchema(/^application\/(problem\+)?json$/u.test(mediaType) ? JSON.parse(body) : body, schema);
}

/** How a value differs from a schema of the description. */
export function differencesFromSchema(value: unknown, schema: JsonSchema): readonly string[] {
  const root = JSON.parse(
    JSON.stringify({ ...strict(schema), $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/'),
  ) as JsonSchema; // still a schema
  return objectionsTo(value, root);
}

/** The schema that accepts only the described keys. */
function strict(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, part: unknown) => {
    const isObject = typeof part === 'object' && part !== null && 'properties' in part && !('additionalProperties' in part);
    return isObject && 'type' in part && part.type === 'object' ? { ...part, additionalProperties: false } : part;
  }) as JsonSchema; // still a schema
}
