import type { Problem } from './records.ts';
import { ROUTES, type Operations } from './operations.ts';

export interface ApiClientOptions {
  /** The address of Fanfare; empty on its own page. */
  readonly url?: string | undefined;
  /** The text of a token. */
  readonly token?: string | undefined;
  /** The token of the session, which writes of the page send. */
  readonly csrfToken?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The options of a request. */
export interface CallOptions {
  /** Makes a repeat of a write harmless for 24 hours. */
  readonly idempotencyKey?: string | undefined;
  /** The `ETag` of the rule that was read. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The HTTP API with its types. It rejects with an {@link ApiProblem} for every answer that is not a success. */
export interface ApiClient {
  call<Name extends keyof Operations>(
    operation: Name,
    input: Operations[Name]['input'],
    options?: CallOptions,
  ): Promise<Operations[Name]['answer']>;
}

/** A problem that the API answered. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Creates a client of the HTTP API. It runs in browsers and in Node. */
export function createApiClient({ url = '', token, csrfToken, fetch: send = globalThis.fetch }: ApiClientOptions = {}): ApiClient {
  const headersOfAll = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(csrfToken !== undefined && { 'X-CSRF-Token': csrfToken }),
  };
  return {
    async call<Name extends keyof Operations>(
      operation: Name,
      input: Operations[Name]['input'],
      { idempotencyKey, ifMatch, signal }: CallOptions = {},
    ) {
      const [method, template] = ROUTES[operation];
      const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
      const path = template.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
        const value = rest.get(name);
        rest.delete(name);
        return encodeURIComponent(textOf(value));
      });
      const isRead = method === 'GET';
      const headers = {
        ...headersOfAll,
        ...(!isRead && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      };
      const answer = await send(`${url}${path}${isRead ? queryOf(rest) : ''}`, {
        method,
        headers,
        ...(!isRead && { body: JSON.stringify(Object.fromEntries(rest)) }),
        ...(signal && { signal }),
      });
      const body: unknown = await answer.json();
      // The OpenAPI document describes both forms.
      if (!answer.ok) throw new ApiProblem(body as Problem);
      return body as Operations[Name]['answer']; // as above
    },
  };
}

function queryOf(values: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams([...values].map(([name, value]): [string, string] => [name, textOf(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
