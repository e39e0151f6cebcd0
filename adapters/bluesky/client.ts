import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import type { Clock } from '#src/clock.ts';
import { httpClient, type HttpClient, type HttpRequest, type HttpResponse } from '#src/http/client.ts';
import type { Connections } from '#src/http/connections.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { Log } from '#src/log.ts';
import type { CallOptions } from '#src/clients/operation/call.ts';
import { isFault } from '#src/http/errors.ts';
import { beforeWrite } from '#src/http/outcome.ts';
import type { Session, Sessions } from './auth/sessions.ts';
import { failure, lacksPrivilege, lacksService, PLATFORM, refusalOf } from './errors.ts';

const Writes = z.object({ writes: arrayOf(z.object({ $type: z.string() })) });

/** The header that has the server of the account forward a request to the chat service. */
const CHAT = { 'atproto-proxy': 'did:web:api.bsky.chat#bsky_chat' } as const;

type Sending = Omit<HttpRequest, 'path' | 'method' | 'signal' | 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** Calls to the server of the account, as the account. */
export interface Xrpc {
  session(signal: AbortSignal | undefined): Promise<Session>;
  query<T>(nsid: string, answer: z.ZodType<T>, query: Query, options: CallOptions & Pick<HttpRequest, 'idempotent'>): Promise<T>;
  /** Resolves if the call succeeded and the response is JSON. */
  procedure(nsid: string, sending: Sending, options: CallOptions): Promise<HttpResponse>;
}

/** Calls through the session of one account; a token that has run out is renewed, and the call made again. */
export function xrpc({ hosts, sessions }: { readonly hosts: Hosts; readonly sessions: Sessions }): Xrpc {
  /** The servers and their services that have answered a request. */
  const offered = new Set<string>();
  const currentSession = (signal: AbortSignal | undefined): Promise<Session> => beforeWrite(sessions.current(signal));

  async function send(nsid: string, request: Sending & Pick<HttpRequest, 'method' | 'signal'>): Promise<HttpResponse> {
    const headers = nsid.startsWith('chat.bsky.') ? CHAT : {};
    const service = serviceOf(nsid);

    async function sendAs(session: Session): Promise<HttpResponse> {
      const { pds, accessJwt } = session;
      const offer = `${pds} ${service?.name}`;
      try {
        const response = await hosts.at(pds).request({
          budget: budgetOf(nsid),
          points: pointsOf(nsid, request.json),
          ...request,
          path: `/xrpc/${nsid}`,
          headers: { ...request.headers, ...headers, authorization: `Bearer ${accessJwt}` },
        });
        if (service) offered.add(offer);
        return response;
      } catch (error) {
        throw explained(error, { nsid, session, service, isOffered: offered.has(offer) });
      }
    }

    const session = await currentSession(request.signal);
    return sendAs(session).catch(async (error: unknown) => {
      if (!isFault(error, 'unauthorized')) throw error;
      return sendAs(await beforeWrite(sessions.renewed(session, request.signal)));
    });
  }

  return {
    session: currentSession,
    async query(nsid, answer, query, { signal, idempotent }) {
      return (await send(nsid, { query, idempotent, signal })).json(answer);
    },
    async procedure(nsid, sending, { signal }) {
      const response = await send(nsid, { ...sending, method: 'POST', signal });
      // A web page as the response means that no XRPC server carried it out.
      if (response.text !== '') response.json(z.unknown());
      return response;
    },
  };
}

/** The rate limit of a call, which the headers of its responses describe. */
function budgetOf(nsid: string): string {
  if (nsid === 'com.atproto.repo.uploadBlob') return 'blobs';
  if (/^com\.atproto\.repo\.(create|put|delete|apply)/.test(nsid)) return 'writes';
  const [first, second] = nsid.split('.');
  return `${first}.${second}`;
}

const POINTS: readonly (readonly [ending: string, points: number])[] = [
  ['create', 3],
  ['createRecord', 3],
  ['putRecord', 2],
];

/** Writes are weighed: https://docs.bsky.app/docs/advanced-guides/rate-limits. */
function pointsOf(nsid: string, input: unknown): number {
  const writes = nsid === 'com.atproto.repo.applyWrites' ? Writes.parse(input).writes.map(({ $type }) => $type) : [nsid];
  return writes.reduce((sum, name) => sum + (POINTS.find(([ending]) => name.split(/[.#]/u).at(-1) === ending)?.[1] ?? 1), 0);
}

/** A service that a server forwards requests to. */
interface Service {
  readonly prefix: string;
  readonly name: string;
  readonly remedy: string;
}

const SERVICES: readonly Service[] = [
  { prefix: 'app.bsky.', name: 'an AppView', remedy: 'set BLUESKY_URL to a server with an AppView' },
  { prefix: 'chat.bsky.', name: 'a chat service', remedy: 'use a server with direct messages' },
];

function serviceOf(nsid: string): Service | undefined {
  return SERVICES.find(({ prefix }) => nsid.startsWith(prefix));
}

interface FailedCall {
  readonly nsid: string;
  readonly session: Session;
  readonly service: Service | undefined;
  /** Whether the service has answered before. */
  readonly isOffered: boolean;
}

/** The server of an account forwards other requests. It may have no service for them. */
function explained(error: unknown, { nsid, session: { pds }, service, isOffered }: FailedCall): unknown {
  if (lacksPrivilege(error)) {
    const message = `this app password does not allow ${nsid}: create a new app password that allows direct messages.`;
    return failure('forbidden', message, error);
  }
  if (!service || !lacksService(error)) return error;
  if (isOffered && error.status === 501) {
    const message = `${pds} does not offer ${nsid}: its software or its version lacks this method. Ask the operator of the server.`;
    return failure(error.fault, message, error);
  }
  // A gateway that fails may have handed on a message before.
  const fault = error.fault === 'unanswered' ? 'unanswered' : 'unavailable';
  if (isOffered) return failure(fault, `${nsid} needs ${service.name}, which ${pds} cannot reach now: try again later.`, error);
  return failure(fault, `${nsid} needs ${service.name}, but ${pds} has none (status ${error.status}): ${service.remedy}.`, error);
}

/** The servers that the adapter speaks to, each with its limits. */
export interface Hosts extends AsyncDisposable {
  at(url: string): HttpClient;
}

interface HostsOptions {
  readonly clock: Clock;
  readonly log?: Log | undefined;
  readonly rateBudgets?: RateBudgets | undefined;
  readonly dispatcher?: Connections | undefined;
  /** How long a server may take for an answer, where that is not the usual. */
  readonly timeoutMs?: number | undefined;
}

export function hosts(options: HostsOptions): Hosts {
  const known = new Map<string, HttpClient>();
  return {
    at(url) {
      const client =
        known.get(url) ?? httpClient({ ...options, platform: PLATFORM, baseUrl: url, refusesInJson: true, faultOf: refusalOf });
      known.set(url, client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(known.values().map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

/** The content of a successful response; undefined if it cannot be read. */
export function readAnswer<T>(response: HttpResponse, answer: z.ZodType<T>): T | undefined {
  try {
    return response.json(answer);
  } catch {
    return undefined;
  }
}
