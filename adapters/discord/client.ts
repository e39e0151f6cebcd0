import { randomUUID } from 'node:crypto';
import type { RequestMethod, REST } from 'discord.js';
import type { z } from 'zod';
import { copySignal, type Clock } from '#src/clock.ts';
import { longestSendMs } from '#src/http/exchange.ts';
import { Governor } from '#src/http/governor.ts';
import { withoutCameraData } from '#src/http/media/camera-data.ts';
import type { Charge, RateBudgets } from '#src/http/rate-budgets.ts';
import { codeOf, lateModule, Postponed, wantsLate } from '#src/errors.ts';
import { BODY_LIMITS, withSafeBody } from '#src/http/safe-body.ts';
import { isUnsent, PLATFORM, toPlatformError, unreadable } from './errors.ts';
import { windowsOf } from './rate-limit-windows.ts';

/** A file of a message. */
export interface Attached {
  /** Letters, digits, dots, dashes and underscores. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly altText?: string | undefined;
}

/** The files in the form of the message. */
export function toAttachments(files: readonly Attached[]): readonly object[] {
  return files.map(({ name, altText }, id) => ({ id, filename: name, description: altText }));
}

/** The multipart body of a form with files, with its content type. */
function toMultipart(payload: object, files: readonly Attached[]): { readonly body: Uint8Array; readonly headers: Record<string, string> } {
  const boundary = `fanfare-${randomUUID()}`;
  const parts = [
    part(boundary, 'name="payload_json"', 'application/json'),
    Buffer.from(JSON.stringify(payload)),
    ...files.flatMap(({ name, contentType, bytes }, index) => [
      part(boundary, `name="files[${index}]"; filename="${name}"`, contentType),
      withoutCameraData(bytes),
    ]),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ];
  return { body: Buffer.concat(parts), headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

function part(boundary: string, disposition: string, contentType: string): Buffer {
  return Buffer.from(`\r\n--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${contentType}\r\n\r\n`);
}

/** A request to Discord. */
export interface ApiRequest<T> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the address of the API, for example `/users/@me`. */
  readonly path: `/${string}`;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: object | undefined;
  /** Files of a multipart request. */
  readonly files?: readonly Attached[] | undefined;
  readonly answer: z.ZodType<T>;
  readonly signal?: AbortSignal | undefined;
}

/** Sends one request to Discord and parses the answer. Throws a `PlatformError`. */
export type DiscordApi = <T>(request: ApiRequest<T>) => Promise<T>;

interface ApiOptions {
  readonly token: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  /** The limits of the bot, which several processes share; absent: discord.js limits the requests of this process. */
  readonly rateBudgets?: RateBudgets | undefined;
  /** Whether a write fails with `Postponed` if a rate limit delays it by more than a second; otherwise, it waits up to five seconds. */
  readonly postponesWrites?: boolean | undefined;
}

const LONGEST_WAIT_MS = 5_000;
/** The longest wait of a write that can be postponed. */
const POSTPONED_AFTER_MS = 1_000;
/** The time limit of a request, without the time to send its body. */
const TIMEOUT_MS = 15_000;
/** The longest time of a timer. It switches off the time limit of discord.js, which is the same for all requests. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** undici waits for the head of a response while it sends the body, so `withTimeLimit` limits that time. */
const UNDICI_LIMITS = { ...BODY_LIMITS, headersTimeout: 0 };
/** Discord accepts 50 requests per second from a bot. The burst and the rate add up to no more in any second. */
const EACH_REQUEST: Charge = { budgets: ['global'], points: 1, pace: { perSecond: 40, burst: 10 } };

const loadDiscord = lateModule('discord.js', () => import('discord.js'));

/** Discord's REST, loaded at the first request. It repeats nothing: whether a repeat is safe is known to the caller only. */
export function discordApi({ token, apiUrl, clock, rateBudgets, postponesWrites = false }: ApiOptions): DiscordApi {
  const governor = rateBudgets && new Governor({ platform: PLATFORM, budgets: rateBudgets, clock, patienceMs: LONGEST_WAIT_MS });
  const windows = windowsOf(clock);
  let rest: REST | undefined;
  wantsLate(loadDiscord);

  return async ({ method, path, query, body, files = [], answer, signal }) => {
    const discord = await loadDiscord();
    rest ??= new discord.REST({
      api: apiUrl,
      version: '10',
      retries: 0,
      timeout: NO_TIMEOUT_MS,
      // discord.js repeats a 429 without a bucket at once.
      makeRequest: async (url, init) => {
        const send = async (signal: AbortSignal) => {
          const pass = await governor?.enter(EACH_REQUEST, signal);
          try {
            return await withSafeBody(await discord.DefaultRestOptions.makeRequest(url, { ...init, ...UNDICI_LIMITS, signal }));
          } finally {
            if (pass) governor?.leave(pass);
          }
        };
        const response = await withTimeLimit(init, (signal) =>
          // A server may close an idle connection while a request is sent on it. Only a read is safe to repeat.
          send(signal).catch((error: unknown) => (init.method === 'GET' && isReset(error) ? send(signal) : Promise.reject(error))),
        );
        // discord.js treats a redirect as a success and does not follow it.
        if (response.status >= 300 && response.status < 400) throw unreadable();
        return response;
      },
      rejectOnRateLimit: (rateLimit) => {
        const { timeToReset, retryAfter, limit, scope, method } = rateLimit;
        // discord.js waits alone, but Discord refuses the requests of all processes.
        if (scope === 'global') governor?.pause(EACH_REQUEST, new Date(clock.nowMs() + retryAfter));
        if (postponesWrites && isUnsent(rateLimit) && method !== 'GET' && timeToReset > POSTPONED_AFTER_MS)
          throw windows.postpone(rateLimit);
        return Math.max(timeToReset, retryAfter) > LONGEST_WAIT_MS || !Number.isFinite(limit);
      },
    });
    signal?.throwIfAborted();
    // discord.js never removes its abort listener.
    using call = copySignal(signal);
    // discord.js drops its token after a 401, which may have been temporary.
    rest.setToken(token);
    try {
      const json = await rest.request({
        method: methodsOf(discord.RequestMethod)[method],
        fullRoute: path,
        ...(query && { query: new URLSearchParams(query) }),
        // If a process loads two versions of undici, discord.js cannot send its multipart form.
        ...(files.length > 0 ? { ...toMultipart(body ?? {}, files), passThroughBody: true } : body && { body }),
        signal: call.signal,
      });
      const parsed = answer.safeParse(json);
      // discord.js returns other content than JSON as bytes. No bytes mean an empty answer.
      const isPage = json instanceof ArrayBuffer && json.byteLength > 0;
      if (parsed.success && !isPage) return parsed.data;
      throw unreadable(parsed.error);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Postponed) throw error;
      throw toPlatformError(error, { discord, method, nowMs: clock.nowMs() });
    }
  };
}

/** Aborts a request after the usual time and the time that a slow line needs for its body. */
async function withTimeLimit<T>(
  { body, signal }: { readonly body?: unknown; readonly signal?: AbortSignal | null | undefined },
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const sendMs = typeof body === 'string' || body instanceof Uint8Array ? longestSendMs(body) : 0;
  const timer = setTimeout(() => late.abort(), TIMEOUT_MS + sendMs);
  try {
    return await send(signal ? AbortSignal.any([signal, late.signal]) : late.signal);
  } finally {
    clearTimeout(timer);
  }
}

function isReset(error: unknown): boolean {
  return ['ECONNRESET', 'UND_ERR_SOCKET'].includes(codeOf(error) ?? '');
}

function methodsOf({
  Get,
  Post,
  Put,
  Patch,
  Delete,
}: typeof RequestMethod): Readonly<Record<ApiRequest<unknown>['method'], RequestMethod>> {
  return { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete };
}
