import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { readBody, readQuery } from './read-order.ts';

/** A request to a platform of the sandbox, which an example needs before it. */
export interface PlatformRequest {
  readonly path: string;
  /** The header, such as `Bearer $token`. */
  readonly authorization: string;
  readonly body: JsonObject;
  /** Fields of the answer that later requests use, by their names there: `$post`. */
  readonly save?: Readonly<Record<string, string>> | undefined;
}

/** A request in the reference. A text such as `$message` is a saved field of an earlier answer. */
export interface ControlExample {
  /** The purpose of the request, in a few words. */
  readonly title: string;
  /** The path with its parameters and its query. Default: the path of the endpoint. */
  readonly path?: string | undefined;
  readonly body?: JsonObject | undefined;
  readonly before?: readonly PlatformRequest[] | undefined;
  /** Fields of the answer that later requests use, by their names there. */
  readonly save?: Readonly<Record<string, string>> | undefined;
  /** The fields of the answer that the reference shows. Default: all. */
  readonly shows?: readonly string[] | undefined;
  /** Fields of the answer that differ in every sandbox. */
  readonly varies?: readonly string[] | undefined;
}

/** An endpoint of the control API. Its route, its checks and its reference come from this declaration. */
export interface ControlEndpoint<Body = unknown, Query = unknown> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/control`, such as `/world`. */
  readonly path: string;
  readonly summary: string;
  readonly details?: string | undefined;
  readonly body?: z.ZodType<Body> | undefined;
  readonly query?: z.ZodType<Query> | undefined;
  /** The fields of the answer, if the example does not explain them. */
  readonly answer?: string | undefined;
  readonly examples: readonly ControlExample[];
  /** Invalid requests, whose answers the reference shows. */
  readonly mistakes?: readonly Pick<ControlExample, 'path' | 'body'>[] | undefined;
}

export function endpoint<Body = undefined, Query = object>(declared: ControlEndpoint<Body, Query>): ControlEndpoint<Body, Query> {
  return declared;
}

interface Order<Body, Query> {
  readonly body: Body;
  readonly query: Query;
  readonly c: Context;
}

const NOTHING = z.strictObject({});

/** Adds the route of an endpoint. The body and the query are checked before `answer` is called. */
export function serve<Body, Query>(
  routes: Hono,
  { method, path, body, query }: ControlEndpoint<Body, Query>,
  answer: (order: Order<Body, Query>) => object | Promise<object>,
): void {
  routes.on(method, path, async (c) => {
    // An endpoint without a body or a query has no type for it.
    const order = {
      query: readQuery<Query>(c, query ?? (NOTHING as z.ZodType<Query>)),
      body: body ? await readBody(c, body) : (undefined as Body),
      c,
    };
    return c.json(await answer(order));
  });
}
