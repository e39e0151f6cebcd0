import type { RouteConfig } from '@hono/zod-openapi';
import type { RecordName } from './records.ts';
import type { SandboxRecordName } from './sandbox-records.ts';

/** An answer in the description. */
export type Response = RouteConfig['responses'][string];

/** The schema of a record, by its name in the description. */
export function refTo(record: RecordName | SandboxRecordName): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${record}` };
}

/** An answer with one record. */
export function record(of: RecordName | SandboxRecordName, description: string): Response {
  return { description, content: { 'application/json': { schema: refTo(of) } } };
}

interface ListOptions {
  /** Whether a page has a cursor. */
  readonly isPage?: boolean;
  /** Whether a page has a number. */
  readonly isNumbered?: boolean;
  /** The record of an optional field beside `items`. */
  readonly version?: RecordName;
}

/** An answer with a list. */
export function list(of: RecordName | SandboxRecordName, { isPage = false, isNumbered = false, version }: ListOptions = {}): Response {
  const items = { type: 'array' as const, items: refTo(of) };
  const cursor = { type: 'string' as const, description: 'The start of the next page; absent on the last page.' };
  const properties = { items, ...(isPage && { cursor }), ...(isNumbered && NUMBERS), ...(version && { version: refTo(version) }) };
  const schema = { type: 'object' as const, properties, required: ['items'] };
  return { description: isPage ? 'A page.' : 'The complete list.', content: { 'application/json': { schema } } };
}

function number(description: string) {
  return { type: 'integer' as const, minimum: 0, description };
}

/** The fields of a page with a number. */
const NUMBERS = {
  page: number('The number of the page, from 1; absent without a parameter.'),
  pages: number('The number of pages, at least 1; absent without a parameter.'),
  found: number('The number of items that the filters find; absent without a parameter.'),
  total: number('The number of all items; absent without a parameter.'),
};

/** An answer with a text, or without a body. */
export function text(description: string, type?: string): Response {
  return { description, ...(type !== undefined && { content: { [type]: { schema: { type: 'string' as const } } } }) };
}

/** An answer with a text, or with all records as an array. */
export function file(description: string, of: RecordName, type: string): Response {
  const items = { type: 'array' as const, items: refTo(of) };
  return { description, content: { [type]: { schema: { type: 'string' as const } }, 'application/json': { schema: items } } };
}

/** An answer with any object. */
export function object(description: string): Response {
  return { description, content: { 'application/json': { schema: { type: 'object' as const } } } };
}

/** An answer to a request that fails. */
export function problem(description: string): Response {
  return { description, content: { 'application/problem+json': { schema: refTo('Problem') } } };
}

/** The problems of every route of the API. */
export const PROBLEMS = {
  401: problem('The token or the session is missing or not valid.'),
  403: problem('The host name of the request is not allowed (add it to `FANFARE_ALLOWED_HOSTS`), or the actor has no right to this.'),
  500: problem('An error in Fanfare. The log has the reason.'),
} as const;

/** The problems of routes that read. */
export const READ_PROBLEMS = {
  ...PROBLEMS,
  400: problem('A query parameter is wrong.'),
  503: problem('The platform or the database cannot be read now, or Fanfare is shutting down.'),
} as const;

/** The problems of routes that write. */
export const WRITE_PROBLEMS = {
  ...PROBLEMS,
  400: problem('The body or a header is wrong; `errors` names the fields.'),
  403: problem('The host name is not allowed, another web site sent the request, or the actor has no right to this.'),
  404: problem('The target does not exist.'),
  409: problem('The action is refused, and `code` names the reason; or a request with the same key still runs.'),
  413: problem('The body is larger than any body of this API.'),
  415: problem('The content type is not `application/json`.'),
  422: problem('The `Idempotency-Key` was used for another request.'),
  503: problem('The platform or the database does not answer now, or Fanfare is shutting down.'),
} as const;

/** The answer to a read of a list that did not change. */
export const UNCHANGED = text('The list has the `ETag` that `If-None-Match` names.');

/** The end of the description of a list. */
export const ETAG = 'Send its `ETag` as `If-None-Match` to get an answer with a body only if the list changed.';
