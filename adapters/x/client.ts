import type { z } from 'zod';
import { type Clock, untilAborted } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '#src/http/client.ts';
import { type Query, urlOf } from '#src/http/request-parts.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import { type Access, type Way, WAYS } from './auth/access.ts';
import type { Meter } from './spending.ts';
import { done } from './wire/envelope.ts';
import { type Fields, OF_THE_VIEWER } from './wire/fields.ts';

interface AskOptions {
  readonly endpoint: string;
  /** Without it, the request is made once and without field parameters. */
  readonly fields: Fields | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Makes a request with the field parameters that the endpoint accepts. */
type AskWithFields = <T>(options: AskOptions, ask: (query: Query) => Promise<T>) => Promise<T>;

/** X renames its parameters endpoint by endpoint: the list that an endpoint accepted is tried first the next time. */
function acceptedFields(): AskWithFields {
  /** By endpoint, the place in `Fields` of the parameters that it accepted. */
  const accepted = new Map<string, number>();
  /** First requests that are still running: later requests wait for them, so that at most one is refused. */
  const firstRequests = new Map<string, Promise<void>>();

  async function tryEach<T>(endpoint: string, fields: Fields, ask: (query: Query) => Promise<T>): Promise<T> {
    const preferred = accepted.get(endpoint) ?? 0;
    const places = [...fields.keys()].toSorted((one, other) => Number(other === preferred) - Number(one === preferred));
    let refusal: unknown;
    for (const place of places) {
      try {
        const answer = await ask(fields[place] ?? {});
        accepted.set(endpoint, place);
        return answer;
      } catch (error) {
        if (!(error instanceof PlatformError) || error.status !== 400 || error.cause !== 'fields') throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  }

  return async ({ endpoint, fields, signal }, ask) => {
    if (fields === undefined) return ask({});
    const first = firstRequests.get(endpoint);
    if (first) await untilAborted(first, signal);
    if (accepted.has(endpoint) || firstRequests.has(endpoint)) return tryEach(endpoint, fields, ask);
    const asking = tryEach(endpoint, fields, ask);
    const settled = asking.then(
      () => undefined,
      () => undefined,
    );
    firstRequests.set(endpoint, settled);
    try {
      return await asking;
    } finally {
      firstRequests.delete(endpoint);
    }
  };
}

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

interface XApiOptions {
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
        creates,
        // Each endpoint has a limit for the account and another for the app.
        budget: `${way === 'app' ? 'app' : 'user'} ${method} ${path}`,
      };
      const endpoint = `${method} ${path}`;
      const ask = async (): Promise<HttpResponse> => {
        const response = await client.request(sending);
        return method === 'GET' ? response : done(response, endpoint);
      };
      return meter({ endpoint, query, json: request.json }, ask);
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

/** Nobody is looking: how a user stands to whoever does cannot be asked. */
function withoutViewer(query: Query = {}): Query {
  const { 'user.fields': fields } = query;
  if (typeof fields !== 'string') return query;
  const left = fields.split(',').filter((name) => !OF_THE_VIEWER.has(name));
  return { ...query, 'user.fields': left.join(',') };
}
