import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '#src/http/client.ts';
import { readRows } from '#src/http/lenient.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { PartialError } from '#src/clients/paging/page.ts';
import { isFault } from '#src/http/errors.ts';
import type { Access } from './auth/access.ts';
import { explained } from './errors.ts';

const LINK = /<([^>]*)>((?:\s*;\s*[\w*]+\s*=\s*(?:"[^"]*"|[^\s;,"]+))*)/gu;

/**
 * The parameters of the next page from a `Link` header, without those of `query`.
 *
 * The address itself is not used, because a server behind a proxy may state its internal name.
 */
export function nextPage(header: string | readonly string[] | undefined, query: Query): string | undefined {
  const links = [header ?? []].flat().join(', ');
  for (const { 1: address = '', 2: parameters = '' } of links.matchAll(LINK)) {
    if (!/;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?=["\s;,]|$)/iu.test(parameters)) continue;
    const { search } = URL.parse(address, 'http://server.invalid') ?? { search: '' };
    const more = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => !(name in query)));
    return more.size > 0 ? more.toString() : undefined;
  }
  return undefined;
}

/** The most rows of a page, by kind. */
export const MOST = { statuses: 40, accounts: 80, notifications: 40 } as const;

const UPLOAD_TIMEOUT_MS = 120_000;
/** The route for new posts, which every server has and refuses in JSON. For other missing routes, some servers send a web page. */
const WRITTEN_EVERYWHERE = /^\/api\/v1\/statuses$/u;
/** Routes for reads that every server has and reconciliation needs. */
const READ_EVERYWHERE = /^\/api\/v1\/(instance|accounts\/(verify_credentials|[^/]+\/statuses))$/u;
/** The read that tells servers of version 4 from others, which may have a web page there. */
const NEWER = /^\/api\/v2\/instance$/u;
/** Paging has a separate limit: https://github.com/mastodon/mastodon/blob/main/config/initializers/rack_attack.rb */
const PARTS = ['page', 'min_id', 'max_id', 'since_id'];

/** A request to a server. */
interface MastodonRequest extends Pick<HttpRequest, 'method' | 'query' | 'json' | 'body' | 'signal'> {
  /** The path below the address of the server, for example `/api/v1/statuses`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The scope that the token needs, for example `write:statuses`. */
  readonly scope?: string | undefined;
  /** An additional rate limit, beside the limit of all requests. */
  readonly budget?: string | undefined;
  /** Whether a repeat of the write makes another record. */
  readonly creates?: boolean | undefined;
}

/** One page of a list. */
export interface Fetched<T> {
  readonly rows: readonly T[];
  readonly partialErrors: readonly PartialError[];
  readonly cursor: string | undefined;
  readonly fetchedAt: Date;
}

/** The client API of one server, as one account. */
export interface MastodonApi {
  /** The server's address without its protocol. */
  readonly domain: string;
  now(): Date;
  send(request: MastodonRequest): Promise<HttpResponse>;
  page<T>(request: Pick<MastodonRequest, 'path' | 'query' | 'scope'>, row: z.ZodType<T>, options: PageOptions): Promise<Fetched<T>>;
}

/** Whether a proxy, or a server without the route, may have refused the request with a web page. */
function mayBePage(error: unknown): boolean {
  if (!isFault(error, 'unavailable', 'malformed')) return false;
  const { status = 0 } = error;
  return (status >= 400 && status < 500) || status === 501;
}

interface ApiOptions {
  readonly http: HttpClient;
  readonly access: Access;
  readonly account: string;
  readonly url: string;
  readonly clock: Clock;
}

export function mastodonApi({ http, access, account, url, clock }: ApiOptions): MastodonApi {
  async function attempt({ creates = false, headers, ...request }: MastodonRequest, token: string): Promise<HttpResponse> {
    const { query = {}, budget = PARTS.some((name) => query[name] !== undefined) ? 'paging' : undefined } = request;
    const sent: HttpRequest = {
      ...request,
      headers: { ...headers, authorization: `Bearer ${token}` },
      idempotent: !creates,
      creates,
      budget: budget === undefined ? 'all' : [budget, 'all'],
      timeoutMs: request.body === undefined ? undefined : UPLOAD_TIMEOUT_MS,
    };
    const isWrite = request.method !== undefined;
    const isEverywhere = (isWrite ? WRITTEN_EVERYWHERE : READ_EVERYWHERE).test(request.path);
    try {
      return await http.request({
        ...sent,
        refusesInJson: isEverywhere || (isWrite && !creates),
        refusesInPages: NEWER.test(request.path),
      });
    } catch (error) {
      if (creates || isEverywhere || !mayBePage(error) || !(await isThere(token, request.signal))) throw error;
    }
    // Some servers, such as snac, report errors as web pages. If the server is up, its page is final.
    return http.request({ ...sent, refusesInPages: true });
  }

  /** Whether the server describes itself, as every server does. A proxy does not. */
  async function isThere(token: string, signal: AbortSignal | undefined): Promise<boolean> {
    const headers = { authorization: `Bearer ${token}` };
    try {
      const answer = await http.request({ path: '/api/v1/instance', headers, idempotent: false, refusesInJson: true, signal });
      return answer.json(z.looseObject({ version: z.string() })).version !== '';
    } catch {
      signal?.throwIfAborted();
      return false;
    }
  }

  async function send(request: MastodonRequest): Promise<HttpResponse> {
    const token = await access.token();
    try {
      return await attempt(request, token);
    } catch (error) {
      const isRefused = isFault(error, 'unauthorized');
      if (!isRefused || !(await access.hasOther(token))) throw explained(error, { ...request, account });
    }
    // A person has signed in again since.
    try {
      return await attempt(request, await access.token());
    } catch (error) {
      throw explained(error, { ...request, account });
    }
  }

  return {
    domain: URL.parse(url)?.host ?? url,
    now: () => new Date(clock.nowMs()),
    send,

    async page({ path, query = {}, scope }, row, { cursor, onNext, signal }) {
      const from = Object.fromEntries(new URLSearchParams(cursor));
      const response = await send({ path, query: { ...query, ...from }, scope, signal });
      const fetchedAt = new Date(clock.nowMs());
      const { rows, partialErrors } = response.json(readRows(row));
      const next = nextPage(response.headers['link'], query);
      if (onNext && next !== undefined) await onNext(next);
      return { rows, partialErrors, cursor: next, fetchedAt };
    },
  };
}
