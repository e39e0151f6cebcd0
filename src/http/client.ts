import { type Dispatcher, Pool } from 'undici';
import type { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { type Fault, PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import {
  contentError,
  type ErrorMeaning,
  faultOfStatus,
  networkError,
  NO_JSON,
  pageError,
  type RequestInfo,
  responseError,
} from './errors.ts';
import type { Connections } from './connections.ts';
import { withoutCredentials } from './credentials.ts';
import { exchange, NoResponse, type RawRequest, type RawResponse } from './exchange.ts';
import { Governor } from './governor.ts';
import { rateBudgetsInMemory } from './memory-rate-budgets.ts';
import { hasTooManyValues } from './parse-json.ts';
import { createParsedResponses } from './parsed-responses.ts';
import type { Charge, Notice, RateBudgets } from './rate-budgets.ts';
import { readRates } from './rate-headers.ts';
import { USER_AGENT } from './user-agent.ts';
import { bodyOf, type Content, mergeHeaders, type Query, urlOf } from './request-parts.ts';
import { sharedReads } from './shared-reads.ts';

/** A successful response. */
export interface HttpResponse extends RawResponse {
  /** The body, parsed with `schema`; throws a `malformed` PlatformError if it does not fit. */
  json<T>(schema: z.ZodType<T>): T;
}

function toResponse(info: RequestInfo, answer: RawResponse): HttpResponse {
  return {
    ...answer,
    json(schema) {
      const parsed = parseWith(schema, parseJson(info, answer));
      if (!parsed) throw contentError(info, answer.status, 'it is nested too deeply.');
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      throw contentError(info, answer.status, `${issue?.path.join('.') || 'the answer'}: ${issue?.code}.`);
    },
  };
}

/** Undefined if the value is nested more deeply than the stack allows. */
function parseWith<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> | undefined {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function parseJson(info: RequestInfo, { status, text }: RawResponse): unknown {
  if (hasTooManyValues(text)) throw contentError(info, status, 'it has too many values: check the address of the API.');
  try {
    return JSON.parse(text);
  } catch {
    // The error of the parser quotes the text.
    throw contentError(info, status, text === '' ? 'nothing.' : NO_JSON);
  }
}

const MOST_RETRIES = 2;
const FIRST_PAUSE_MS = 500;
/** If the platform asks for a longer wait, the request fails at once. */
const LONGEST_PAUSE_MS = 10_000;

const PASSING: ReadonlySet<Fault> = new Set(['unreachable', 'unanswered', 'unavailable', 'rateLimited']);

/** The pause before the next attempt, after `attempt` attempts; undefined: give up. */
function retryPauseMs(error: PlatformError, attempt: number, nowMs: number): number | undefined {
  if (!PASSING.has(error.fault) || attempt > MOST_RETRIES) return undefined;
  const backoffMs = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 + Math.random());
  if (!error.retryAt) return backoffMs;
  const requestedMs = error.retryAt.getTime() - nowMs;
  return requestedMs > LONGEST_PAUSE_MS ? undefined : Math.max(requestedMs, backoffMs);
}

const USUAL_HEADERS = { 'user-agent': USER_AGENT, accept: 'application/json' };
const CONNECTIONS = 16;
/**
 * Platforms close an idle connection after a minute or later, and a request that is sent at that moment has no response. A read is repeated
 * then, so its connections stay open between polls. The outcome of a write would be open, so its connections close after the usual four seconds.
 */
const OPEN_FOR_READS = { keepAliveTimeout: 30_000, keepAliveMaxTimeout: 30_000, keepAliveTimeoutThreshold: 1_000 };

export interface HttpClientOptions {
  /** The platform, as errors name it. */
  readonly platform: string;
  /** The address to which the path of a request is appended. */
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly log?: Log | undefined;
  /** The connections; absent: the client opens and closes its connections. */
  readonly dispatcher?: Connections | undefined;
  /** The longest wait for a connection, for the head of a response after the request was sent, and for each piece of its body. */
  readonly timeoutMs?: number | undefined;
  /** The longest wait for a budget; a request that would have to wait longer fails at once. */
  readonly patienceMs?: number | undefined;
  /** The rate limits that other clients also use; absent: this client counts only its requests. */
  readonly rateBudgets?: RateBudgets | undefined;
  /** Whether the platform refuses requests in JSON; a request can override it. */
  readonly refusesInJson?: boolean | undefined;
  /** The meaning of a failed response on this platform; undefined: the usual meaning of its status. */
  readonly faultOf?: ((answer: RawResponse) => Fault | ErrorMeaning | undefined) | undefined;
}

export interface HttpRequest extends Content {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  readonly path: string;
  readonly query?: Query | undefined;
  /** A function makes the headers for each attempt, for signatures that are valid once. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined;
  /** Whether the client may repeat the request; absent: only a GET. */
  readonly idempotent?: boolean | undefined;
  /** Whether a repeat makes another record, because the platform does not deduplicate it. If the platform fails, the outcome is open. */
  readonly creates?: boolean | undefined;
  /** The rate limits that the request counts against. The headers of the response describe the first one. */
  readonly budget?: string | readonly [described: string, ...others: string[]] | undefined;
  /** How much of each budget the request takes; absent: 1. */
  readonly points?: number | undefined;
  /** The documented rate of the first budget, if responses do not state it. */
  readonly pace?: Charge['pace'];
  /** Whether the platform refuses it in JSON or with an empty body; a proxy sent any other body. */
  readonly refusesInJson?: boolean | undefined;
  /** Whether the platform may refuse it with a web page; otherwise, a proxy sent the page. */
  readonly refusesInPages?: boolean | undefined;
  /** Whether a success is an XML document; otherwise, a proxy sent it. */
  readonly answersInXml?: boolean | undefined;
  /** Absent: the time limit of the client. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Requests to one platform. The client waits for rate limits and repeats reads; every failure is a `PlatformError`. */
export interface HttpClient extends AsyncDisposable {
  /** Resolves with a successful response. */
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** Creates a client of the HTTP API at `baseUrl`. */
export function httpClient(options: HttpClientOptions): HttpClient {
  const { platform, baseUrl, clock, log, timeoutMs = 10_000, patienceMs = 90_000, faultOf } = options;
  const { rateBudgets } = options;
  const budgets = rateBudgets?.forClient?.() ?? rateBudgets ?? rateBudgetsInMemory(clock);
  const given = options.dispatcher as Dispatcher | undefined; // `Connections` describes it without the types of undici
  const [reads, writes] = given ? [given, given] : [connections(baseUrl, timeoutMs, OPEN_FOR_READS), connections(baseUrl, timeoutMs)];
  const governor = new Governor({ platform, budgets, clock, patienceMs });
  const host = URL.parse(baseUrl)?.host;
  const usualHeaders = mergeHeaders(USUAL_HEADERS, options.headers);
  const share = sharedReads<HttpResponse>();
  const parsed = createParsedResponses();

  function toRaw({
    method = 'GET',
    path,
    query,
    headers,
    signal,
    timeoutMs: requestTimeoutMs = timeoutMs,
    ...content
  }: HttpRequest): RawRequest {
    const { body, headers: contentHeaders } = bodyOf(content);
    return {
      method,
      url: urlOf(baseUrl, path, query),
      headers: mergeHeaders(usualHeaders, contentHeaders, typeof headers === 'function' ? headers() : headers),
      body,
      timeoutMs: requestTimeoutMs,
      signal,
    };
  }

  async function attempt(info: RequestInfo, raw: RawRequest, charge: Charge): Promise<RawResponse> {
    const pass = await governor.enter(charge, raw.signal);
    let notice: Notice = {};
    try {
      const answer = await exchange(info.idempotent ? reads : writes, raw);
      const nowMs = clock.nowMs();
      const usual = faultOfStatus(answer.status);
      const failure = usual ? refusal(info, withoutCredentials(answer, raw), usual, nowMs) : pageError(info, answer);
      notice = { rates: readRates(answer.headers, nowMs), pauseUntil: failure?.retryAt };
      if (failure) throw failure;
      return answer;
    } catch (error) {
      throw error instanceof NoResponse ? networkError(info, error) : error;
    } finally {
      governor.leave(pass, notice);
    }
  }

  function refusal(info: RequestInfo, answer: RawResponse, usual: Fault, nowMs: number): PlatformError {
    return responseError(info, answer, faultOf?.(answer) ?? usual, nowMs);
  }

  async function send(request: HttpRequest): Promise<HttpResponse> {
    const { method = 'GET', path, signal, idempotent = method === 'GET', creates, budget = 'all', points = 1, pace } = request;
    const { refusesInJson = options.refusesInJson, refusesInPages, answersInXml } = request;
    const info: RequestInfo = { platform, method, path, host, idempotent, creates, refusesInJson, refusesInPages, answersInXml };
    // One account can use several servers, each with its limits.
    const charge: Charge = { budgets: [budget].flat().map((name) => `${baseUrl} ${name}`), points, pace };

    for (let count = 1; ; count++) {
      try {
        return toResponse(info, await attempt(info, toRaw(request), charge));
      } catch (error) {
        const pauseMs = idempotent && error instanceof PlatformError ? retryPauseMs(error, count, clock.nowMs()) : undefined;
        if (pauseMs === undefined) throw error;
        log?.debug({ platform, method, path, error, pauseMs: Math.round(pauseMs) }, 'a request is repeated');
        await clock.sleep(pauseMs, signal);
      }
    }
  }

  return {
    async request(request) {
      const { method = 'GET', path, query, headers, signal } = request;
      // A signature differs in each request.
      if (method !== 'GET' || typeof headers === 'function') return send(request);
      return share(
        () => JSON.stringify([path, query, headers]),
        (shared, key) => {
          // An `async` function would keep the responses of a long walk in memory for longer.
          const sent = send({ ...request, signal: shared });
          return key === undefined ? sent : sent.then((response) => parsed.attach(key, response));
        },
        signal,
      );
    },

    async [Symbol.asyncDispose]() {
      if (!given) await Promise.all([reads.close(), writes.close()]);
    },
  };
}

/** Connections to one server. An `Agent` makes a new pool whenever its last connection has closed. */
function connections(baseUrl: string, timeoutMs: number, open: Pool.Options = {}): Pool {
  return new Pool(new URL(baseUrl).origin, {
    connections: CONNECTIONS,
    connect: { timeout: timeoutMs },
    allowH2: false,
    ...open,
  });
}
