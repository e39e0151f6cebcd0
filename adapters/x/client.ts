import type { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '#src/http/client.ts';
import { type Query, urlOf } from '#src/http/request-parts.ts';
import { sharedReads } from '#src/http/shared-reads.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import { acceptedFields } from './accepted-fields.ts';
import { type Access, type Way, WAYS } from './auth/access.ts';
import type { Meter } from './spending.ts';
import { done } from './wire/envelope.ts';
import { type Fields, OF_THE_VIEWER } from './wire/fields.ts';

/** The operations of X. */
export type Primitives = Required<SocialPlatform['operations']>;
/** Reconciliation of lost writes, by operation. */
export type Recoveries = Required<NonNullable<SocialPlatform['recover']>>;

/** A request below the address of the API. */
export interface XRequest extends Pick<HttpRequest, 'method' | 'query' | 'json' | 'body' | 'signal'> {
  /** The path in the notation of X, for example `/2/users/:id/tweets`. */
  readonly path: `/2/${string}`;
  /** The values for the names in the path. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The field parameters, by vocabulary. */
  readonly fields?: Fields | undefined;
  /** The accepted kinds of credentials; absent for all. */
  readonly ways?: readonly Way[] | undefined;
  /** Whether a repeat of the write makes another record. */
  readonly creates?: boolean | undefined;
}

/** The API of X with credentials. */
export interface XApi {
  /** Identifies the sign-in of the account. It changes with every new sign-in, which may be of another user. */
  signIn(): Promise<string>;
  send(request: XRequest): Promise<HttpResponse>;
  /** Whether X refused one of these fields or expansions at the endpoint, for example `GET /2/users/:id/tweets`. */
  lacks(endpoint: string, names: readonly string[]): boolean;
  /** Gives back the booked cost of a lost post with this text, which X does not have. */
  giveBack(text: string): Promise<void>;
  /** The parsed response and its time. */
  read<T>(schema: z.ZodType<T>, request: XRequest): Promise<{ readonly answer: T; readonly fetchedAt: Date }>;
}

interface XApiOptions {
  readonly http: HttpClient;
  /** The client with the longer time limit. */
  readonly uploads: HttpClient;
  readonly access: Access;
  /** Refuses requests over the budget. */
  readonly meter: Meter;
  readonly url: string;
  readonly clock: Clock;
}

export function xApi({ http, uploads, access, meter, url, clock }: XApiOptions): XApi {
  const accepted = acceptedFields();
  const share = sharedReads<HttpResponse>();

  function send({ fields, ...request }: XRequest): Promise<HttpResponse> {
    const { method = 'GET', path, signal } = request;
    return accepted.ask({ endpoint: `${method} ${path}`, fields, signal }, (query) =>
      sendOnce({ ...request, query: { ...request.query, ...query } }),
    );
  }

  async function sendOnce({
    method = 'GET',
    path,
    params = {},
    ways = WAYS.anybody,
    creates = false,
    ...request
  }: Omit<XRequest, 'fields'>): Promise<HttpResponse> {
    const filled = path.replace(/:([a-z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const client = path.startsWith('/2/media/upload') ? uploads : http;
    return access.authorized({ ways, path, signal: request.signal }, async (authorize, way) => {
      const query = way === 'app' ? withoutViewer(request.query) : request.query;
      const signed = { method, url: urlOf(url, filled, query) };
      const sending = (signal: AbortSignal | undefined): HttpRequest => ({
        ...request,
        signal,
        method,
        path: filled,
        query,
        headers: () => ({ authorization: authorize(signed) }),
        idempotent: !creates,
        creates,
        // Each endpoint has a limit for the account and another for the app.
        budget: `${way === 'app' ? 'app' : 'user'} ${method} ${path}`,
      });
      const endpoint = `${method} ${path}`;
      const ask = (signal: AbortSignal | undefined): Promise<HttpResponse> =>
        meter.ask({ endpoint, url: signed.url, query, json: request.json }, async () => {
          const response = await client.request(sending(signal));
          return method === 'GET' ? response : done(response, endpoint);
        });
      return method === 'GET' ? share(() => `${way} ${signed.url}`, ask, request.signal) : ask(request.signal);
    });
  }

  return {
    signIn: () => access.signIn(WAYS.user),
    send,
    lacks: (endpoint, names) => accepted.lacks(endpoint, names),
    giveBack: (text) => meter.giveBack(text),
    async read(schema, request) {
      const response = await send(request);
      return { answer: response.json(schema), fetchedAt: new Date(clock.nowMs()) };
    },
  };
}

/** Removes the fields about the relation to the signed-in account, which an app-only request does not have. */
function withoutViewer(query: Query = {}): Query {
  const { 'user.fields': fields } = query;
  if (typeof fields !== 'string') return query;
  const left = fields.split(',').filter((name) => !OF_THE_VIEWER.has(name));
  return { ...query, 'user.fields': left.join(',') };
}
