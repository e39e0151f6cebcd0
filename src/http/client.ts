import { Agent, type Dispatcher } from 'undici';
import type { Clock } from '#src/clock.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { withoutSecrets } from '#src/redact.ts';
import { errorOfAnswer, errorOfPage, errorOfSilence, faultOfStatus, type Asked, type Refusal } from './classify.ts';
import { exchange, NoAnswer, type Answer, type Sending } from './exchange.ts';
import { Governor, type Charge, type Notice } from './governor.ts';
import { readRates } from './rate-headers.ts';
import { bodyOf, mergeHeaders, urlOf, type Content, type Query } from './request-parts.ts';
import { toResponse, type HttpResponse } from './response.ts';
import { retryPauseMs } from './retry.ts';

// Some servers refuse a request without a User-Agent.
const USUAL_HEADERS = { 'user-agent': 'Fanfare (self-hosted announcements)', accept: 'application/json' };
const CONNECTIONS = 16;
/** Shorter parts of an `Authorization` header are its scheme and names of parameters. */
const SHORTEST_CREDENTIAL = 8;

export interface HttpClientOptions {
  /** The platform, as errors name it. */
  readonly platform: string;
  /** What the path of a request is appended to. */
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly log?: Log | undefined;
  /** Where connections come from; without one the client has its own. */
  readonly dispatcher?: Dispatcher | undefined;
  /** How long to wait for a connection, for the head of an answer, and for each piece of its body. */
  readonly timeoutMs?: number | undefined;
  /** How long a request may be held back for its budget; one that would have to wait longer fails at once. */
  readonly patienceMs?: number | undefined;
  /** Whether a request is refused in JSON where it does not say itself. */
  readonly refusesInJson?: boolean | undefined;
  /** Knows better than the status alone what an answer means that is no success. */
  readonly faultOf?: ((answer: Answer) => Fault | Refusal | undefined) | undefined;
}

export interface HttpRequest extends Content {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  readonly path: string;
  readonly query?: Query | undefined;
  /** A function makes them anew for each attempt, as a signature that counts once. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined;
  /** Whether a repeat does no harm, and may be made; a GET's does none. */
  readonly idempotent?: boolean | undefined;
  /** What the request counts against, where a platform has more than one limit: one, or the one that answers tell of and those around it. */
  readonly budget?: string | readonly [told: string, ...around: string[]] | undefined;
  /** How much of its budgets it takes; 1 where a platform does not weigh requests. */
  readonly points?: number | undefined;
  /** Whether the platform refuses it in JSON or without a word: a 403 or 404 that says something else comes from in front of it. */
  readonly refusesInJson?: boolean | undefined;
  /** Where it takes longer than others; otherwise the client's. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Requests to one platform: held back by its limits, reads repeated, every failure a `PlatformError`. */
export interface HttpClient extends AsyncDisposable {
  /** The answer, if it is a success. */
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** A client of the HTTP API at `baseUrl`. */
export function httpClient(options: HttpClientOptions): HttpClient {
  const { platform, baseUrl, clock, log, timeoutMs = 10_000, patienceMs = 90_000, faultOf } = options;
  const dispatcher = options.dispatcher ?? connections(timeoutMs);
  const governor = new Governor({ platform, clock, patienceMs });
  const host = URL.parse(baseUrl)?.host;
  const usualHeaders = mergeHeaders(USUAL_HEADERS, options.headers);

  function toSending({ method = 'GET', path, query, headers, signal, timeoutMs: ownMs = timeoutMs, ...content }: HttpRequest): Sending {
    const { body, headers: contentHeaders } = bodyOf(content);
    return {
      method,
      url: urlOf(baseUrl, path, query),
      headers: mergeHeaders(usualHeaders, contentHeaders, typeof headers === 'function' ? headers() : headers),
      body,
      timeoutMs: ownMs,
      signal,
    };
  }

  async function attempt(asked: Asked, sending: Sending, charge: Charge): Promise<Answer> {
    await governor.enter(charge, sending.signal);
    let notice: Notice = {};
    try {
      const answer = await exchange(dispatcher, sending);
      const nowMs = clock.nowMs();
      const usual = faultOfStatus(answer.status);
      const failure = usual
        ? errorOfAnswer(asked, answer, faultOf?.(withoutCredentials(answer, sending)) ?? usual, nowMs)
        : errorOfPage(asked, answer);
      notice = { rates: readRates(answer.headers, nowMs), pauseUntil: failure?.retryAt };
      if (failure) throw failure;
      return answer;
    } catch (error) {
      throw error instanceof NoAnswer ? errorOfSilence(asked, error) : error;
    } finally {
      governor.leave(charge, notice);
    }
  }

  return {
    async request(request) {
      const { method = 'GET', path, signal, idempotent = method === 'GET', budget = 'all', points = 1 } = request;
      const { refusesInJson = options.refusesInJson } = request;
      const asked: Asked = { platform, method, path, host, idempotent, refusesInJson };
      const charge: Charge = { budgets: [budget].flat(), points };

      for (let count = 1; ; count++) {
        try {
          return toResponse(asked, await attempt(asked, toSending(request), charge));
        } catch (error) {
          const pauseMs = idempotent && error instanceof PlatformError ? retryPauseMs(error, count, clock.nowMs()) : undefined;
          if (pauseMs === undefined) throw error;
          log?.debug({ platform, method, path, error, pauseMs: Math.round(pauseMs) }, 'a request is repeated');
          await clock.sleep(pauseMs, signal);
        }
      }
    },

    async [Symbol.asyncDispose]() {
      if (!options.dispatcher) await dispatcher.close();
    },
  };
}

/** The answer without the credentials of its request: a server may repeat them in the reason that an error shows. */
function withoutCredentials(answer: Answer, { headers }: Sending): Answer {
  const credentials = (headers['authorization'] ?? '').split(/[\s",=]+/u).filter((part) => part.length >= SHORTEST_CREDENTIAL);
  return { ...answer, text: withoutSecrets(credentials)(answer.text) };
}

function connections(timeoutMs: number): Agent {
  return new Agent({
    connections: CONNECTIONS,
    connect: { timeout: timeoutMs },
    allowH2: false,
  });
}
