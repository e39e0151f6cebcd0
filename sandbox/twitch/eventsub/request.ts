import { z } from 'zod';
import type { Token } from '../access.ts';
import type { FaultKind, FaultOrder } from '../../faults.ts';

/**
 * An error answer of an endpoint. EventSub imports no module that the start of the sandbox and other platforms load: the build would
 * make one more file for it, which each start loads.
 */
export class EventSubRefusal extends Error {
  override readonly name = 'EventSubRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A request to an endpoint of EventSub. */
export interface EventSubRequest {
  readonly token: Token;
  readonly query: URLSearchParams;
  /** The JSON of the body; absent without one. */
  readonly body: unknown;
  /** Consumes a fault that applies to the request. */
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
}

/** The answer of an endpoint. */
export interface EventSubAnswer {
  readonly status: 200 | 202 | 204;
  readonly body?: object | undefined;
}

/** Reads the body. Throws a 400 that names the first wrong field. */
export function readForm<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [field] = parsed.error.issues.map(({ path }) => path.join('.'));
  throw new EventSubRefusal(400, field ? `Missing or invalid field "${field}"` : 'The request body is not valid JSON');
}

export function requiredParameter(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (!value) throw new EventSubRefusal(400, `Missing required parameter "${name}"`);
  return value;
}

/** Conduits belong to an app. */
export function requireAppToken({ userId }: Token): void {
  if (userId !== undefined) throw new EventSubRefusal(401, 'Authorization header required with an app access token');
}

const PAGE_SIZE = 100;
/** The number of items before the page. */
const Cursor = z
  .base64url()
  .transform((text) => Number(Buffer.from(text, 'base64url').toString()))
  .pipe(z.int().min(0));

interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly cursor?: string };
}

/** A page of a list, with the effects of faults. */
export function pageOf<T>(list: readonly T[], { query, fault }: EventSubRequest): Page<T> {
  const cursor = query.get('after') ?? '';
  const start = cursor === '' ? 0 : Cursor.safeParse(cursor).data;
  if (start === undefined) throw new EventSubRefusal(400, 'The parameter "after" was malformed: the value is not a valid cursor');
  const end = start + PAGE_SIZE;
  if (fault('emptyList')) return { data: [], pagination: {} };
  const data = list.slice(start, end);
  if (fault('endlessCursor')) return { data, pagination: { cursor: toCursor(start) } };
  return { data, pagination: end < list.length ? { cursor: toCursor(end) } : {} };
}

function toCursor(before: number): string {
  return Buffer.from(String(before)).toString('base64url');
}
