import { z } from 'zod';
import type { Json, JsonObject } from '#src/operation/json.ts';
import type { FaultKind, FaultOrder } from '../faults.ts';
import { fromAtUri, isActor, isDid, isNsid, isRecordKey } from './at-uri.ts';
import { isCid } from './encoding.ts';
import { invalidRequest } from './refusal.ts';
import type { Session } from './sessions.ts';

/** The parameters of a query, each as often as it was given. */
type GivenParams = Readonly<Record<string, readonly string[]>>;

export const AtUri = z.string().refine((text) => fromAtUri(text) !== undefined, 'must be a valid at-uri');
export const Actor = z.string().refine(isActor, 'must be a valid did or a handle');
export const Did = z.string().refine(isDid, 'must be a valid did');
export const Nsid = z.string().refine(isNsid, 'must be a valid nsid');
export const Cid = z.string().refine(isCid, 'must be a cid string');
export const RecordKey = z.string().refine(isRecordKey, 'must be a valid Record Key');
export const StrongRef = z.looseObject({ uri: AtUri, cid: Cid });

const last = z
  .array(z.string())
  .min(1)
  .transform((values) => values.at(-1) ?? '');

/** A parameter that is given once. */
export function one<T extends z.ZodType<unknown, string>>(form: T): z.ZodPipe<typeof last, T> {
  return last.pipe(form);
}

/** A parameter that may be given several times. */
export function many<T extends z.ZodType<unknown, string>>(form: T, most = Infinity): z.ZodArray<T> {
  return z.array(form).max(most === Infinity ? Number.MAX_SAFE_INTEGER : most);
}

export const text = one(z.string());
export const flag = one(z.enum(['true', 'false']).transform((word) => word === 'true'));

/** A whole number with bounds. */
export function whole({ least = 1, most, usual }: { readonly least?: number; readonly most: number; readonly usual: number }) {
  return one(z.coerce.number<string>().int().min(least).max(most)).default(usual);
}

/** Which part of a list is asked for. */
export function paging({ usual = 50 }: { readonly usual?: number } = {}) {
  return { limit: whole({ most: 100, usual }), cursor: text.optional() };
}

/** A part of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next part starts; absent at the end. */
  readonly cursor: string | undefined;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * The part of a list that was asked for, as the failures in force leave it. It goes on after the last item, by id, so
 * that what is new in front moves nothing; where that item is gone, its number counts.
 */
export function cutPage<T>(
  list: readonly T[],
  { limit, cursor }: PageRequest,
  { idOf, fault }: { readonly idOf: (item: T) => string; readonly fault: SignedCall['fault'] },
): Page<T> {
  const begin = cursor === undefined ? 0 : placeAfter(list, cursor, idOf);
  const end = Math.min(begin + limit, list.length);
  const last = list[end - 1];
  const next = last !== undefined && end < list.length ? toCursor(end, idOf(last)) : undefined;
  if (fault('emptyList')) return { items: [], cursor: next };
  const start = begin > 0 && fault('repeatedItem') ? begin - 1 : begin;
  const short = fault('shortList') !== undefined;
  const items = list.slice(start, end).filter((_, index) => !short || index % 2 === 0);
  return { items, cursor: fault('endlessCursor') ? (cursor ?? next ?? toCursor(0, 'start')) : next };
}

function toCursor(place: number, id: string): string {
  return Buffer.from(`${place} ${id}`).toString('base64url');
}

function placeAfter<T>(list: readonly T[], cursor: string, idOf: (item: T) => string): number {
  const [, place, id] = /^(\d+) (.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (place === undefined) throw invalidRequest('Malformed cursor');
  const index = list.findIndex((item) => idOf(item) === id);
  return index < 0 ? Math.min(Number(place), list.length) : index + 1;
}

/** One request as every method finds it. */
export interface Call {
  readonly params: GivenParams;
  readonly content: Buffer<ArrayBuffer>;
  readonly contentType: string;
  /** What came as `Authorization: Bearer …`. */
  readonly token: string | undefined;
  readonly origin: string;
  readonly nowMs: number;
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
  /** Spends points of the caller's writes; refuses where there are none left. */
  readonly spendWrites: (points: number) => void;
}

/** A request with a session. */
export interface SignedCall extends Call {
  readonly session: Session;
}

interface Method<C extends Call> {
  readonly verb: 'GET' | 'POST';
  readonly run: (call: C) => Json | undefined;
}

/** A method of the API and its callers: anyone, a session, or a session with access to messages. */
export type Endpoint =
  | ({ readonly admission: 'anybody' } & Method<Call>)
  | ({ readonly admission: 'signedIn' | 'privileged' } & Method<SignedCall>);

/** Methods by their names, as `app.bsky.feed.getPosts`. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** A method without a session. */
export function open<P extends z.ZodType>(params: P, run: (params: z.output<P>, call: Call) => Json): Endpoint {
  return { admission: 'anybody', verb: 'GET', run: (call) => run(parsed(params, call.params, ''), call) };
}

/** A method that reads. */
export function query<P extends z.ZodType>(params: P, run: (params: z.output<P>, call: SignedCall) => Json): Endpoint {
  return { admission: 'signedIn', verb: 'GET', run: (call) => run(parsed(params, call.params, ''), call) };
}

/** A method that changes something. */
export function procedure<B extends z.ZodType>(
  body: B,
  run: (body: z.output<B>, call: SignedCall, input: JsonObject) => Json | undefined,
): Endpoint {
  return { admission: 'signedIn', verb: 'POST', run: (call) => run(parsed(body, bodyOf(call), 'Input/'), call, bodyOf(call)) };
}

/** The same method for sessions with access to messages. */
export function privileged(endpoint: Endpoint): Endpoint {
  if (endpoint.admission === 'anybody') throw new Error('a method for anybody cannot be for few');
  return { ...endpoint, admission: 'privileged' };
}

/** The JSON object that came; an empty one where nothing did. */
export function bodyOf({ content }: Call): JsonObject {
  if (content.length === 0) return {};
  const body = z.looseObject({}).safeParse(jsonOf(content));
  if (!body.success) throw invalidRequest('A request body is expected but none was provided');
  return body.data as JsonObject; // it was parsed from JSON
}

function jsonOf(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    throw invalidRequest('Unable to parse the request body as JSON');
  }
}

export function parsed<T extends z.ZodType>(form: T, input: unknown, where: string): z.output<T> {
  const result = form.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.filter((part) => typeof part !== 'number' || where !== '').join('/') ?? '';
  throw invalidRequest(`Error: ${where}${path} ${issue?.message ?? 'is invalid'}`);
}
