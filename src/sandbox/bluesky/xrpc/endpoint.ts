import { z } from 'zod';
import type { Json, JsonObject } from '#src/operation/json.ts';
import type { FaultKind, FaultOrder } from '../../faults.ts';
import type { Session } from '../accounts/sessions.ts';
import { invalidRequest } from './refusal.ts';
import type { GivenParams } from './params.ts';

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

/** A request of somebody who is signed in. */
export interface SignedCall extends Call {
  readonly session: Session;
}

interface Method<C extends Call> {
  readonly verb: 'GET' | 'POST';
  readonly run: (call: C) => Json | undefined;
}

/** One method of the API, and who may call it: anybody, whoever is signed in, or whoever may read messages, too. */
export type Endpoint =
  | ({ readonly admission: 'anybody' } & Method<Call>)
  | ({ readonly admission: 'signedIn' | 'privileged' } & Method<SignedCall>);

/** Methods by their names, as `app.bsky.feed.getPosts`. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** A method that anybody may call. */
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
  run: (body: z.output<B>, call: SignedCall, given: JsonObject) => Json | undefined,
): Endpoint {
  return { admission: 'signedIn', verb: 'POST', run: (call) => run(parsed(body, bodyOf(call), 'Input/'), call, bodyOf(call)) };
}

/** The same method for those only who may read messages, too. */
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

export function parsed<T extends z.ZodType>(form: T, given: unknown, where: string): z.output<T> {
  const result = form.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.filter((part) => typeof part !== 'number' || where !== '').join('/') ?? '';
  throw invalidRequest(`Error: ${where}${path} ${issue?.message ?? 'is invalid'}`);
}
