import { z } from 'zod';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { SocialRequest } from '../social/request.ts';
import type { Snapshot } from '../social/snapshot.ts';
import type { WorldPerson } from '../world/world.ts';
import { Actor, AtUri } from './addresses.ts';
import type { RateState } from './rate-limits.ts';
import { authRequired, invalidRequest, takenDown } from './refusal.ts';
import type { Session } from './sessions.ts';
import { type BlueskyState, isTakenDown, NAME } from './state.ts';

/** A request to one of the servers. */
export interface XrpcRequest {
  readonly state: BlueskyState;
  /** The values of each parameter. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  readonly content: Buffer<ArrayBuffer>;
  readonly contentType: string;
  /** The token in `Authorization: Bearer …`. */
  readonly token: string | undefined;
  readonly origin: string;
  readonly nowMs: number;
  readonly fault: SocialRequest['fault'];
  /** The limits that the request has used. Answers contain their headers. */
  readonly rates: RateState[];
}

/** A request of a signed-in account, with the data that the account sees. */
export interface SignedInRequest extends XrpcRequest {
  readonly session: Session;
  readonly viewer: WorldPerson;
  readonly snapshot: Snapshot;
  /** The address of the pictures. */
  readonly pictures: string;
}

/** A method of the API, such as `app.bsky.feed.getPosts`. */
export interface XrpcRoute {
  readonly method: string;
  readonly verb: 'GET' | 'POST';
  readonly answer: (request: XrpcRequest) => Json | undefined;
}

/** A method that anyone can call. */
export function open<S extends z.ZodRawShape>(
  method: string,
  parameters: S,
  answer: (input: z.output<z.ZodObject<S>>, request: XrpcRequest) => Json,
): XrpcRoute {
  return { method, verb: 'GET', answer: (request) => answer(read(z.object(parameters), request.parameters, ''), request) };
}

/** A method that reads for a signed-in account. */
export function query<S extends z.ZodRawShape>(
  method: string,
  parameters: S,
  answer: (input: z.output<z.ZodObject<S>>, request: SignedInRequest) => Json,
): XrpcRoute {
  return open(method, parameters, (input, request) => answer(input, requireSignedIn(request, method)));
}

/** A method that writes for a signed-in account. */
export function procedure<S extends z.ZodType>(
  method: string,
  body: S,
  answer: (input: z.output<S>, request: SignedInRequest) => Json | undefined,
): XrpcRoute {
  const run = (request: XrpcRequest) => answer(read(body, bodyOf(request), 'Input/'), requireSignedIn(request, method));
  return { method, verb: 'POST', answer: run };
}

/** The request with its account. Refuses an invalid token, and messages without the right to them. */
export function requireSignedIn(request: XrpcRequest, method: string): SignedInRequest {
  const { state, token, origin } = request;
  const session = state.sessions.find(token);
  if (isTakenDown(state, session.did)) throw takenDown();
  if (method.startsWith('chat.bsky.') && session.scope === 'com.atproto.appPass') {
    throw invalidRequest('Bad token method', 'InvalidToken');
  }
  const snapshot = state.core.snapshotFor(session.person);
  return { ...request, session, viewer: session.person, snapshot, pictures: `${origin}/${NAME}/img` };
}

/** The JSON object in the body. A missing body is an empty object. */
export function bodyOf({ content }: XrpcRequest): unknown {
  if (content.length === 0) return {};
  try {
    return JSON.parse(content.toString());
  } catch {
    throw invalidRequest('Unable to parse the request body as JSON');
  }
}

/** The input if it fits the schema. The refusal names the wrong field. */
export function read<T extends z.ZodType>(schema: T, input: unknown, where: string): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.filter((part) => typeof part !== 'number' || where !== '').join('/') ?? '';
  throw invalidRequest(`Error: ${where}${path} ${issue?.message ?? 'is invalid'}`);
}

const last = z
  .array(z.string())
  .min(1)
  .transform((values) => values.at(-1) ?? '');

/** A parameter with one value. */
export function one<T extends z.ZodType<unknown, string>>(schema: T): z.ZodPipe<typeof last, T> {
  return last.pipe(schema);
}

export const text = one(z.string());
export const actor = one(Actor);
export const atUri = one(AtUri);
export const flag = one(z.enum(['true', 'false']).transform((value) => value === 'true'));

/** A whole number from 1 to `most`. */
export function whole(most: number, usual: number) {
  return one(z.coerce.number<string>().int().min(0).max(most)).default(usual);
}

/** The parameters of lists. */
export const paging = { limit: whole(100, 50), cursor: text.optional() };
type Paging = z.output<z.ZodObject<typeof paging>>;

/**
 * The page of a list that a request asks for, changed by the faults in force. The next page starts after the last item,
 * found by its id, so that new items move nothing. If the item is gone, its index counts.
 */
export function pageAnswer<T extends { readonly id: string }>(
  name: string,
  items: readonly T[],
  { limit, cursor }: Paging,
  { fault }: XrpcRequest,
  toJson: (item: T) => Json,
): JsonObject {
  const begin = cursor === undefined ? 0 : indexAfter(items, cursor);
  const end = Math.min(begin + limit, items.length);
  const lastItem = items[end - 1];
  const next = lastItem !== undefined && end < items.length ? toCursor(end, lastItem.id) : undefined;
  if (fault('emptyList')) return { cursor: next, [name]: [] };
  const start = begin > 0 && fault('repeatedItem') ? begin - 1 : begin;
  const isShort = fault('shortList') !== undefined;
  const shown = items.slice(start, end).filter((_, index) => !isShort || index % 2 === 0);
  return { cursor: fault('endlessCursor') ? (cursor ?? next ?? toCursor(0, 'start')) : next, [name]: shown.map(toJson) };
}

function toCursor(index: number, id: string): string {
  return Buffer.from(`${index} ${id}`).toString('base64url');
}

function indexAfter(items: readonly { readonly id: string }[], cursor: string): number {
  const [, index, id] = /^(\d+) (.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (index === undefined) throw invalidRequest('Malformed cursor');
  const found = items.findIndex((item) => item.id === id);
  return found < 0 ? Math.min(Number(index), items.length) : found + 1;
}

/** The account with a DID or a handle. */
export function requireActor(name: string, { state }: SignedInRequest): WorldPerson {
  const person = state.directory.find(name);
  if (!person) throw invalidRequest('Profile not found');
  return person;
}

/** The address that the account of the token must own. */
export function requireOwner(repo: string, { state, session }: SignedInRequest): string {
  const owner = state.directory.find(repo);
  if (!owner) throw invalidRequest(`Could not find repo: ${repo}`);
  if (owner.id !== session.person.id) throw authRequired();
  return session.did;
}
