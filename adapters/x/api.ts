import type { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { HttpClient, HttpRequest } from '#src/http/client.ts';
import { urlOf, type Query } from '#src/http/request-parts.ts';
import type { HttpResponse } from '#src/http/response.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import { acceptedFields } from './accepted-fields.ts';
import { WAYS, type Access, type Way } from './access/access.ts';
import type { Meter } from './meter.ts';
import { done } from './wire/envelope.ts';
import { OF_THE_VIEWER, type Fields } from './wire/fields.ts';

/** What X fills, by operation. */
export type Primitives = Required<SocialPlatform['operations']>;
/** What became of earlier attempts, by operation. */
export type Recoveries = Required<NonNullable<SocialPlatform['recover']>>;

/** A request below the address of the API. */
export interface XRequest extends Pick<HttpRequest, 'method' | 'query' | 'json' | 'body' | 'signal'> {
  /** As X documents it, as `/2/users/:id/tweets`. */
  readonly path: `/2/${string}`;
  /** What stands for the names in the path. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The parameters that ask for fields, by vocabulary. */
  readonly fields?: Fields | undefined;
  /** Who may ask; without it, the signed-in account and the app alike. */
  readonly ways?: readonly Way[] | undefined;
  /** A write that makes something new each time it is made. */
  readonly creates?: boolean | undefined;
}

/** X's API, with everything that shows who asks. */
export interface XApi {
  /** A name of the sign-in of the account: another one once somebody signed in anew, as whomever. */
  signIn(): Promise<string>;
  send(request: XRequest): Promise<HttpResponse>;
  /** The answer as `schema` reads it, and when it came. */
  read<T>(schema: z.ZodType<T>, request: XRequest): Promise<{ readonly answer: T; readonly fetchedAt: Date }>;
}

export interface XApiOptions {
  readonly http: HttpClient;
  /** For what is large and takes its time. */
  readonly uploads: HttpClient;
  readonly access: Access;
  /** Refuses what the account cannot pay for. */
  readonly meter: Meter;
  readonly url: string;
  readonly clock: Clock;
}

export function xApi({ http, uploads, access, meter, url, clock }: XApiOptions): XApi {
  const askWithFields = acceptedFields();

  function send({ fields, ...request }: XRequest): Promise<HttpResponse> {
    const { method = 'GET', path, signal } = request;
    return askWithFields({ endpoint: `${method} ${path}`, fields, signal }, (query) =>
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
    return access.authorized(ways, request.signal, async (authorize, way) => {
      const query = way === 'app' ? withoutViewer(request.query) : request.query;
      const signed = { method, url: urlOf(url, filled, query) };
      const sending: HttpRequest = {
        ...request,
        method,
        path: filled,
        query,
        headers: () => ({ authorization: authorize(signed) }),
        idempotent: !creates,
        // Each endpoint has a limit for the account and another for the app.
        budget: `${way === 'app' ? 'app' : 'user'} ${method} ${path}`,
      };
      const endpoint = `${method} ${path}`;
      const ask = async (): Promise<HttpResponse> => {
        const response = await client.request(sending);
        return method === 'GET' ? response : done(response, endpoint);
      };
      return meter({ endpoint, query, json: request.json }, ask).catch((error: unknown) => {
        throw creates ? openEnd(error) : error;
      });
    });
  }

  return {
    signIn: () => access.signIn(WAYS.user),
    send,
    async read(schema, request) {
      const response = await send(request);
      return { answer: response.json(schema), fetchedAt: new Date(clock.nowMs()) };
    },
  };
}

/** X keeps no keys: whoever breaks down in the middle of a write may have made it. */
function openEnd(error: unknown): unknown {
  if (!(error instanceof PlatformError) || error.fault !== 'unavailable') return error;
  const { platform, status, retryAt } = error;
  const message = `x: X answered a request that creates with ${status}. It may have been done: Fanfare searches for it before it sends it again.`;
  return new PlatformError(message, { platform, fault: 'unanswered', status, retryAt, cause: error });
}

/** Nobody is looking: how a user stands to whoever does cannot be asked. */
function withoutViewer(query: Query = {}): Query {
  const { 'user.fields': fields } = query;
  if (typeof fields !== 'string') return query;
  const left = fields.split(',').filter((name) => !OF_THE_VIEWER.has(name));
  return { ...query, 'user.fields': left.join(',') };
}
